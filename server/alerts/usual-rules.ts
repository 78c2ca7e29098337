import type { AlertRuleInput } from "../contract/alert-rule.ts";
import { DEFAULT_RULES } from "./default-rules.ts";

/** A rule that suits most, by a name that stays when people rename theirs. */
export interface UsualRule {
  readonly preset: string;
  readonly rule: AlertRuleInput;
}

export const USUAL_RULES: readonly UsualRule[] = DEFAULT_RULES.map((rule) => ({
  preset: rule.name.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
  rule,
}));
