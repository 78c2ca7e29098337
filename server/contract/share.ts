import { OUTCOMES } from "@busyhour/sdk";
import { z } from "zod";

export const instant = z.iso.datetime({ offset: true });
export const range = z.object({ from: instant, to: instant }).meta({ id: "Range" });
export const outcome = z.enum(OUTCOMES);
export const countKind = z
  .enum(["attempts", "requests"])
  .describe("attempts: what the provider did; requests: what users felt.");

/** Counts by outcome; outcomes that did not occur are left out. */
export const outcomeCounts = z.partialRecord(outcome, z.number());

const cellShape = {
  n: z.number().describe("Calls in the denominator."),
  k: z.number().describe("Of these, the ones with the outcome."),
  rate: z.number().nullable().describe("k / n, 0–1; null without calls."),
  low: z.number().nullable().describe("Lower end of the 95 % Wilson interval."),
  high: z.number().nullable().describe("Upper end of the 95 % Wilson interval."),
  state: z.enum(["none", "few", "enough"]).describe("No calls, fewer than 20, or enough to say something."),
};

/** One measured share. The same object feeds the cell, its tooltip, the table and every export. */
export const cell = z.object(cellShape).meta({ id: "Cell" });

export const heatmapCell = z
  .object({ hourOfWeek: z.int().min(0).max(167).describe("0 = Monday 00:00 in the zone."), ...cellShape })
  .meta({ id: "HeatmapCell" });

export const heatmapAnswer = z
  .object({
    zone: z.string(),
    range,
    count: countKind,
    outcome,
    cells: z.array(heatmapCell).length(168),
  })
  .meta({ id: "Heatmap" });

export const calendarAnswer = z
  .object({
    zone: z.string(),
    range,
    count: countKind,
    outcome,
    days: z.array(
      z.object({
        date: z.iso.date(),
        hours: z
          .array(
            z.object({
              hour: z.int().min(0).max(23),
              offset: z.string().describe("UTC offset: where clocks go back, an hour comes twice."),
              start: instant,
              ...cellShape,
            }),
          )
          .describe("24 on most days, 23 or 25 where clocks change."),
      }),
    ),
  })
  .meta({ id: "Calendar" });

export const quantiles = z
  .object({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable() })
  .describe("Of successful attempts, milliseconds, within 2 %.")
  .meta({ id: "Quantiles" });

export const step = z.enum(["1m", "5m", "15m", "1h", "1d"]);

export const point = z
  .object({
    start: instant,
    attempts: z.number(),
    requests: z.number(),
    degraded: z.number().describe("Requests that a later target of their chain answered."),
    retries: z.number().describe("Attempts that were not the first of their request."),
    outcomes: outcomeCounts,
    requestOutcomes: outcomeCounts,
    capacity: cell,
    requestCapacity: cell,
    latencyMs: quantiles,
    firstTokenMs: quantiles,
    inputTokens: z.number(),
    outputTokens: z.number(),
    isOpen: z.boolean().describe("The step is not over: its counts will still grow."),
  })
  .meta({ id: "Point" });

export const pointsAnswer = z
  .object({ zone: z.string(), step, range, points: z.array(point) })
  .meta({ id: "PointSeries" });

export const targetFigures = z
  .object({
    attempts: z.number(),
    requests: z.number(),
    degraded: z.number().describe("Requests that a later target of their chain answered."),
    retries: z.number(),
    outcomes: outcomeCounts,
    requestOutcomes: outcomeCounts,
    capacity: cell,
    requestCapacity: cell,
    success: cell,
    latencyMs: quantiles,
    firstTokenMs: quantiles,
  })
  .meta({ id: "TargetFigures" });

export const overviewTarget = targetFigures
  .extend({
    provider: z.string(),
    model: z.string(),
    endpoint: z.string(),
    before: targetFigures.nullable().describe("The period of equal length before; null without calls."),
  })
  .meta({ id: "OverviewTarget" });

export const overviewAnswer = z
  .object({
    range,
    before: range,
    sentence: z.string(),
    total: targetFigures,
    totalBefore: targetFigures.nullable(),
    targets: z.array(overviewTarget),
  })
  .meta({ id: "Overview" });

export type Cell = z.infer<typeof cell>;
export type CountKind = z.infer<typeof countKind>;
export type Heatmap = z.infer<typeof heatmapAnswer>;
export type HeatmapCell = z.infer<typeof heatmapCell>;
export type Calendar = z.infer<typeof calendarAnswer>;
export type CalendarDay = Calendar["days"][number];
export type Quantiles = z.infer<typeof quantiles>;
export type Step = z.infer<typeof step>;
export type Point = z.infer<typeof point>;
export type PointSeries = z.infer<typeof pointsAnswer>;
export type TargetFigures = z.infer<typeof targetFigures>;
export type OverviewTarget = z.infer<typeof overviewTarget>;
export type Overview = z.infer<typeof overviewAnswer>;
