import { wilsonInterval } from "../../capacity/cell.ts";
import { createChart, isBad } from "./chart.ts";
import { type Detector, SLOT_MS } from "./types.ts";

/** Evidence at which it fires; it adds up to twice as much while the other tests are not passed. */
const FIRES_AT = 4.25;
const LEAST_ERRORS = 3;
/** A single bad moment, however bad, is what `fastRise` is for. */
const LEAST_BAD_SLOTS = 3;
const LEAST_MS = 30 * 60_000;
/** 95 % point of the normal distribution, one-sided. */
const Z_95 = 1.645;
const LEAST_SHARE = 0.05;
const TIMES_USUAL = 2.5;

/**
 * Far above what is usual at this hour of the week: a Bernoulli CUSUM of the usual share against five times its odds,
 * discounted for how alike calls of one hour are. What adds up must also have lasted, be bad still, and be bad enough to
 * be told of.
 *
 * @see docs/alerts.md#learnt
 * Source: M. R. Reynolds, Z. G. Stoumbos, Journal of Quality Technology 31 (1999), 87-108.
 */
export function createLearnt(): Detector {
  return createChart({
    cap: 2 * FIRES_AT,
    raises({ rise, k, n, expected, badSlots, slots, sinceMs }, expectation) {
      const last = slots.at(-1);
      if (rise < FIRES_AT || sinceMs === null || last === undefined) return false;
      if (k < LEAST_ERRORS || badSlots < LEAST_BAD_SLOTS) return false;
      if (last[0] - sinceMs < LEAST_MS - SLOT_MS || !isBad({ k: last[1], n: last[2] }, expectation))
        return false;
      return wilsonInterval(k, n, Z_95).low > Math.max(LEAST_SHARE, (TIMES_USUAL * expected) / n);
    },
  });
}
