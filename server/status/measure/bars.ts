import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../rollup/levels.ts";
import { localDateAt, nextDate, offsetMsAt, startOfDate } from "../../time/zone.ts";
import { GAP, type QuarterLevels } from "./quarter-levels.ts";

export const RANGES = ["24h", "7d", "90d"] as const;
export type RangeName = (typeof RANGES)[number];

/** The slots of a range; the last one is going on. */
export interface SlotGrid {
  readonly range: RangeName;
  /** Start of each, and the end of the last, ascending. */
  readonly edgesMs: readonly number[];
  readonly nowMs: number;
}

const BARS = { "24h": 48, "7d": 84, "90d": 90 } as const;
const HALF_HOUR_MS = 30 * MINUTE_MS;
const TWO_HOURS_MS = 2 * HOUR_MS;

/** 48 half-hours, 84 times two hours, or 90 days on the zone's wall, up to the one that goes on. */
export function makeGrid(range: RangeName, zone: string, nowMs: number): SlotGrid {
  const count = BARS[range];
  if (range === "90d") {
    let date = localDateAt(zone, nowMs - (count - 1) * DAY_MS);
    const edgesMs: number[] = [];
    for (let i = 0; i <= count; i++, date = nextDate(date)) edgesMs.push(startOfDate(zone, date));
    return { range, edgesMs, nowMs };
  }
  const lengthMs = range === "24h" ? HALF_HOUR_MS : TWO_HOURS_MS;
  const offsetMs = offsetMsAt(zone, nowMs);
  const lastMs = Math.floor((nowMs + offsetMs) / lengthMs) * lengthMs - offsetMs;
  return {
    range,
    edgesMs: Array.from({ length: count + 1 }, (_, i) => lastMs + (i - count + 1) * lengthMs),
    nowMs,
  };
}

/** How a slot went: how long each level held, in milliseconds. */
export interface Bar {
  readonly fromMs: number;
  readonly toMs: number;
  /** By level: available, busy, very busy, unavailable, maintenance. */
  readonly levelMs: readonly number[];
  /** Of which nothing is known. */
  readonly gapMs: number;
  readonly isOpen: boolean;
}

const KINDS = 5;

export function toBars({ fromMs, levels }: QuarterLevels, { edgesMs, nowMs }: SlotGrid): Bar[] {
  return edgesMs.slice(0, -1).map((start, i) => {
    const end = edgesMs[i + 1] ?? start;
    const isOpen = end > nowMs;
    const toMs = isOpen ? nowMs : end;
    const levelMs = new Array<number>(KINDS).fill(0);
    let gapMs = 0;
    const firstMs = Math.floor(start / QUARTER_MS) * QUARTER_MS;
    for (let ms = firstMs; ms < toMs; ms += QUARTER_MS) {
      const lengthMs = Math.min(toMs, ms + QUARTER_MS) - Math.max(start, ms);
      const level = levels[Math.round((ms - fromMs) / QUARTER_MS)] ?? GAP;
      if (level === GAP) gapMs += lengthMs;
      else levelMs[level] = (levelMs[level] ?? 0) + lengthMs;
    }
    return { fromMs: start, toMs: end, levelMs, gapMs, isOpen };
  });
}

/** Share of the known time in which it was available; maintenance counts for neither. `null`: nothing is known. */
export function availableShare(bars: readonly Bar[]): number | null {
  const sum = (pick: (bar: Bar) => number) => bars.reduce((total, bar) => total + pick(bar), 0);
  const good = sum(({ levelMs }) => levelMs[0] ?? 0);
  const known = sum(({ levelMs }) => levelMs.slice(0, KINDS - 1).reduce((total, ms) => total + ms, 0));
  return known === 0 ? null : good / known;
}
