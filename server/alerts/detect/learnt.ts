import { wilsonInterval } from "../../capacity/cell.ts";
import { createChart } from "./chart.ts";
import type { Detector } from "./types.ts";

/** Evidence at which it fires; it is kept up to twice as much while the other tests are not passed. */
const FIRES_AT = 5;
const LEAST_ERRORS = 3;
/** 95 % point of the normal distribution, one-sided. */
const Z_95 = 1.645;
const LEAST_SHARE = 0.05;
const TIMES_USUAL = 2;

/**
 * Far above what is usual at this hour of the week: a Bernoulli CUSUM of the usual share against five times its odds,
 * discounted for how alike calls of one hour are. What adds up must also be bad enough to be told of.
 *
 * @see docs/alerts.md#learnt
 * Source: M. R. Reynolds, Z. G. Stoumbos, Journal of Quality Technology 31 (1999), 87-108.
 */
export function createLearnt(): Detector {
  return createChart(({ rise, k, n, expected }) => {
    if (rise < FIRES_AT || k < LEAST_ERRORS) return false;
    return wilsonInterval(k, n, Z_95).low > Math.max(LEAST_SHARE, (TIMES_USUAL * expected) / n);
  }, 2 * FIRES_AT);
}
