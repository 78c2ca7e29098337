import { HOURS, WEEK_HOURS } from "../profile/day-hours.ts";
import type { Profile } from "../profile/estimate-profile.ts";

/** The same hours on some days of the week. */
export interface AvoidanceWindow {
  /** Days on which it opens, 0 = Monday, ascending. */
  readonly days: readonly number[];
  /** Hour at which it opens, 0–23. */
  readonly from: number;
  readonly lengthHours: number;
}

export interface WindowWish {
  readonly lengthHours: number;
  /** Hours of the day in which work may run; a window lies within them wholly. */
  readonly allowed: (hour: number) => boolean;
}

export const ALL_DAYS: readonly number[] = [0, 1, 2, 3, 4, 5, 6];
const WEEKDAYS: readonly number[] = [0, 1, 2, 3, 4];
const WEEKEND: readonly number[] = [5, 6];

/** Hours of the week that a window covers; past midnight they are the next day's. */
export function hoursOf({ days, from, lengthHours }: AvoidanceWindow): number[] {
  return days.flatMap((day) =>
    Array.from({ length: lengthHours }, (_, i) => (day * HOURS + from + i) % WEEK_HOURS),
  );
}

/** Expected share of the calls in these hours of the week, each hour weighed by its usual traffic. */
export function expectedShare({ rates, traffic }: Profile, hours: Iterable<number>): number {
  let errors = 0;
  let calls = 0;
  for (const at of hours) {
    errors += (rates[at] ?? 0) * (traffic[at] ?? 0);
    calls += traffic[at] ?? 0;
  }
  return calls === 0 ? 0 : errors / calls;
}

/** Hours at which a window may open. */
export function listStarts({ lengthHours, allowed }: WindowWish): number[] {
  return Array.from({ length: HOURS }, (_, from) => from).filter((from) =>
    Array.from({ length: lengthHours }, (_, i) => (from + i) % HOURS).every(allowed),
  );
}

/**
 * The window with the least expected share that opens on these days.
 *
 * @returns `null` where the allowed hours hold no window of this length; ties go to the earliest hour
 */
export function bestWindow(
  profile: Profile,
  days: readonly number[],
  wish: WindowWish,
): (AvoidanceWindow & { expected: number }) | null {
  let best: (AvoidanceWindow & { expected: number }) | null = null;
  for (const from of listStarts(wish)) {
    const window = { days, from, lengthHours: wish.lengthHours };
    const expected = expectedShare(profile, hoursOf(window));
    if (best === null || expected < best.expected - 1e-12) best = { ...window, expected };
  }
  return best;
}

/** The window with the least expected share that opens once in the week; `null` where the allowed hours hold none. */
export function chooseWeeklyWindow(
  profile: Profile,
  wish: WindowWish,
): (AvoidanceWindow & { expected: number }) | null {
  const ofDays = ALL_DAYS.flatMap((day) => bestWindow(profile, [day], wish) ?? []);
  return ofDays.sort((a, b) => a.expected - b.expected)[0] ?? null;
}

/** Another window for weekends must take away at least this share of what the common one leaves. */
const WORTH_A_SPLIT = 0.25;

/**
 * A window for every day: one for all, or one for weekdays and one for weekends where that is worth being two.
 *
 * @returns the best first; none where the allowed hours hold no window
 */
export function chooseDailyWindows(
  profile: Profile,
  wish: WindowWish,
): (AvoidanceWindow & { expected: number })[] {
  const common = bestWindow(profile, ALL_DAYS, wish);
  const weekdays = bestWindow(profile, WEEKDAYS, wish);
  const weekend = bestWindow(profile, WEEKEND, wish);
  if (common === null || weekdays === null || weekend === null) return [];
  const split = expectedShare(profile, [...hoursOf(weekdays), ...hoursOf(weekend)]);
  if (common.expected - split < WORTH_A_SPLIT * common.expected) return [common];
  return [weekdays, weekend].sort((a, b) => a.expected - b.expected);
}
