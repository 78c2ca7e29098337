/** Nobody comes back sooner than this, whatever the jitter says. */
export const FLOOR_MS = 50;
/** A server's own fault passes sooner than a lack of room. */
export const TRANSIENT_BASE_RATIO = 0.25;

/**
 * Milliseconds before the same target is asked again: exponential with full jitter, so that callers who failed together
 * do not come back together. Lies in `[50, 50 + min(cap, base · 2^failures)]`.
 *
 * @param failures how often the target had failed in this request before this failure, from 0
 */
export function getBackoffMs(
  failures: number,
  { baseMs, capMs }: { readonly baseMs: number; readonly capMs: number },
  random: () => number,
): number {
  return FLOOR_MS + random() * Math.min(capMs, baseMs * 2 ** Math.min(failures, 30));
}
