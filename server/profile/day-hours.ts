import { offsetMsAt } from "../time/zone.ts";

/** k of n calls found no room in a quarter-hour. Quarter-hours without calls are left out: a gap is a gap. */
export interface Quarter {
  /** Epoch milliseconds, on the grid of quarter-hours. */
  readonly startMs: number;
  readonly k: number;
  readonly n: number;
}

/** The calls of one hour of one day on a zone's wall: what all estimates are made of. */
export interface DayHour {
  /** Days from 1970-01-01 to the local date. */
  readonly day: number;
  /** 0–23. Where clocks go back, both hours of one name are in the same one. */
  readonly hour: number;
  readonly k: number;
  readonly n: number;
}

export const HOURS = 24;
export const WEEK_HOURS = 168;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Milliseconds on the wall of a zone at the start of a quarter-hour. Zones are dear to ask, so they are asked once a day,
 * and by the quarter-hour only on days on which clocks change.
 */
export function createWall(zone: string): (quarterMs: number) => number {
  const ofDays = new Map<number, number | null>();
  const ofQuarters = new Map<number, number>();
  return (quarterMs) => {
    const day = Math.floor(quarterMs / DAY_MS);
    let offset = ofDays.get(day);
    if (offset === undefined) {
      const first = offsetMsAt(zone, day * DAY_MS);
      offset = first === offsetMsAt(zone, (day + 1) * DAY_MS) ? first : null;
      ofDays.set(day, offset);
    }
    if (offset !== null) return quarterMs + offset;
    let exact = ofQuarters.get(quarterMs);
    if (exact === undefined) {
      exact = offsetMsAt(zone, quarterMs);
      ofQuarters.set(quarterMs, exact);
    }
    return quarterMs + exact;
  };
}

/** Adds quarter-hours up to hours on the wall, in order of time; hours without calls are left out. */
export function toDayHours(quarters: Iterable<Quarter>, wallMsAt: (quarterMs: number) => number): DayHour[] {
  const sums = new Map<number, { day: number; hour: number; k: number; n: number }>();
  for (const { startMs, k, n } of quarters) {
    if (n <= 0) continue;
    const wallHour = Math.floor(wallMsAt(startMs) / HOUR_MS);
    const sum = sums.get(wallHour);
    if (sum === undefined) {
      const day = Math.floor(wallHour / HOURS);
      sums.set(wallHour, { day, hour: wallHour - day * HOURS, k, n });
    } else {
      sum.k += k;
      sum.n += n;
    }
  }
  return [...sums.entries()].sort(([a], [b]) => a - b).map(([, sum]) => sum);
}

/** The local day of an instant, as in `DayHour`. */
export function dayAt(wallMs: number): number {
  return Math.floor(wallMs / DAY_MS);
}

/** 0 = Monday. 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** First day of the ISO week that the day is in. */
export function mondayOf(day: number): number {
  return day - weekdayOf(day);
}
