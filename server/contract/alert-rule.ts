import { OUTCOMES } from "@busyhour/sdk";
import { z } from "zod";

const share = z.number().gt(0).lte(1);
const minutes = (max: number) => z.int().min(1).max(max);

/** What a rule counts. */
export const ruleMeasure = z
  .discriminatedUnion("of", [
    z.strictObject({
      of: z
        .enum(["attempts", "requests"])
        .describe("attempts: what the provider did; requests: what users felt."),
      outcomes: z.array(z.enum(OUTCOMES)).min(1).describe("These count as k; all that is counted, as n."),
    }),
    z.strictObject({
      of: z
        .literal("degraded")
        .describe("Requests that another than the first target of their chain answered."),
    }),
  ])
  .meta({ id: "RuleMeasure" });

/** When a rule holds. */
export const ruleCondition = z
  .discriminatedUnion("kind", [
    z
      .strictObject({
        kind: z.literal("share"),
        above: share,
        windowMinutes: minutes(1440),
        minCalls: z.int().min(1),
      })
      .describe("A fixed share of the last minutes."),
    z
      .strictObject({ kind: z.literal("count"), atLeast: z.int().min(1), windowMinutes: minutes(1440) })
      .describe("So many of the last minutes; 1: from the first event."),
    z
      .strictObject({ kind: z.literal("learnt") })
      .describe("Far above what is usual at this hour of the week."),
    z.strictObject({ kind: z.literal("fastRise") }).describe("A jump within the last five minutes."),
    z
      .strictObject({ kind: z.literal("burnRate"), objective: z.number().gt(0).lt(1) })
      .describe(
        "The error budget of an objective, such as 0.99, is used up too fast, over two windows at once.",
      ),
    z
      .strictObject({ kind: z.literal("silent"), forMinutes: minutes(10_080) })
      .describe("What used to send events sends none any more."),
    z
      .strictObject({
        kind: z.literal("amplification"),
        above: z.number().gt(1).max(10),
        windowMinutes: minutes(1440),
        minCalls: z.int().min(1),
      })
      .describe("Attempts per request."),
  ])
  .meta({ id: "RuleCondition" });

export const RULE_GROUPS = ["target", "model", "provider", "source", "chain", "all"] as const;
export const SEVERITIES = ["critical", "warning", "info"] as const;

/** Empty: whatever it is. */
export const ruleMatcher = z.strictObject({
  provider: z.string().max(200).optional(),
  model: z.string().max(200).optional(),
  endpoint: z.string().max(200).optional(),
  source: z.string().max(200).optional(),
  chain: z.string().max(200).optional(),
});

/** What people write of a rule. */
export const alertRuleInput = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    isEnabled: z.boolean(),
    severity: z.enum(SEVERITIES),
    measure: ruleMeasure,
    condition: ruleCondition,
    where: ruleMatcher,
    groupBy: z.enum(RULE_GROUPS).describe("One alert for each: target is provider, model and endpoint."),
    pendingMinutes: z.int().min(0).max(1440).describe("Holds for so long before it is told."),
    remindHours: z.int().min(1).max(168).nullable().describe("Told again while it goes on; null: never."),
    channels: z.array(z.int()).nullable().describe("Ids; null: every channel that takes this severity."),
  })
  .meta({ id: "AlertRuleInput" });

export type RuleMeasure = z.infer<typeof ruleMeasure>;
export type RuleCondition = z.infer<typeof ruleCondition>;
export type RuleMatcher = z.infer<typeof ruleMatcher>;
export type AlertRuleInput = z.infer<typeof alertRuleInput>;
export type RuleGroup = (typeof RULE_GROUPS)[number];
export type Severity = (typeof SEVERITIES)[number];
