import type { RuleTable } from "../rule.ts";

/** What SiliconFlow says. */
export const SILICONFLOW: RuleTable = {
  names: "siliconflow",
  capacity: { code: "50501 50505 50603 50604" },
  quota: { code: "30001 30011" },
  not_found: { code: "20012" },
};

export const SILICONFLOW_REASONS: Readonly<Record<string, string>> = {
  capacity: "The model's servers are full.",
  quota: "The balance is empty, or the model is for paying users.",
  not_found: "No such model.",
};
