import { adviseTarget, type TargetAdvice } from "../../../server/advice/advise-target.ts";
import {
  backtestWindows,
  countIn,
  countWeek,
  shareIn,
  type WeekCounts,
} from "../../../server/advice/backtest.ts";
import {
  ALL_DAYS,
  bestWindow,
  expectedShare,
  hoursOf,
  listStarts,
  type WindowWish,
} from "../../../server/advice/choose-window.ts";
import { createHistories, type TargetHistory } from "../../../server/advice/target-history.ts";
import { createWall, type DayHour, HOURS, toDayHours } from "../../../server/profile/day-hours.ts";
import { predictInterval, spreadOf } from "../../../server/profile/predict-share.ts";
import { sum } from "../../../server/profile/sum.ts";
import type { TargetTrace } from "./trace.ts";

export const WISH: WindowWish = { lengthHours: 3, allowed: () => true };

/** One target advised on one day, and what the week after showed. */
export interface ScoredAdvice {
  readonly name: string;
  readonly endDay: number;
  readonly advice: TargetAdvice;
  /** Shares of the week after: in the window, at all hours, in the best window in hindsight. */
  readonly inWindow: number;
  readonly plainInWindow: number;
  readonly mean: number;
  readonly oracle: number;
  readonly strong: boolean;
  readonly patternless: boolean;
  /** Of the best window, whether advised or not: did the interval hold what came? Of each advised one. */
  readonly covered: readonly boolean[];
  /** The same of every daily window there is. */
  readonly coveredAll: readonly boolean[];
}

/**
 * Advice on days of a trace, each from nothing but the time before it, scored on the week after.
 *
 * @param daysBack how many days before the trace's end each is
 */
export function scoreTrace(
  traces: readonly TargetTrace[],
  daysBack: readonly number[],
): { scores: ScoredAdvice[]; strong: number; patternless: number } {
  const wall = createWall("UTC");
  const histories = createHistories(
    traces.map(({ quarters, ...name }) => ({ ...name, hours: toDayHours(quarters, wall) })),
  );
  const lastDay = Math.max(...histories.map(({ hours }) => hours.at(-1)?.day ?? 0));
  const toDays = (back: readonly number[]) => back.map((days) => lastDay + 1 - days);
  const scores: ScoredAdvice[] = [];
  let [strongCount, patternlessCount] = [0, 0];
  for (const history of histories) {
    const won = toDays([28, 21, 14, 7]).filter((day) => beatsFlat(history.hours, day)).length;
    if (won >= 3) strongCount++;
    if (won <= 1) patternlessCount++;
    for (const endDay of toDays(daysBack)) {
      const score = scoreWeek(history, endDay, won >= 3, won <= 1);
      if (score !== null) scores.push(score);
    }
  }
  return { scores, strong: strongCount, patternless: patternlessCount };
}

function scoreWeek(
  history: TargetHistory,
  endDay: number,
  strong: boolean,
  patternless: boolean,
): ScoredAdvice | null {
  const before = history.hours.filter(({ day }) => day < endDay);
  const counts = countWeek(history, endDay);
  const profile = history.profileOn(endDay);
  const best = bestWindow(profile, ALL_DAYS, WISH);
  if (best === null || before.length < 50) return null;
  const shares = listStarts(WISH).map((from) =>
    shareIn(counts, hoursOf({ days: ALL_DAYS, from, lengthHours: 3 })),
  );
  if (shares.some((share) => share === null)) return null;
  const advice = adviseTarget(history, endDay, WISH);
  const advised = advice.windows.length > 0 ? advice.windows.flatMap(hoursOf) : hoursOf(best);
  const plainFrom = bestPlain(before, endDay);
  return {
    name: `${history.model} @ ${history.endpoint}`,
    endDay,
    advice,
    inWindow: shareIn(counts, advised) ?? 0,
    plainInWindow: shares[plainFrom] ?? 0,
    mean: sum(counts.k) / sum(counts.n),
    oracle: Math.min(...(shares as number[])),
    strong,
    patternless,
    covered: advice.windows.flatMap((window) => {
      const share = shareIn(counts, hoursOf(window));
      return share === null ? [] : [share >= window.low && share <= window.high];
    }),
    coveredAll: coverAll(history, endDay, counts),
  };
}

/** Whether the intervals of all 24 daily windows hold what came. */
function coverAll(history: TargetHistory, endDay: number, counts: WeekCounts): boolean[] {
  const backtest = backtestWindows(history, endDay, WISH);
  const spread = spreadOf(backtest);
  const profile = history.profileOn(endDay);
  return listStarts(WISH).flatMap((from) => {
    const hours = hoursOf({ days: ALL_DAYS, from, lengthHours: 3 });
    const { k, n } = countIn(counts, hours);
    if (n === 0) return [];
    const { low, high } = predictInterval(expectedShare(profile, hours), spread);
    return [k / n >= low && k / n <= high];
  });
}

/** A decayed hour-of-day profile with neighbours, and nothing else: what is to be beaten. */
function plainProfile(hours: readonly DayHour[], endDay: number): { rates: number[]; level: number } {
  const k = new Array<number>(HOURS).fill(0);
  const n = new Array<number>(HOURS).fill(0);
  for (const hour of hours) {
    const weight = 2 ** (-(endDay - hour.day) / 14);
    k[hour.hour] = (k[hour.hour] ?? 0) + weight * hour.k;
    n[hour.hour] = (n[hour.hour] ?? 0) + weight * hour.n;
  }
  const level = (sum(k) + 0.5) / (sum(n) + 10);
  const around = (values: readonly number[], at: number) =>
    (values[at] ?? 0) + 0.5 * ((values[(at + 1) % HOURS] ?? 0) + (values[(at + 23) % HOURS] ?? 0));
  return { level, rates: k.map((_, at) => (around(k, at) + 20 * level) / (around(n, at) + 20)) };
}

function bestPlain(hours: readonly DayHour[], endDay: number): number {
  const { rates } = plainProfile(hours, endDay);
  const sums = rates.map((_, at) =>
    [0, 1, 2].reduce((total, i) => total + (rates[(at + i) % HOURS] ?? 0), 0),
  );
  return sums.indexOf(Math.min(...sums));
}

/** Whether the plain profile of the time before tells the week after better than the flat mean, by log loss. */
function beatsFlat(hours: readonly DayHour[], endDay: number): boolean {
  const { rates, level } = plainProfile(
    hours.filter(({ day }) => day < endDay),
    endDay,
  );
  let gain = 0;
  for (const { day, hour, k, n } of hours) {
    if (day < endDay || day >= endDay + 7) continue;
    const [p, q] = [bound(rates[hour] ?? level), bound(level)];
    gain += k * Math.log(p / q) + (n - k) * Math.log((1 - p) / (1 - q));
  }
  return gain > 0;
}

function bound(share: number): number {
  return Math.min(0.999, Math.max(0.0005, share));
}
