import { z } from "zod";
import * as query from "./query.ts";
import { cell, instant } from "./share.ts";

export const clock = z.string().regex(/^(?:[01]\d|2[0-3]):00$/);
export const day = z.enum(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]);
export const share = z.number().min(0).max(1);
/** ISO 8601 week, like `2026-W32`. */
export const week = z.string().regex(/^\d{4}-W\d{2}$/, "must be a week like 2026-W48");

export const adviceQuery = z.object({
  ...query.project,
  provider: query.seriesFilter.provider,
  model: query.seriesFilter.model,
  endpoint: query.seriesFilter.endpoint,
  ...query.zone,
  asOf: z
    .string()
    .max(64)
    .optional()
    .describe(
      "Only attempts that occurred before it count. ISO 8601 with an offset, or epoch milliseconds; the last full hour when left out.",
    ),
  hours: z.coerce.number().int().min(1).max(12).default(3).describe("Length of the wanted windows."),
  allowed: z
    .string()
    .max(8)
    .optional()
    .describe("Hours in which work may run, like 8-20 or 22-6; windows lie within them. All when left out."),
});

export const capacityQuery = z.object({
  ...query.project,
  provider: query.seriesFilter.provider,
  model: query.seriesFilter.model,
  endpoint: query.seriesFilter.endpoint,
  ...query.zone,
  hours: z.coerce.number().int().min(1).max(12).default(3).describe("Length of the wanted window."),
});

export const advisedWindow = z
  .object({
    days: z.array(day).min(1).describe("Days on which it opens."),
    from: clock,
    to: clock.describe("Past midnight where it is before from."),
    expected: share.describe("Capacity share expected of next week's calls in it."),
    low: share.describe("Nine of ten weeks lie between low and high."),
    high: share,
    usual: share.describe("Expected of all hours."),
    worst: share.describe("Expected of the worst hours of this length."),
    n: z.number().describe("Calls in the window that this was learnt from."),
  })
  .meta({ id: "AdvisedWindow" });

export const backtestWeek = z
  .object({
    week,
    inWindow: share.describe("Share in the windows that the rule would have named before that week."),
    usual: share.describe("Share at all hours."),
    oracle: share.describe("Share in the best daily window in hindsight."),
  })
  .meta({ id: "BacktestWeek" });

export const targetAdvice = z
  .object({
    provider: z.string(),
    model: z.string(),
    endpoint: z.string(),
    verdict: z
      .enum(["advise", "noGain", "tooLittleData", "noPattern"])
      .describe(
        "noGain: no window is better by 0.2 points and a fifth. noPattern: its busy hours do not repeat.",
      ),
    moreDays: z
      .number()
      .int()
      .describe("About so many more days of calls are needed; 0 where there are enough."),
    level: z.number().describe("Of the interval from low to high."),
    windows: z.array(advisedWindow).describe("Best first; together they open on every day once."),
    weekly: advisedWindow.nullable().describe("For what runs once a week; null without advice."),
    backtest: z.array(backtestWeek).describe("Newest first."),
    repeats: z
      .object({
        score: z.number().describe("Of left-out days; above 1.28 where the pattern repeats."),
        weeksWon: z.number().int(),
        weeksHeld: z.number().int(),
      })
      .nullable()
      .describe("Whether the pattern told days that it was not made of."),
  })
  .meta({ id: "TargetAdvice" });

export const anyAdvice = targetAdvice
  .pick({ level: true, windows: true, weekly: true, backtest: true })
  .extend({
    verdict: z.enum(["advise", "noGain", "noPattern"]),
    use: z
      .array(z.object({ provider: z.string(), model: z.string(), endpoint: z.string() }))
      .describe("Those with most room in some hour of the windows, most hours first."),
  })
  .meta({ id: "AnyAdvice" });

export const adviceAnswer = z
  .object({
    asOf: instant,
    zone: z.string(),
    any: anyAdvice
      .nullable()
      .describe(
        "For work that any of the targets may do, each hour the one with most room; null with fewer than two that are called enough.",
      ),
    targets: z.array(targetAdvice),
  })
  .meta({ id: "Advice" });

export const capacityAnswer = z
  .object({
    now: cell.describe("Of the last hour, or of three where one is too thin."),
    usual: cell.describe("The same hour of the week over 28 days."),
    nextWindow: z
      .object({ from: instant, to: instant, expected: share })
      .nullable()
      .describe("The advised window that is open or opens next; null where nothing is advised."),
  })
  .meta({ id: "Capacity" });

export type AdvisedWindow = z.infer<typeof advisedWindow>;
export type Advice = z.infer<typeof adviceAnswer>;
export type AnyAdviceAnswer = z.infer<typeof anyAdvice>;
export type TargetAdviceAnswer = z.infer<typeof targetAdvice>;
export type CapacityAnswer = z.infer<typeof capacityAnswer>;
