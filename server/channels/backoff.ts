const MINUTE_MS = 60_000;
const LONGEST_MS = 10 * MINUTE_MS;

/**
 * How long to wait after a failure: doubled from try to try, up to ten minutes, by up to a fifth less so that channels
 * that failed together do not come back together.
 *
 * @param tries failed ones, from 1
 * @param random in [0, 1)
 */
export function pauseAfter(tries: number, firstMs: number, random: number): number {
  const wholeMs = Math.min(LONGEST_MS, firstMs * 2 ** Math.min(tries - 1, 20));
  return Math.round(wholeMs * (1 - 0.2 * random));
}
