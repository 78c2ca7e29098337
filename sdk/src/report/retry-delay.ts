const FIRST_CEILING_MS = 500;
const LAST_CEILING_MS = 30_000;
/** Nobody is asked to wait longer than this: a proxy's `Retry-After: 86400` would silence a source for a day. */
const LONGEST_ASKED_MS = 3_600_000;

/**
 * Milliseconds until the next try: exponential backoff with full jitter, so that many senders do not come back
 * together. What the server asked for is waited for in full, and the jitter is added to it.
 *
 * @param failures how many tries have failed in a row, from 1
 * @param askedMs what `Retry-After` said, or `null`
 */
export function getRetryDelayMs(failures: number, askedMs: number | null, random: () => number): number {
  const ceiling = Math.min(LAST_CEILING_MS, FIRST_CEILING_MS * 2 ** Math.min(failures - 1, 10));
  return Math.min(askedMs ?? 0, LONGEST_ASKED_MS) + Math.round(random() * ceiling);
}

/** Milliseconds of a `Retry-After` in seconds or as an HTTP date; `null` for anything else. */
export function parseRetryAfterMs(value: string | null, nowMs: number): number | null {
  if (value === null || value.trim() === "") return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds < 0 ? null : seconds * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
