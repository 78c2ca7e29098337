import { z } from "zod";
import { day } from "./advice.ts";
import { alertRuleInput, RULE_GROUPS, ruleMatcher, SEVERITIES } from "./alert-rule.ts";
import { alertSubject } from "./notice.ts";
import * as query from "./query.ts";
import { instant, range } from "./share.ts";

const id = z.int();
const version = z.int().min(1).describe("Of what was seen: 409 when somebody changed it since.");

/** A rule of a project. */
export const alertRule = alertRuleInput
  .extend({
    id,
    preset: z.string().nullable().describe("Its name among the usual rules; null: made by somebody."),
    version: z.int().min(1).describe("Grows with each change."),
    firing: z.int().describe("How many of its alerts are firing."),
    createdAt: instant,
    changedAt: instant,
  })
  .meta({ id: "AlertRule" });

export const alertRuleChange = alertRuleInput.extend({ version }).meta({ id: "AlertRuleChange" });

/** One of the rules that suit most, and whether the project has it. */
export const usualRule = z
  .object({ preset: z.string(), rule: alertRuleInput, id: id.nullable().describe("Of the project's own.") })
  .meta({ id: "UsualRule" });

export const rulesAnswer = z
  .object({
    rules: z.array(alertRule).describe("By name."),
    usual: z.array(usualRule).describe("What POST /api/rules/usual switches on."),
  })
  .meta({ id: "AlertRules" });

export const ruleReplayRequest = z.strictObject({ rule: alertRuleInput }).meta({ id: "RuleReplayRequest" });

export const ruleFiring = z
  .object({
    subject: alertSubject,
    from: instant.describe("Since when it held, by the rule's own reckoning."),
    toldAt: instant.describe("When it would have been told."),
    to: instant.nullable().describe("null: it goes on."),
    k: z.number(),
    n: z.number(),
    peak: z.number().nullable(),
  })
  .meta({ id: "RuleFiring" });

export const ruleReplay = z
  .object({
    range,
    groups: z.int().describe("So many groups had events."),
    count: z.int().describe("So often it would have fired."),
    minutes: z.number().describe("All firings together, in minutes."),
    firings: z.array(ruleFiring).max(500).describe("Newest first; count has all of them."),
  })
  .meta({ id: "RuleReplay" });

export const ALERT_STATES = ["firing", "resolved"] as const;

const person = z.object({ kind: z.enum(["person", "key", "token", "server"]), name: z.string() });

export const acknowledgement = z
  .object({ by: person, at: instant, note: z.string().nullable() })
  .meta({ id: "AlertAcknowledgement" });

const foldedAlert = z
  .object({ id, rule: z.string(), subject: alertSubject, state: z.enum(ALERT_STATES), since: instant })
  .meta({ id: "FoldedAlert" });

export const alert = z
  .object({
    id,
    rule: z.object({ id: id.nullable().describe("null: the rule is gone."), name: z.string() }),
    severity: z.enum(SEVERITIES),
    state: z.enum(ALERT_STATES),
    subject: alertSubject,
    of: z.enum(["attempts", "requests", "degraded", "events", "amplification"]),
    outcomes: z.array(z.string()),
    groupBy: z.enum(RULE_GROUPS),
    k: z.number(),
    n: z.number(),
    value: z.number().nullable().describe("k / n, attempts per request, or minutes of silence."),
    usual: z.number().nullable().describe("The same at this hour of the week, where it is known."),
    peak: z.number().nullable().describe("The highest value so far."),
    since: instant.describe("When it began, by the rule's own reckoning."),
    firedAt: instant.describe("When it began to fire."),
    toldAt: instant.nullable().describe("When channels were told; null: muted or folded all the while."),
    seenAt: instant.describe("When it was last looked at."),
    endedAt: instant.nullable(),
    acknowledged: acknowledgement.nullable(),
    muted: z
      .object({ by: z.enum(["silence", "maintenance"]), id, until: instant })
      .nullable()
      .describe("Why channels are not told now."),
    foldedUnder: id.nullable().describe("The alert that tells of this one."),
    folded: z.array(foldedAlert).describe("Those that this one tells of."),
    cause: z
      .object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
      .nullable()
      .describe("Of the diagnosis, when it began to fire."),
    order: z.array(z.string()).nullable().describe("Targets in the advised order."),
    view: z.string().describe("Path and query of the page that shows it."),
  })
  .meta({ id: "Alert" });

/** A rule that holds, but not for long enough to be told. */
const pendingAlert = z
  .object({
    rule: z.object({ id, name: z.string() }),
    severity: z.enum(SEVERITIES),
    subject: alertSubject,
    since: instant,
    firesAt: instant.describe("If it goes on."),
  })
  .meta({ id: "PendingAlert" });

export const alertsQuery = z.object({
  ...query.project,
  ...query.seriesFilter,
  ...query.timeRange,
  state: z
    .enum(["firing", "resolved", "all"])
    .default("firing")
    .describe("resolved and all: newest first; from and to ask for those that touch the range."),
  rule: z.coerce.number().int().positive().max(2_147_483_647).optional().describe("Only of this rule."),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  cursor: z.string().max(200).optional().describe("`next` of the page before."),
});

export const alertsAnswer = z
  .object({
    now: instant,
    judgedTo: instant
      .nullable()
      .describe("Rules know everything that came before; null: no rule was judged yet."),
    alerts: z.array(alert).describe("Folded ones are within those that tell of them."),
    pending: z.array(pendingAlert).describe("With state=firing."),
    next: z.string().nullable(),
  })
  .meta({ id: "Alerts" });

export const alertAnswer = z.object({ alert }).meta({ id: "AlertAnswer" });

const note = z.string().trim().max(500);

export const newAcknowledgement = z
  .strictObject({ note: note.optional() })
  .meta({ id: "NewAlertAcknowledgement" });

export const newSilence = z
  .strictObject({
    where: ruleMatcher.describe("Alerts whose subject has all of these parts; empty: all."),
    rule: id.nullable().default(null).describe("Only of this rule."),
    until: z.string().max(64).describe("ISO 8601 with an offset; at most 90 days ahead."),
    reason: note.min(1),
  })
  .meta({ id: "NewSilence" });

export const silenceChange = z
  .strictObject({ until: newSilence.shape.until.optional(), reason: note.min(1).optional() })
  .meta({ id: "SilenceChange" });

export const silence = z
  .object({
    id,
    where: ruleMatcher,
    rule: id.nullable(),
    from: instant,
    until: instant,
    reason: z.string(),
    by: person,
    isActive: z.boolean(),
    muted: z.int().describe("Alerts that are firing and not told because of it."),
  })
  .meta({ id: "Silence" });

export const silencesAnswer = z
  .object({ silences: z.array(silence).describe("Active ones first, then those of the last 30 days.") })
  .meta({ id: "Silences" });

export const maintenanceInput = z
  .strictObject({
    name: z.string().trim().min(1).max(100),
    isEnabled: z.boolean(),
    where: ruleMatcher.describe("Alerts whose subject has all of these parts; empty: all."),
    zone: z.string().max(64).describe("IANA zone in which days and times are read."),
    days: z.array(day).min(1).max(7).describe("On which it begins."),
    at: z
      .string()
      .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "must be a time of day like 02:30")
      .describe(
        "Local time. Where clocks skip it, the window begins when they go on; a time that comes twice, the first.",
      ),
    lengthMinutes: z
      .int()
      .min(1)
      .max(24 * 60)
      .describe("So long by the clock that never changes."),
  })
  .meta({ id: "MaintenanceInput" });

export const maintenanceChange = maintenanceInput.extend({ version }).meta({ id: "MaintenanceChange" });

export const maintenanceWindow = maintenanceInput
  .extend({
    id,
    version: z.int().min(1),
    isActive: z.boolean(),
    next: z
      .object({ from: instant, to: instant })
      .nullable()
      .describe("The one that is under way, else the next one; null: it is off."),
  })
  .meta({ id: "MaintenanceWindow" });

export const maintenanceAnswer = z
  .object({ windows: z.array(maintenanceWindow).describe("By name.") })
  .meta({ id: "MaintenanceWindows" });

export type AlertRule = z.infer<typeof alertRule>;
export type AlertRuleChange = z.infer<typeof alertRuleChange>;
export type UsualRule = z.infer<typeof usualRule>;
export type AlertRules = z.infer<typeof rulesAnswer>;
export type RuleReplay = z.infer<typeof ruleReplay>;
export type RuleFiring = z.infer<typeof ruleFiring>;
export type Alert = z.infer<typeof alert>;
export type Alerts = z.infer<typeof alertsAnswer>;
export type NewSilence = z.infer<typeof newSilence>;
export type SilenceChange = z.infer<typeof silenceChange>;
export type Silence = z.infer<typeof silence>;
export type MaintenanceInput = z.infer<typeof maintenanceInput>;
export type MaintenanceChange = z.infer<typeof maintenanceChange>;
export type MaintenanceWindow = z.infer<typeof maintenanceWindow>;
