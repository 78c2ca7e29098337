export const MINUTE_MS = 60_000;
export const QUARTER_MS = 15 * MINUTE_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 86_400_000;

/** The grains of the rollups, finest first. Each is made of the one before, the first of raw attempts. */
export const GRAINS = [
  { level: "1m", lengthMs: MINUTE_MS },
  { level: "15m", lengthMs: QUARTER_MS },
  { level: "1h", lengthMs: HOUR_MS },
  { level: "1d", lengthMs: DAY_MS },
] as const;

/** Name endings of the rollup tables. */
export type Level = (typeof GRAINS)[number]["level"];

/** How long 1-minute rollups are readable, in days. */
export const MINUTE_ROLLUP_DAYS = 14;
/** How long coarser rollups are kept, in days. */
export const ROLLUP_DAYS = 800;

export function floorTo(ms: number, grainMs: number): number {
  return Math.floor(ms / grainMs) * grainMs;
}

export function ceilTo(ms: number, grainMs: number): number {
  return Math.ceil(ms / grainMs) * grainMs;
}

/** Distinct starts of the coarser buckets around finer ones, ascending. */
export function bucketsAround(startsMs: readonly number[], grainMs: number): number[] {
  return [...new Set(startsMs.map((start) => floorTo(start, grainMs)))].sort((a, b) => a - b);
}

/**
 * First instant of which 1-minute rollups are complete: whole UTC days, so that a day either has all of its
 * minutes or is computed from raw.
 */
export function minutesKeptFrom(nowMs: number): number {
  return floorTo(nowMs, DAY_MS) - MINUTE_ROLLUP_DAYS * DAY_MS;
}
