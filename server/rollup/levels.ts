/** The three grains of the rollups, finest first. Each is made of the one before, the first of raw attempts. */
export const MINUTE_MS = 60_000;
export const QUARTER_MS = 15 * MINUTE_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 86_400_000;

/** How long 1-minute rollups are readable, in days. */
export const MINUTE_ROLLUP_DAYS = 14;
/** How long 15-minute and 1-day rollups are kept, in days. */
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
