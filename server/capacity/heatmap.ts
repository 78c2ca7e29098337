import type { Outcome } from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";
import type { CountKind, Heatmap, HeatmapCell } from "../contract/share.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../rollup/levels.ts";
import { toCell } from "./cell.ts";
import type { SeriesFilter } from "./queries.ts";
import { planReading } from "./segments.ts";
import {
  findProfileRun,
  type HourOfWeekCount,
  listHourOfWeekCounts,
  listProfileCounts,
  type ProfileRun,
} from "./share-queries.ts";

export const HOURS_PER_WEEK = 168;
/** The heatmap that nobody asked to be different looks back this far: whole weeks, so that hours are weighed alike. */
export const HEATMAP_LOOKBACK_MS = 28 * DAY_MS;

export interface HeatmapQuestion {
  readonly projectId: number;
  readonly filter: SeriesFilter;
  readonly count: CountKind;
  readonly outcome: Outcome;
  readonly zone: string;
  /** `null`: the default look-back, for which the hourly job has prepared the counts. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | null;
}

/** The share of an outcome by hour of week: 168 cells, Monday 00:00 first. */
export async function getHeatmap(sql: Sql, question: HeatmapQuestion, nowMs: number): Promise<Heatmap> {
  const { fromMs, toMs, counts } =
    question.range === null
      ? await readDefaultRange(sql, question, nowMs)
      : await readRange(sql, question, question.range, nowMs);
  return {
    zone: question.zone,
    range: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() },
    count: question.count,
    outcome: question.outcome,
    cells: toHeatmapCells(counts),
  };
}

interface CountedRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly counts: readonly HourOfWeekCount[];
}

async function readRange(
  sql: Sql,
  question: Omit<HeatmapQuestion, "range">,
  range: { fromMs: number; toMs: number },
  nowMs: number,
): Promise<CountedRange> {
  const plan = planReading(range, nowMs);
  const counts = await listHourOfWeekCounts(sql, { ...question, segments: plan.segments }, question.zone);
  return { fromMs: plan.fromMs, toMs: plan.toMs, counts };
}

/** What a heatmap without a range covers: up to now, from 28 days before the last full hour. */
export function defaultLookback(nowMs: number): { fromMs: number; toMs: number } {
  return { fromMs: floorTo(nowMs, HOUR_MS) - HEATMAP_LOOKBACK_MS, toMs: nowMs };
}

/** The hourly job's run, if its counts are those of this zone and are not out of date. */
export async function findUsableRun(
  sql: Sql,
  projectId: number,
  zone: string,
  nowMs: number,
): Promise<ProfileRun | null> {
  const run = await findProfileRun(sql, projectId);
  const isUsable =
    run !== null && !run.isStale && run.timeZone === zone && nowMs - run.rangeTo.getTime() < DAY_MS;
  return isUsable ? run : null;
}

/**
 * The hourly job's counts plus the hours since; computed from rollups instead when the zone is another one, or
 * when late events changed what the job saw.
 */
async function readDefaultRange(sql: Sql, question: HeatmapQuestion, nowMs: number): Promise<CountedRange> {
  const run = await findUsableRun(sql, question.projectId, question.zone, nowMs);
  if (run === null) return readRange(sql, question, defaultLookback(nowMs), nowMs);
  const [prepared, open] = await Promise.all([
    listProfileCounts(sql, question),
    readRange(sql, question, { fromMs: run.rangeTo.getTime(), toMs: nowMs }, nowMs),
  ]);
  return { fromMs: run.rangeFrom.getTime(), toMs: open.toMs, counts: [...prepared, ...open.counts] };
}

/** Sums counts into 168 cells; the order and repetition of the counts do not matter. */
export function toHeatmapCells(counts: readonly HourOfWeekCount[]): HeatmapCell[] {
  const sums = Array.from({ length: HOURS_PER_WEEK }, () => ({ k: 0, n: 0 }));
  for (const { hourOfWeek, k, n } of counts) {
    const sum = sums[hourOfWeek];
    if (sum === undefined) throw new RangeError(`no such hour of week: ${hourOfWeek}`);
    sum.k += k;
    sum.n += n;
  }
  return sums.map(({ k, n }, hourOfWeek) => ({ hourOfWeek, ...toCell(k, n) }));
}
