import { wilsonInterval } from "../../capacity/cell.ts";
import type { Expectation } from "./expectation.ts";
import { type ChartState, type KeptSlots, SLOT_MS } from "./types.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Of two moments each must have so many. */
const LEAST_EACH = 2;
/** 95 % point of the normal distribution, one-sided. */
const Z_95 = 1.645;
/** What even the lower bound must pass: once, where it is the worst in weeks; or two times in a row. */
const ONCE = { share: 0.2, timesUsual: 6, errors: 6 };
const TWICE = { share: 0.3, timesUsual: 3, errors: 5 };
/** Of the last hour's twelve slots so many must have calls for one moment to say anything of the next. */
const SEEN_THROUGHOUT = 9;
/** Two moments belong together that far apart: some targets are called, or read, every quarter of an hour only. */
const TOGETHER_MS = 35 * MINUTE_MS;
export const REMEMBERS_MS = 28 * DAY_MS;
/** Less is not worth remembering. */
const LEAST_WORST = 0.1;

type Kept = KeptSlots[number];

/**
 * Whether the last minutes are a jump: enough errors, and even the lower bound of their share far above what is usual.
 * Of what has such minutes every few days they are no news; there, and where calls are few and far between, it takes two
 * such moments in a row.
 *
 * @see docs/how-rules-judge.md#fast-rise
 */
export function isJump({ slots, worst }: ChartState, { share }: Expectation): boolean {
  const last = slots.at(-1);
  if (last === undefined) return false;
  const limitOf = ({ share: least, timesUsual }: typeof ONCE) => Math.max(least, timesUsual * share);
  const low = lowestOf(slots);
  const isWorst = keepDays(worst, last[0]).every(([, other]) => other < low);
  if (low > limitOf(ONCE) && isWorst && slots.length >= SEEN_THROUGHOUT) return true;
  return isTwice(slots, limitOf(TWICE));
}

/** Notes the worst moment of each day. */
export function noteWorst(worst: ChartState["worst"], slots: KeptSlots): ChartState["worst"] {
  const low = Math.round(1000 * lowestOf(slots)) / 1000;
  const last = slots.at(-1);
  if (low < LEAST_WORST || last === undefined) return worst;
  const day = Math.floor(last[0] / DAY_MS);
  const today = worst.at(-1)?.[0] === day ? (worst.at(-1)?.[1] ?? 0) : 0;
  const earlier = keepDays(worst, last[0]).filter(([other]) => other < day);
  return [...earlier, [day, Math.max(today, low)]];
}

/** Lower bound of the last slot, or of it and the one before: a slot that has just begun holds few calls. */
function lowestOf(slots: KeptSlots): number {
  const [before, last] = [slots.at(-2), slots.at(-1)];
  if (last === undefined) return 0;
  const one = lowOf(last[1], last[2], ONCE.errors);
  if (before === undefined || last[0] - before[0] > SLOT_MS) return one;
  return Math.max(one, lowOf(last[1] + before[1], last[2] + before[2], ONCE.errors));
}

function isTwice(slots: KeptSlots, limit: number): boolean {
  const now = takeMoment(slots, slots.length);
  const before = takeMoment(slots, slots.length - now.count);
  if (before.count === 0 || now.startMs - before.startMs > TOGETHER_MS) return false;
  const isBad = ({ k, n }: typeof now) => k >= LEAST_EACH && k > limit * n;
  if (!isBad(now) || !isBad(before)) return false;
  return lowOf(now.k + before.k, now.n + before.n, TWICE.errors) > limit;
}

/** The slot before `end`, with the one before it where that is its neighbour: a moment may lie on an edge. */
function takeMoment(slots: KeptSlots, end: number) {
  const last: Kept | undefined = slots[end - 1];
  if (last === undefined) return { startMs: 0, k: 0, n: 0, count: 0 };
  const before: Kept | undefined = slots[end - 2];
  const isPair = before !== undefined && last[0] - before[0] <= SLOT_MS;
  return {
    startMs: last[0],
    k: last[1] + (isPair ? before[1] : 0),
    n: last[2] + (isPair ? before[2] : 0),
    count: isPair ? 2 : 1,
  };
}

function lowOf(k: number, n: number, errors: number): number {
  return k < errors ? 0 : wilsonInterval(k, n, Z_95).low;
}

function keepDays(worst: ChartState["worst"], nowMs: number): ChartState["worst"] {
  return worst.filter(([day]) => day * DAY_MS > nowMs - REMEMBERS_MS);
}
