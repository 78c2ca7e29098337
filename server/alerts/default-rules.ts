import type { AlertRuleInput } from "../contract/alert-rule.ts";

const base = {
  isEnabled: true,
  where: {},
  groupBy: "target",
  pendingMinutes: 0,
  remindHours: 12,
  channels: null,
} as const satisfies Partial<AlertRuleInput>;

const CAPACITY: AlertRuleInput["measure"] = { of: "attempts", outcomes: ["capacity"] };
/** What the provider does wrong, whatever it calls it. */
const FAILURES: AlertRuleInput["measure"] = {
  of: "attempts",
  outcomes: ["timeout", "network", "server_error", "unknown"],
};

/**
 * The rules that a new project is offered, switched on by one click. Why these: docs/how-rules-judge.md#default-rules
 */
export const DEFAULT_RULES: readonly AlertRuleInput[] = [
  {
    ...base,
    name: "Far more capacity errors than usual",
    severity: "critical",
    measure: CAPACITY,
    condition: { kind: "learnt" },
  },
  {
    ...base,
    name: "Other failures jump",
    severity: "critical",
    measure: FAILURES,
    condition: { kind: "fastRise" },
  },
  {
    ...base,
    name: "Key or permission refused",
    severity: "critical",
    measure: { of: "attempts", outcomes: ["auth", "permission"] },
    condition: { kind: "count", atLeast: 1, windowMinutes: 360 },
    remindHours: 24,
  },
  {
    ...base,
    name: "Quota used up",
    severity: "critical",
    measure: { of: "attempts", outcomes: ["quota"] },
    condition: { kind: "count", atLeast: 1, windowMinutes: 360 },
    groupBy: "provider",
    remindHours: 24,
  },
  {
    ...base,
    name: "A source sends nothing any more",
    severity: "warning",
    measure: { of: "attempts", outcomes: ["ok"] },
    condition: { kind: "silent", forMinutes: 60 },
    groupBy: "source",
    remindHours: 24,
  },
  {
    ...base,
    name: "Many requests answered by a fallback",
    severity: "warning",
    measure: { of: "degraded" },
    condition: { kind: "share", above: 0.3, windowMinutes: 60, minCalls: 50 },
    groupBy: "chain",
    pendingMinutes: 10,
  },
  {
    ...base,
    name: "Retries multiply the traffic",
    severity: "warning",
    measure: { of: "attempts", outcomes: ["ok"] },
    condition: { kind: "amplification", above: 1.5, windowMinutes: 60, minCalls: 50 },
    groupBy: "source",
    pendingMinutes: 10,
  },
];
