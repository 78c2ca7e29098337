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

/** Milliseconds on the wall of a zone at the start of a quarter-hour. Zones are dear to ask, so answers are kept. */
export function createWall(zone: string): (quarterMs: number) => number {
  const offsets = new Map<number, number>();
  return (quarterMs) => {
    let offset = offsets.get(quarterMs);
    if (offset === undefined) {
      offset = offsetMsAt(zone, quarterMs);
      offsets.set(quarterMs, offset);
    }
    return quarterMs + offset;
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
