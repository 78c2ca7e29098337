import { HOURS, WEEK_HOURS } from "../profile/day-hours.ts";
import type { Profile } from "../profile/estimate-profile.ts";
import { predictInterval, spreadOf } from "../profile/predict-share.ts";
import type { Repeatability } from "../profile/repeatability.ts";
import { type BacktestWeek, backtestWindows } from "./backtest.ts";
import {
  type AvoidanceWindow,
  chooseDailyWindows,
  chooseWeeklyWindow,
  expectedShare,
  hoursOf,
  type WindowWish,
} from "./choose-window.ts";
import { LOOKBACK_DAYS, type TargetHistory } from "./target-history.ts";

export type Verdict = "advise" | "noGain" | "tooLittleData" | "noPattern";

export interface AdvisedWindow extends AvoidanceWindow {
  /** Share of calls that will find no room in it next week, and where nine of ten weeks lie. */
  readonly expected: number;
  readonly low: number;
  readonly high: number;
  /** The same of all hours. */
  readonly usual: number;
  /** The same of the window of equal length that is worst. */
  readonly worst: number;
  /** Calls in the window that this was learnt from. */
  readonly n: number;
}

export interface TargetAdvice {
  readonly verdict: Verdict;
  /** Days until there is enough to say something; 0 where there is. */
  readonly moreDays: number;
  readonly usual: number | null;
  readonly windows: readonly AdvisedWindow[];
  /** For what runs once a week: the window of one day that is best. */
  readonly weekly: AdvisedWindow | null;
  readonly repeatability: Repeatability | null;
  readonly backtest: readonly BacktestWeek[];
}

const LEAST_SPAN_DAYS = 14;
const LEAST_DAYS = 10;
const LEAST_CALLS = 200;
/** A window that is better by less is not worth changing anything for: 0.2 points, and a fifth of what is usual. */
const LEAST_GAIN = 0.002;
const LEAST_GAIN_RATIO = 0.2;

/**
 * When to run what can wait, or why nothing is said, by what was known before `endDay`.
 *
 * @see docs/advice.md
 */
export function adviseTarget(history: TargetHistory, endDay: number, wish: WindowWish): TargetAdvice {
  const nothing = { usual: null, windows: [], weekly: null, repeatability: null, backtest: [] };
  const moreDays = daysMissing(history, endDay);
  if (moreDays > 0) return { verdict: "tooLittleData", moreDays, ...nothing };
  const repeatability = history.repeatabilityOn(endDay);
  const advice = adviseProfile(history.profileOn(endDay), repeatability.repeats, wish, () =>
    backtestWindows(history, endDay, wish),
  );
  return { moreDays: 0, repeatability, ...advice };
}

/** The verdict on a profile of which it is known whether it repeats. */
export function adviseProfile(
  profile: Profile,
  repeats: boolean,
  wish: WindowWish,
  backtestIt: () => BacktestWeek[],
): Omit<TargetAdvice, "moreDays" | "repeatability"> {
  const usual = expectedShare(profile, Array(WEEK_HOURS).keys());
  const chosen = chooseDailyWindows(profile, wish);
  const expected = expectedShare(profile, chosen.flatMap(hoursOf));
  const nothing = { usual, windows: [], weekly: null, backtest: [] };
  const isSmall = usual - expected < Math.max(LEAST_GAIN, LEAST_GAIN_RATIO * usual);
  if (chosen.length === 0 || usual < LEAST_GAIN || (repeats && isSmall))
    return { verdict: "noGain", ...nothing };
  if (!repeats) return { verdict: "noPattern", ...nothing };
  const backtest = backtestIt();
  const spread = spreadOf(backtest);
  const worst = worstShare(profile, wish.lengthHours);
  const describe = (window: AvoidanceWindow & { expected: number }): AdvisedWindow => {
    const n = hoursOf(window).reduce((calls, at) => calls + (profile.calls[at] ?? 0), 0);
    return { ...window, ...predictInterval(window.expected, spread), usual, worst, n };
  };
  const weekly = chooseWeeklyWindow(profile, wish);
  return {
    verdict: "advise",
    usual,
    windows: chosen.map(describe),
    weekly: weekly === null ? null : describe(weekly),
    backtest,
  };
}

/** The highest expected share of a stretch of so many hours, every day of the week. */
function worstShare(profile: Profile, lengthHours: number): number {
  let worst = 0;
  for (let from = 0; from < HOURS; from++) {
    const hours = Array.from({ length: 7 }, (_, day) =>
      Array.from({ length: lengthHours }, (_, i) => (day * HOURS + from + i) % WEEK_HOURS),
    );
    worst = Math.max(worst, expectedShare(profile, hours.flat()));
  }
  return worst;
}

/** About how many more days of calls are needed: of time, of days with calls, and of calls. */
export function daysMissing({ hours }: TargetHistory, endDay: number): number {
  const seen = hours.filter(({ day }) => day < endDay && day >= endDay - LOOKBACK_DAYS);
  const first = seen[0];
  if (first === undefined) return LEAST_SPAN_DAYS;
  const span = endDay - first.day;
  const days = new Set(seen.map(({ day }) => day)).size;
  const calls = seen.reduce((sum, { n }) => sum + n, 0);
  const perDay = calls / span;
  return Math.max(
    0,
    LEAST_SPAN_DAYS - span,
    Math.ceil((LEAST_DAYS - days) * (span / days)),
    Math.ceil((LEAST_CALLS - calls) / perDay),
  );
}
