import { HOURS, mondayOf, weekdayOf } from "../profile/day-hours.ts";
import type { Profile } from "../profile/estimate-profile.ts";
import type { PredictedWeek } from "../profile/predict-share.ts";
import { sum } from "../profile/sum.ts";
import {
  ALL_DAYS,
  chooseDailyWindows,
  expectedShare,
  hoursOf,
  listStarts,
  type WindowWish,
} from "./choose-window.ts";
import type { TargetHistory } from "./target-history.ts";

/** How the rule would have done in one week that it had not seen. */
export interface BacktestWeek extends PredictedWeek {
  /** First day of the ISO week. */
  readonly monday: number;
  /** Share in the windows that the rule would have named. */
  readonly inWindow: number;
  /** Share over all hours. */
  readonly usual: number;
  /** Share in the windows that were best in hindsight. */
  readonly oracle: number;
}

/** Days that must lie before a week for the rule to be run on it. */
const LEAST_DAYS_BEFORE = 14;
/** Calls that a week must have for its shares to say something. */
const LEAST_CALLS = 50;

/** k and n by hour of week. */
export interface WeekCounts {
  readonly k: readonly number[];
  readonly n: readonly number[];
}

/** The same rule run on every earlier whole week, and scored on what came; newest first. */
export function backtestWindows(history: TargetHistory, endDay: number, wish: WindowWish): BacktestWeek[] {
  const first = history.hours[0];
  if (first === undefined) return [];
  return backtestWeeks(first.day, endDay, wish, (monday) => {
    return { profile: history.profileOn(monday), counts: countWeek(history, monday) };
  });
}

/** @param weekOf what would have been expected before a week, and what it brought */
export function backtestWeeks(
  firstDay: number,
  endDay: number,
  wish: WindowWish,
  weekOf: (monday: number) => { readonly profile: Profile; readonly counts: WeekCounts },
): BacktestWeek[] {
  const weeks: BacktestWeek[] = [];
  for (let monday = mondayOf(endDay) - 7; monday - firstDay >= LEAST_DAYS_BEFORE; monday -= 7) {
    if (endDay - monday > MOST_WEEKS * 7) break;
    const { profile, counts } = weekOf(monday);
    if (sum(counts.n) < LEAST_CALLS) continue;
    const week = scoreWeek(profile, counts, wish, monday);
    if (week !== null) weeks.push(week);
  }
  return weeks;
}

const MOST_WEEKS = 8;

function scoreWeek(
  profile: Profile,
  counts: WeekCounts,
  wish: WindowWish,
  monday: number,
): BacktestWeek | null {
  const chosen = chooseDailyWindows(profile, wish);
  const inWindow = shareIn(counts, chosen.flatMap(hoursOf));
  const predictions = listStarts(wish).map((from) => {
    const hours = hoursOf({ days: ALL_DAYS, from, lengthHours: wish.lengthHours });
    return { expected: expectedShare(profile, hours), ...countIn(counts, hours) };
  });
  const shares = predictions.filter(({ n }) => n > 0).map(({ k, n }) => k / n);
  if (inWindow === null || shares.length === 0) return null;
  return {
    monday,
    inWindow,
    usual: sum(counts.k) / sum(counts.n),
    oracle: Math.min(...shares, inWindow),
    // Of every daily window that could have been named.
    predictions,
    hoursSeen: counts.n.filter((n) => n > 0).length,
  };
}

export function countWeek({ hours }: Pick<TargetHistory, "hours">, monday: number): WeekCounts {
  const k = new Array<number>(7 * HOURS).fill(0);
  const n = new Array<number>(7 * HOURS).fill(0);
  for (const hour of hours) {
    if (hour.day < monday || hour.day >= monday + 7) continue;
    const at = weekdayOf(hour.day) * HOURS + hour.hour;
    k[at] = (k[at] ?? 0) + hour.k;
    n[at] = (n[at] ?? 0) + hour.n;
  }
  return { k, n };
}

export function countIn({ k, n }: WeekCounts, hours: readonly number[]): { k: number; n: number } {
  let [errors, calls] = [0, 0];
  for (const at of hours) {
    errors += k[at] ?? 0;
    calls += n[at] ?? 0;
  }
  return { k: errors, n: calls };
}

export function shareIn(counts: WeekCounts, hours: readonly number[]): number | null {
  const { k, n } = countIn(counts, hours);
  return n === 0 ? null : k / n;
}
