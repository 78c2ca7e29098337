import { WEEK_HOURS } from "../profile/day-hours.ts";
import type { Profile } from "../profile/estimate-profile.ts";
import { adviseProfile, daysMissing, type TargetAdvice } from "./advise-target.ts";
import { backtestWeeks, countWeek } from "./backtest.ts";
import { hoursOf, type WindowWish } from "./choose-window.ts";
import type { TargetHistory } from "./target-history.ts";

/** Advice for work that any of several targets may do, and which of them would do it. */
export interface AnyAdvice extends Omit<TargetAdvice, "moreDays" | "repeatability"> {
  /** Places in the histories of those that have most room in some hour of the windows, most hours first. */
  readonly use: readonly number[];
}

interface Picked {
  readonly profile: Profile;
  /** By hour of week: the place of the target that is expected to have most room. */
  readonly picks: readonly number[];
}

/**
 * When to run what any of these targets may do: in each hour the one that is expected to have most room does it.
 *
 * Weeks before are scored on those targets that would have been picked before them, not on those that did best.
 *
 * @returns `null` where fewer than two targets have enough calls
 */
export function adviseAny(
  histories: readonly TargetHistory[],
  endDay: number,
  wish: WindowWish,
): AnyAdvice | null {
  const known = histories.filter((history) => daysMissing(history, endDay) === 0);
  if (known.length < 2) return null;
  const { profile, picks } = pickOn(known, endDay);
  const repeats = known.some((history) => history.repeatabilityOn(endDay).repeats);
  const firstDay = Math.max(...known.map(({ hours }) => hours[0]?.day ?? endDay));
  const advice = adviseProfile(profile, repeats, wish, () =>
    backtestWeeks(firstDay, endDay, wish, (monday) => {
      const picked = pickOn(known, monday);
      const counts = known.map((history) => countWeek(history, monday));
      const at = (kind: "k" | "n") => picked.picks.map((place, hour) => counts[place]?.[kind][hour] ?? 0);
      return { profile: picked.profile, counts: { k: at("k"), n: at("n") } };
    }),
  );
  const hours = advice.windows.flatMap(hoursOf);
  const timesOf = (place: number) => hours.filter((hour) => picks[hour] === place).length;
  const use = [...new Set(hours.map((hour) => picks[hour] ?? 0))].sort((a, b) => timesOf(b) - timesOf(a));
  return { ...advice, use: use.map((place) => histories.indexOf(known[place] as TargetHistory)) };
}

function pickOn(histories: readonly TargetHistory[], endDay: number): Picked {
  const profiles = histories.map((history) => history.profileOn(endDay));
  const hours = Array.from({ length: WEEK_HOURS }, (_, hour) => hour);
  const picks = hours.map((hour) => {
    const rates = profiles.map(({ rates: ofTarget }) => ofTarget[hour] ?? 1);
    return rates.indexOf(Math.min(...rates));
  });
  const ofPicked = (part: "rates" | "traffic" | "calls") =>
    picks.map((place, hour) => profiles[place]?.[part][hour] ?? 0);
  const traffic = hours.map((hour) => profiles.reduce((sum, one) => sum + (one.traffic[hour] ?? 0), 0));
  return { profile: { rates: ofPicked("rates"), traffic, calls: ofPicked("calls") }, picks };
}
