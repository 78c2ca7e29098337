import { wilsonInterval } from "../../capacity/cell.ts";
import { createChart } from "./chart.ts";
import type { ChartState, Detector, KeptSlots, Slot } from "./types.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LEAST_ERRORS = 5;
/** 95 % point of the normal distribution, one-sided. */
const Z_95 = 1.645;
/** What even the lower bound must pass: of five minutes that are the worst in weeks, or else of two times five. */
const ONCE = { share: 0.25, timesUsual: 4 };
const TWICE = { share: 0.3, timesUsual: 3 };
/** Two slots with calls belong together that far apart: some are counted every quarter of an hour only. */
const TOGETHER_MS = 35 * MINUTE_MS;
const REMEMBERS_DAYS = 28;
/** Less is not worth remembering. */
const LEAST_WORST = 0.1;
/** The rising chart only dates the start here. */
const CAP = 10;

/**
 * A jump within the last five minutes: enough errors, and even the lower bound of their share far above what is usual.
 * Of what has such five minutes every few days they are no news: there it takes two in a row. It ends as `learnt` does.
 *
 * @see docs/alerts.md#fast-rise
 */
export function createFastRise(): Detector {
  const limitOf = ({ share, timesUsual }: typeof ONCE, usual: number) => Math.max(share, timesUsual * usual);
  return createChart(
    {
      cap: CAP,
      raises({ slots, worst }, { share }) {
        const last = slots.at(-1);
        if (last === undefined) return false;
        const once = lowOf(last[1], last[2]);
        const isWorst = keepDays(worst, last[0]).every(([, low]) => low < once);
        if (once > limitOf(ONCE, share) && isWorst) return true;
        return isTwice(slots, limitOf(TWICE, share));
      },
      note: noteWorst,
    },
    REMEMBERS_DAYS * DAY_MS,
  );
}

function lowOf(k: number, n: number): number {
  return k < LEAST_ERRORS ? 0 : wilsonInterval(k, n, Z_95).low;
}

function isTwice(slots: KeptSlots, limit: number): boolean {
  const [before, last] = slots.slice(-2);
  if (before === undefined || last === undefined || last[0] - before[0] > TOGETHER_MS) return false;
  const areBoth = [before, last].every(([, k, n]) => k > limit * n);
  return areBoth && lowOf(before[1] + last[1], before[2] + last[2]) > limit;
}

function noteWorst(worst: ChartState["worst"], { startMs, k, n }: Slot): ChartState["worst"] {
  const low = Math.round(1000 * lowOf(k, n)) / 1000;
  if (low < LEAST_WORST) return worst;
  const day = Math.floor(startMs / DAY_MS);
  const today = worst.at(-1)?.[0] === day ? (worst.at(-1)?.[1] ?? 0) : 0;
  const earlier = keepDays(worst, startMs).filter(([other]) => other < day);
  return [...earlier, [day, Math.max(today, low)]];
}

function keepDays(worst: ChartState["worst"], nowMs: number): ChartState["worst"] {
  return worst.filter(([day]) => day > Math.floor(nowMs / DAY_MS) - REMEMBERS_DAYS);
}
