import {
  createWall,
  type DayHour,
  HOURS,
  type Quarter,
  toDayHours,
  weekdayOf,
} from "../profile/day-hours.ts";
import { estimateProfile } from "../profile/estimate-profile.ts";
import { weighEvidence } from "../profile/evidence.ts";

/** What is usual of one group, by hour of the week: 0 = Monday 00:00 on the wall. */
export interface UsualWeek {
  /** Expected share, 168 values. */
  readonly shares: readonly number[];
  /** Calls that each rests on. */
  readonly calls: readonly number[];
  /** How alike calls of one hour are, 0–1. */
  readonly spread: number;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const QUARTER_MS = 900_000;
/** On so many days, and such a part of them, episodes are how a target is, whenever they come: else each would be news. */
const OF_ALL_DAYS = { least: 4, share: 0.25 };

/**
 * What is usual of a group on `endDay`, by the days before it.
 *
 * Episodes are left out where they are exceptions: last week's outage must not hide the next one. A rush that comes every
 * day is an episode every day, and usual; where many days have one, whenever it comes, none is an exception.
 *
 * @param quarters of the earlier weeks, in order of time
 * @param wallAt of the zone: dear to ask, so that groups share it
 * @returns `null`: nothing is known
 */
export function learnUsual(
  quarters: readonly Quarter[],
  episodes: readonly Span[],
  zone: string,
  endDay: number,
  wallAt = createWall(zone),
): UsualWeek | null {
  const isShort = (startMs: number) =>
    episodes.some(({ fromMs, toMs }) => fromMs < startMs + QUARTER_MS && toMs > startMs);
  const tagged = quarters.map((quarter) => ({ ...quarter, isShort: isShort(quarter.startMs) }));
  const shortQuarters = tagged.filter((quarter) => quarter.isShort);
  const countDays = (some: readonly Quarter[]) =>
    new Set(some.map(({ startMs }) => toHour(wallAt(startMs)).day)).size;
  const shortDays = countDays(shortQuarters);
  const areMany = shortDays >= OF_ALL_DAYS.least && shortDays >= OF_ALL_DAYS.share * countDays(quarters);
  const isUsual = findUsualEpisodes(toDayHours(tagged, wallAt), toDayHours(shortQuarters, wallAt));
  const kept = tagged.filter(
    ({ isShort, startMs }) => !isShort || areMany || isUsual(toHour(wallAt(startMs))),
  );
  const hours = toDayHours(kept, wallAt).filter(({ day }) => day < endDay);
  if (hours.length === 0) return null;
  const evidence = weighEvidence(hours, endDay);
  const { rates, calls } = estimateProfile(hours, endDay, null, evidence);
  return { shares: rates, calls, spread: evidence.correlation };
}

interface HourOfDay {
  readonly day: number;
  readonly hour: number;
}

function toHour(wallMs: number): HourOfDay {
  const wallHour = Math.floor(wallMs / 3_600_000);
  const day = Math.floor(wallHour / HOURS);
  return { day, hour: wallHour - day * HOURS };
}

/** At least so often, and in such a part of the weeks or days, an episode at an hour is how that hour is. */
const OF_WEEKS = { least: 2, share: 0.5 };
const OF_DAYS = { least: 3, share: 0.25 };

function findUsualEpisodes(
  seen: readonly DayHour[],
  short: readonly DayHour[],
): (hour: HourOfDay) => boolean {
  const countBy = (hours: readonly HourOfDay[], keyOf: (hour: HourOfDay) => number) => {
    const counts = new Map<number, number>();
    for (const hour of hours) counts.set(keyOf(hour), (counts.get(keyOf(hour)) ?? 0) + 1);
    return counts;
  };
  const ofWeek = ({ day, hour }: HourOfDay) => weekdayOf(day) * HOURS + hour;
  const ofKind = ({ day, hour }: HourOfDay) => (weekdayOf(day) >= 5 ? HOURS : 0) + hour;
  const rules = [
    { keyOf: ofWeek, ...OF_WEEKS },
    { keyOf: ofKind, ...OF_DAYS },
  ].map((rule) => ({ ...rule, all: countBy(seen, rule.keyOf), some: countBy(short, rule.keyOf) }));
  return (hour) =>
    rules.some(({ keyOf, least, share, all, some }) => {
      const key = keyOf(hour);
      const count = some.get(key) ?? 0;
      return count >= least && count >= share * (all.get(key) ?? 0);
    });
}
