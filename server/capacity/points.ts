import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";
import type { Point, PointSeries, Quantiles, Step } from "../contract/share.ts";
import { AppError } from "../http/app-error.ts";
import { outcomeCode } from "../ingest/row.ts";
import { type Histogram, quantilesMs } from "../rollup/latency-bin.ts";
import { ceilTo, DAY_MS, floorTo, MINUTE_MS, minutesKeptFrom } from "../rollup/levels.ts";
import { listLocalHours, localDateAt, nextDate, startOfDate } from "../time/zone.ts";
import { toCell } from "./cell.ts";
import { groupBy } from "./group-by.ts";
import {
  listPointCounts,
  listPointLatencies,
  type PointCount,
  type PointLatency,
  type SeriesFilter,
} from "./queries.ts";
import { planReading } from "./segments.ts";
import { countShare } from "./share.ts";

export const STEP_MS: Readonly<Record<Step, number>> = {
  "1m": MINUTE_MS,
  "5m": 5 * MINUTE_MS,
  "15m": 15 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "1d": DAY_MS,
};
const MAX_POINTS = 2_400;
const OK = outcomeCode("ok");

export interface PointsQuestion {
  readonly projectId: number;
  readonly filter: SeriesFilter;
  readonly zone: string;
  readonly range: { readonly fromMs: number; readonly toMs: number };
  /** Absent: the finest that gives at most some 200 points. */
  readonly step?: Step | undefined;
}

/**
 * Counts, shares and latency over time.
 *
 * @throws AppError 422 when the step is too fine for the range, or finer than what is kept of it
 */
export async function getPoints(sql: Sql, question: PointsQuestion, nowMs: number): Promise<PointSeries> {
  const { zone, range } = question;
  const step = question.step ?? chooseStep(range, nowMs);
  if ((range.toMs - range.fromMs) / STEP_MS[step] > MAX_POINTS)
    throw stepFault(`${step} makes more than ${MAX_POINTS} points of this range: take a longer step`);
  if (STEP_MS[step] < STEP_MS["15m"] && range.fromMs < minutesKeptFrom(nowMs)) {
    throw stepFault(`${step} is finer than what is kept of this range: take 15m or longer`);
  }
  const plan = planReading({ fromMs: firstStart(range.fromMs, step, zone), toMs: range.toMs }, nowMs);
  // Steps finer than a quarter-hour are in the minutes only.
  const segments =
    STEP_MS[step] < STEP_MS["15m"]
      ? [{ level: "1m" as const, fromMs: plan.fromMs, toMs: ceilTo(plan.toMs, MINUTE_MS) }]
      : plan.segments;
  const read = { projectId: question.projectId, filter: question.filter, segments };
  const [counts, latencies] = await Promise.all([
    listPointCounts(sql, read, step, zone),
    listPointLatencies(sql, read, step, zone),
  ]);
  return {
    zone,
    step,
    range: { from: new Date(plan.fromMs).toISOString(), to: new Date(plan.toMs).toISOString() },
    points: toPoints(listStarts(plan.fromMs, plan.toMs, step, zone), counts, latencies, step, nowMs),
  };
}

function stepFault(detail: string): AppError {
  return new AppError({
    status: 422,
    code: "invalid_query",
    title: "The query has faults",
    errors: [{ pointer: "?step", detail }],
  });
}

function chooseStep(range: { fromMs: number; toMs: number }, nowMs: number): Step {
  const length = range.toMs - range.fromMs;
  const steps: Step[] = range.fromMs >= minutesKeptFrom(nowMs) ? ["1m", "5m", "15m", "1h"] : ["15m", "1h"];
  return steps.find((step) => length / STEP_MS[step] <= 200) ?? (length <= 31 * DAY_MS ? "1h" : "1d");
}

function firstStart(fromMs: number, step: Step, zone: string): number {
  if (step !== "1h" && step !== "1d") return floorTo(fromMs, STEP_MS[step]);
  const date = localDateAt(zone, fromMs);
  if (step === "1d") return startOfDate(zone, date);
  return listLocalHours(zone, date).findLast(({ startMs }) => startMs <= fromMs)?.startMs ?? fromMs;
}

/** Starts of all steps in [from, to); hours and days are those on the zone's wall. */
export function listStarts(fromMs: number, toMs: number, step: Step, zone: string): number[] {
  const starts: number[] = [];
  if (step !== "1h" && step !== "1d") {
    for (let ms = floorTo(fromMs, STEP_MS[step]); ms < toMs; ms += STEP_MS[step]) starts.push(ms);
    return starts;
  }
  for (let date = localDateAt(zone, fromMs); ; date = nextDate(date)) {
    const startMs = startOfDate(zone, date);
    if (startMs >= toMs) return starts;
    if (step === "1d") starts.push(startMs);
    else for (const hour of listLocalHours(zone, date)) starts.push(hour.startMs);
    while ((starts[0] ?? fromMs) < fromMs && (starts[1] ?? toMs) <= fromMs) starts.shift();
    while ((starts.at(-1) ?? 0) >= toMs) starts.pop();
  }
}

function toPoints(
  starts: readonly number[],
  counts: readonly PointCount[],
  latencies: readonly PointLatency[],
  step: Step,
  nowMs: number,
): Point[] {
  const countsAt = groupBy(counts, ({ startMs }) => startMs);
  const latenciesAt = groupBy(latencies, ({ startMs }) => startMs);
  return starts.map((startMs, i) =>
    toPoint(
      startMs,
      (starts[i + 1] ?? startMs + STEP_MS[step]) > nowMs,
      countsAt.get(startMs) ?? [],
      latenciesAt.get(startMs) ?? [],
    ),
  );
}

function toPoint(
  startMs: number,
  isOpen: boolean,
  counts: readonly PointCount[],
  latencies: readonly PointLatency[],
): Point {
  const sum = (value: (count: PointCount) => number) =>
    counts.reduce((total, count) => total + value(count), 0);
  const outcomes = byOutcome(counts, (count) => count.attempts);
  const requestOutcomes = byOutcome(counts, (count) => count.requests);
  const attemptShare = countShare(outcomes, "capacity");
  const requestShare = countShare(requestOutcomes, "capacity");
  return {
    start: new Date(startMs).toISOString(),
    attempts: sum((count) => count.attempts),
    requests: sum((count) => count.requests),
    degraded: sum((count) => (count.outcome === OK ? count.degraded : 0)),
    retries: sum((count) => count.retries),
    outcomes,
    requestOutcomes,
    capacity: toCell(attemptShare.k, attemptShare.n),
    requestCapacity: toCell(requestShare.k, requestShare.n),
    latencyMs: toQuantiles(latencies.filter(({ measure }) => measure === 0)),
    firstTokenMs: toQuantiles(latencies.filter(({ measure }) => measure === 1)),
    inputTokens: sum((count) => count.inputTokens),
    outputTokens: sum((count) => count.outputTokens),
    isOpen,
  };
}

/** Counts by the outcome's name; outcomes that did not occur are left out. */
export function byOutcome<T extends { readonly outcome: number }>(
  rows: readonly T[],
  count: (row: T) => number,
): Partial<Record<Outcome, number>> {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const row of rows) {
    const outcome = OUTCOMES[row.outcome];
    if (outcome !== undefined && count(row) > 0) counts[outcome] = (counts[outcome] ?? 0) + count(row);
  }
  return counts;
}

/** Percentiles of all measurements together, in whole milliseconds. */
export function toQuantiles(histograms: readonly Histogram[]): Quantiles {
  const [p50, p95, p99] = quantilesMs(histograms, [0.5, 0.95, 0.99]).map((ms) =>
    ms === null ? null : Math.round(ms),
  );
  return { p50: p50 ?? null, p95: p95 ?? null, p99: p99 ?? null };
}
