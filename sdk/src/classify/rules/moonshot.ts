import type { RuleTable } from "../rule.ts";

/** What Moonshot (Kimi) says. */
export const MOONSHOT: RuleTable = {
  quota: { code: "exceeded_current_quota_error" },
  rate_limit: {
    code: "rate_limit_reached_error",
    text: "request reached .. max",
    unless: "overloaded | tpd",
  },
};

export const MOONSHOT_REASONS: Readonly<Record<string, string>> = {
  quota: "The balance is empty or the plan is used up.",
  rate_limit: "The organization's requests, tokens or calls at once are used up.",
};
