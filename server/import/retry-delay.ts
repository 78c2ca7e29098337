import { parseRetryAfterMs } from "@busyhour/sdk";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 15_000;

/** All waiting for one batch; then the import fails and says so. */
export const MAX_WAIT_MS = 120_000;

/**
 * How long to wait before trying again: what `Retry-After` (seconds or an HTTP date) asks for, else twice as long
 * each time, half of it at random so that several importers do not come back together.
 *
 * @param tries how many have failed, from 1
 */
export function getRetryDelayMs(
  tries: number,
  retryAfter: string | null,
  nowMs: number,
  random: () => number = Math.random,
): number {
  const asked = parseRetryAfterMs(retryAfter, nowMs);
  if (asked !== null) return asked;
  const ceiling = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (tries - 1));
  return Math.round(ceiling / 2 + (random() * ceiling) / 2);
}
