import type { Outcome } from "@busyhour/sdk";
import type {
  AlertRuleInput,
  RuleCondition,
  RuleMeasure,
} from "../../../../../server/contract/alert-rule.ts";

/** What a new rule begins as: the share of attempts that found no room. */
export const NEW_RULE: AlertRuleInput = {
  name: "",
  isEnabled: true,
  severity: "warning",
  measure: { of: "attempts", outcomes: ["capacity"] },
  condition: { kind: "share", above: 0.1, windowMinutes: 15, minCalls: 20 },
  where: {},
  groupBy: "target",
  pendingMinutes: 0,
  remindHours: 4,
  channels: null,
};

const BEGINNINGS: { readonly [K in RuleCondition["kind"]]: Extract<RuleCondition, { kind: K }> } = {
  share: { kind: "share", above: 0.1, windowMinutes: 15, minCalls: 20 },
  count: { kind: "count", atLeast: 1, windowMinutes: 15 },
  learnt: { kind: "learnt" },
  fastRise: { kind: "fastRise" },
  burnRate: { kind: "burnRate", objective: 0.99 },
  silent: { kind: "silent", forMinutes: 60 },
  amplification: { kind: "amplification", above: 1.5, windowMinutes: 30, minCalls: 20 },
};

/** Another kind of condition; the window and the least number of calls are kept where it has them too. */
export function withKind(rule: AlertRuleInput, kind: RuleCondition["kind"]): AlertRuleInput {
  const start = BEGINNINGS[kind];
  const kept = Object.fromEntries(
    Object.entries(rule.condition).filter(([name]) => name !== "kind" && name !== "above" && name in start),
  );
  return { ...rule, condition: { ...start, ...kept } as RuleCondition };
}

/** Another thing to count; the outcomes are kept where it has them too. */
export function withMeasure(rule: AlertRuleInput, of: RuleMeasure["of"]): AlertRuleInput {
  if (of === "degraded") return { ...rule, measure: { of } };
  const outcomes: Outcome[] = "outcomes" in rule.measure ? rule.measure.outcomes : ["capacity"];
  return { ...rule, measure: { of, outcomes } };
}

/** An empty text means all. */
export function withWhere(
  rule: AlertRuleInput,
  part: keyof AlertRuleInput["where"],
  text: string,
): AlertRuleInput {
  const { [part]: _, ...others } = rule.where;
  return { ...rule, where: text.trim() === "" ? others : { ...others, [part]: text.trim() } };
}

/** A rule without what the server adds. */
export function toInput(rule: AlertRuleInput): AlertRuleInput {
  const { name, isEnabled, severity, measure, condition, where, groupBy } = rule;
  const { pendingMinutes, remindHours, channels } = rule;
  return {
    name,
    isEnabled,
    severity,
    measure,
    condition,
    where,
    groupBy,
    pendingMinutes,
    remindHours,
    channels,
  };
}
