import { wilsonInterval } from "../../capacity/cell.ts";
import { createChart, isBad } from "./chart.ts";
import type { Expectation } from "./expectation.ts";
import { isJump, noteWorst, REMEMBERS_MS } from "./jump.ts";
import { type ChartState, type Detector, SLOT_MS } from "./types.ts";

/** Evidence at which it fires; it adds up to twice as much while the other tests are not passed. */
const FIRES_AT = 4.75;
const LEAST_ERRORS = 3;
const LEAST_BAD_MOMENTS = 3;
const LEAST_MS = 30 * 60_000;
/** 95 % point of the normal distribution, one-sided. */
const Z_95 = 1.645;
const LEAST_SHARE = 0.06;
const TIMES_USUAL = 3;

/**
 * Far above what is usual at this hour of the week, whether it adds up over hours or jumps. One detector for both, so
 * that one trouble is one alert.
 *
 * @see docs/how-rules-judge.md#learnt
 */
export function createLearnt(): Detector {
  const raises = (state: ChartState, expectation: Expectation) => addsUp(state, expectation) || isJump(state);
  return createChart({ cap: 2 * FIRES_AT, raises, note: noteWorst }, REMEMBERS_MS);
}

/**
 * A Bernoulli CUSUM of the usual share against five times its odds, discounted for how alike calls of one hour are. What
 * adds up must also have lasted, be bad still, and be bad enough to be told of.
 *
 * Source: M. R. Reynolds, Z. G. Stoumbos, Journal of Quality Technology 31 (1999), 87-108.
 */
function addsUp(state: ChartState, expectation: Expectation): boolean {
  const { rise, k, n, expected, badMoments, slots, sinceMs } = state;
  const last = slots.at(-1);
  if (rise < FIRES_AT || sinceMs === null || last === undefined) return false;
  if (k < LEAST_ERRORS || badMoments < LEAST_BAD_MOMENTS) return false;
  const lastedMs = last[0] + SLOT_MS - sinceMs;
  if (lastedMs < LEAST_MS || !isBad({ k: last[1], n: last[2] }, expectation)) return false;
  return wilsonInterval(k, n, Z_95).low > Math.max(LEAST_SHARE, (TIMES_USUAL * expected) / n);
}
