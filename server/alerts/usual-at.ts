import { offsetMsAt } from "../time/zone.ts";
import type { Usual } from "./detect/types.ts";
import type { UsualBook } from "./usual-job.ts";

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;
/** 1 January 1970 was a Thursday. */
const FIRST_HOUR = 72;

/** Zones are a multiple of it away from UTC, and change at multiples of it. */
const QUARTER_MS = 900_000;

/** The hour of the week of an instant on a zone's wall. Zones are dear to ask, so answers are kept. */
export function hourOfWeekAt(zone: string): (ms: number) => number {
  const known = new Map<number, number>();
  return (ms) => {
    const quarter = Math.floor(ms / QUARTER_MS);
    let hour = known.get(quarter);
    if (hour === undefined) {
      hour = (Math.floor((ms + offsetMsAt(zone, ms)) / HOUR_MS) + FIRST_HOUR) % WEEK_HOURS;
      known.set(quarter, hour);
    }
    return hour;
  };
}

export interface UsualFinder {
  readonly madeMs: number | null;
  /** `null`: it is not known. */
  find(countedKey: string, groupKey: string, hourOfWeek: number): Usual | null;
}

/** Looks up what is usual; before anything was learnt nothing is. */
export function createUsualFinder(book: UsualBook | null): UsualFinder {
  return {
    madeMs: book?.madeMs ?? null,
    find(countedKey, groupKey, hourOfWeek) {
      const week = book?.weeks.get(countedKey)?.get(groupKey);
      if (week === undefined) return null;
      const { shares, calls, spread } = week;
      return { share: shares[hourOfWeek] ?? 0, n: calls[hourOfWeek] ?? 0, spread };
    },
  };
}

/** What is usual at an instant. */
export function usualAt(finder: UsualFinder, zone: string) {
  const hourOf = hourOfWeekAt(zone);
  return (countedKey: string, groupKey: string, ms: number) => finder.find(countedKey, groupKey, hourOf(ms));
}
