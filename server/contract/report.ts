import { z } from "zod";
import { clock, share, week } from "./advice.ts";
import { locale } from "./diagnosis.ts";
import * as query from "./query.ts";
import { cell, instant, outcome, range } from "./share.ts";

const count = z.number();
const target = { provider: z.string(), model: z.string(), endpoint: z.string() };

const figures = z
  .object({
    requests: count.describe("Requests that ended."),
    attempts: count,
    success: cell.describe("Share of requests that were answered."),
    capacity: cell.describe("Share of attempts that found no room."),
    requestCapacity: cell.describe("Share of requests that ended without room."),
    degraded: cell.describe("Share of answered requests that a later target of their chain answered."),
    retries: count.describe("Attempts after the first one of their request at the same target."),
  })
  .meta({ id: "ReportFigures" });

const degradation = z.object({
  chain: z.string(),
  answered: count,
  degraded: count,
  before: z.number().nullable().describe("Share of the week before; null without answers."),
  by: z
    .array(z.object({ ...target, degraded: count }))
    .describe("Which targets answered instead, the most frequent first."),
});

const episode = z.object({
  ...target,
  openedAt: instant,
  minutes: z.number(),
  goesOn: z.boolean(),
  errors: count,
  peak: share,
});

const hourFigures = z.object({
  from: clock,
  to: clock,
  capacity: cell,
});

/** Whether what was advised before the week was followed in it, and what that brought. */
const adviceTaken = z.object({
  ...target,
  windows: z.array(z.object({ days: z.array(z.string()), from: clock, to: clock })),
  inside: cell.describe("Attempts within the advised windows."),
  outside: cell,
  shareInside: share.describe("Share of the target's attempts that ran within them."),
  shareInsideBefore: share.nullable().describe("The same of the week before."),
  spared: z.number().describe("Failures that the attempts within would have had more at the share outside."),
});

const trouble = z.object({
  ...target,
  outcome,
  attempts: count,
  requests: count,
  before: count.describe("Attempts of the week before."),
});

const published = z.object({
  version: z.int(),
  publishedAt: instant,
  by: z.string(),
  reason: z.string().nullable(),
  degradedBefore: cell.describe(
    "Answered requests of its chains that a later target answered, in the seven days before.",
  ),
  degradedSince: cell.describe("The same since, to the end of the week."),
});

/** Should quota or order be changed? Each answer with its reasons; facts without language. */
const quotaVerdict = z.object({
  verdict: z.enum(["raise", "fine"]),
  reasons: z.array(z.object({ ...target, outcome, share: share.describe("Of the target's attempts.") })),
});
const orderVerdict = z.object({
  verdict: z.enum(["change", "fine", "tooLittleData"]),
  reasons: z.array(
    z.object({ chain: z.string(), order: z.array(z.string()), firstTry: share, firstTryAdvised: share }),
  ),
});

export const reportDocument = z
  .object({
    week: week.describe("ISO 8601, on the wall of the zone."),
    zone: z.string(),
    range,
    figures,
    before: figures.nullable().describe("Of the week before; null without calls."),
    degradations: z.array(degradation).describe("Per chain, most degraded first."),
    episodes: z.object({
      count,
      minutes: z.number(),
      countBefore: count,
      minutesBefore: z.number(),
      longest: z.array(episode).describe("At most five."),
    }),
    bestHours: hourFigures.nullable().describe("Three hours of the day; null with too few calls."),
    worstHours: hourFigures.nullable(),
    advice: z.array(adviceTaken),
    plans: z.array(published),
    trouble: z.array(trouble).describe("Quota, rate limits, keys and permissions, most attempts first."),
    quota: quotaVerdict,
    order: orderVerdict,
  })
  .meta({ id: "ReportDocument" });

export const reportParams = z.object({ week });
export const reportQuery = z.object({ ...query.project, locale });
export const reportListQuery = z.object({ ...query.project });

export const reportAnswer = z
  .object({
    report: reportDocument,
    isOver: z.boolean().describe("false: the week goes on, and its figures will still grow."),
    title: z.string(),
    parts: z
      .array(z.object({ heading: z.string(), lines: z.array(z.string()) }))
      .describe("The words, in the language that was asked for; parts with nothing to say are left out."),
    markdown: z.string().describe("The same as one text."),
  })
  .meta({ id: "Report" });

export const reportsAnswer = z
  .object({
    weeks: z.array(
      z.object({
        week,
        range,
        isOver: z.boolean(),
        sentAt: instant.nullable().describe("When channels were told; null: they were not."),
      }),
    ),
  })
  .meta({ id: "Reports" });

export type ReportDocument = z.infer<typeof reportDocument>;
export type ReportFigures = z.infer<typeof figures>;
export type ReportAnswer = z.infer<typeof reportAnswer>;
export type Reports = z.infer<typeof reportsAnswer>;
