import { wilsonInterval } from "../../capacity/cell.ts";
import { createChart } from "./chart.ts";
import type { Detector, KeptSlots } from "./types.ts";
import { SLOT_MS } from "./types.ts";

const LEAST_ERRORS = 5;
/** 95 % point of the normal distribution, one-sided. */
const Z_95 = 1.645;
const LEAST_SHARE = 0.2;
const TIMES_USUAL = 4;
/** The rising chart only dates the start here. */
const CAP = 10;

/**
 * A jump within the last five minutes: enough errors, and even the lower bound of their share far above what is usual.
 * It ends as `learnt` does.
 *
 * @see docs/alerts.md#fast-rise
 */
export function createFastRise(): Detector {
  return createChart(({ slots }, { usual }) => {
    const limit = Math.max(LEAST_SHARE, TIMES_USUAL * usual);
    return lastMinutes(slots).some(({ k, n }) => k >= LEAST_ERRORS && wilsonInterval(k, n, Z_95).low > limit);
  }, CAP);
}

/** The last slot, and it with the one before: a slot that has just begun holds few calls. */
function lastMinutes(slots: KeptSlots): { k: number; n: number }[] {
  const [last, before] = [slots.at(-1), slots.at(-2)];
  if (last === undefined) return [];
  const one = { k: last[1], n: last[2] };
  if (before === undefined || last[0] - before[0] > SLOT_MS) return [one];
  return [one, { k: one.k + before[1], n: one.n + before[2] }];
}
