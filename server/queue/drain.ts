/** Jobs that are to begin at about the same time. */
export interface DueCount {
  /** The earliest of them. */
  readonly atMs: number;
  readonly count: number;
}

/** The same, with how long one is said to take. */
export interface DueWork extends DueCount {
  readonly expectedMs: number;
}

/** How long jobs are said to take on average; `null` where there are none. */
export function meanExpected(dues: readonly DueWork[]): number | null {
  const count = dues.reduce((sum, due) => sum + due.count, 0);
  return count === 0 ? null : dues.reduce((sum, due) => sum + due.count * due.expectedMs, 0) / count;
}

/** Of what workers seem to be able to do, so much is counted on: they will find less room than they did. */
const COUNTED_ON = 0.8;

/**
 * Before when jobs must be due to be let go now, so that all of them begin in time at this pace: the most urgent first, each
 * needs the time of all before it.
 *
 * @param dues ascending
 * @param perMinute jobs that workers can do; 0: there are none, and nothing would be won
 * @returns `null` where there is time enough
 */
export function findDrainBefore(dues: readonly DueCount[], perMinute: number, nowMs: number): number | null {
  if (perMinute <= 0) return null;
  let before = 0;
  let drainBefore: number | null = null;
  for (const [i, { atMs, count }] of dues.entries()) {
    before += count;
    const neededMs = (before / (perMinute * COUNTED_ON)) * 60_000;
    if (atMs - neededMs > nowMs) continue;
    // All of this bucket, and nothing of the next one.
    drainBefore = Math.min(atMs + BUCKET_MS, (dues[i + 1]?.atMs ?? Number.POSITIVE_INFINITY) - 1);
  }
  return drainBefore;
}

/** How exactly the times are known. */
export const BUCKET_MS = 5 * 60_000;
