import { z } from "zod";
import { SEVERITIES } from "./alert-rule.ts";
import { instant } from "./share.ts";

/** Whom an alert is about; absent parts mean all of them. */
export const alertSubject = z
  .object({
    provider: z.string().optional(),
    model: z.string().optional(),
    endpoint: z.string().optional(),
    source: z.string().optional(),
    chain: z.string().optional(),
  })
  .meta({ id: "AlertSubject" });

/**
 * What a channel is told of an alert: facts without language, so that each channel words them in its own, and so that
 * what is sent late still says what was so when it was written.
 */
export const alertNotice = z
  .object({
    kind: z.literal("alert"),
    event: z.enum(["firing", "reminder", "acknowledged", "resolved"]),
    alert: z.int(),
    dedupeKey: z.string().max(200).describe("The same for all notices of one alert."),
    project: z.object({ slug: z.string(), name: z.string() }),
    rule: z.object({ id: z.int(), name: z.string() }),
    severity: z.enum(SEVERITIES),
    subject: alertSubject,
    of: z.enum(["attempts", "requests", "degraded", "events", "amplification"]),
    outcomes: z.array(z.string()),
    k: z.number(),
    n: z.number(),
    value: z.number().nullable().describe("k / n, attempts per request, or minutes of silence."),
    usual: z.number().nullable().describe("The same at this hour of the week, where it is known."),
    peak: z.number().nullable(),
    since: instant.describe("When it began, by the rule's own reckoning."),
    at: instant.describe("When this was so."),
    endedAt: instant.nullable(),
    folded: z.array(alertSubject).describe("Alerts of models that this one stands for."),
    cause: z
      .object({ code: z.string(), params: z.record(z.string(), z.union([z.string(), z.number()])) })
      .nullable()
      .describe("Of the diagnosis."),
    order: z.array(z.string()).nullable().describe("Targets in the advised order."),
    acknowledged: z
      .object({ by: z.string(), note: z.string().nullable() })
      .nullable()
      .optional()
      .describe("Of an acknowledgement: who is at it, with what they said."),
    view: z.string().describe("Path and query of the page that shows it."),
  })
  .meta({ id: "AlertNotice" });

/** What is told that is no alert: words are made by whoever writes it, per language. */
export const textNotice = z
  .object({
    kind: z.literal("text"),
    event: z.enum(["test", "report", "channelBroken", "digest"]),
    project: z.object({ slug: z.string(), name: z.string() }),
    severity: z.enum(SEVERITIES),
    text: z.record(z.enum(["en", "zh"]), z.object({ title: z.string(), markdown: z.string() })),
    data: z.record(z.string(), z.unknown()).describe("For webhooks."),
    at: instant,
    view: z.string(),
  })
  .meta({ id: "TextNotice" });

export const notice = z.discriminatedUnion("kind", [alertNotice, textNotice]).meta({ id: "Notice" });

export type AlertNotice = z.infer<typeof alertNotice>;
export type TextNotice = z.infer<typeof textNotice>;
export type Notice = z.infer<typeof notice>;
