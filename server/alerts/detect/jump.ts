import { wilsonInterval } from "../../capacity/cell.ts";
import { type ChartState, SLOT_MS } from "./types.ts";

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

interface Moment {
  readonly startMs: number;
  readonly k: number;
  readonly n: number;
  /** Errors that are usual of so many calls. */
  readonly expected: number;
}

/**
 * Whether the last minutes are a jump: enough errors, and even the lower bound of their share far above what is usual.
 * Of what has such minutes every few days they are no news; there, and where calls are few and far between, it takes two
 * such moments in a row.
 *
 * @see docs/how-rules-judge.md#fast-rise
 */
export function isJump({ slots, recent, worst }: ChartState): boolean {
  const last = recent.at(-1);
  if (last === undefined) return false;
  const kept = keepDays(worst, last[0]);
  const isOnce = (moment: Moment) => {
    const low = lowOf(moment, ONCE.errors);
    return low > limitOf(moment, ONCE) && kept.every(([, other]) => other < low);
  };
  if (slots.length >= SEEN_THROUGHOUT && listMoments(recent).some(isOnce)) return true;
  return isTwice(recent);
}

/** Notes the worst moment of each day, of those far above what is usual. */
export function noteWorst(worst: ChartState["worst"], recent: ChartState["recent"]): ChartState["worst"] {
  const lows = listMoments(recent).flatMap((moment) => {
    const low = lowOf(moment, ONCE.errors);
    return low > limitOf(moment, ONCE) ? [low] : [];
  });
  const last = recent.at(-1);
  if (lows.length === 0 || last === undefined) return worst;
  const low = Math.round(1000 * Math.max(...lows)) / 1000;
  const day = Math.floor(last[0] / DAY_MS);
  const today = worst.at(-1)?.[0] === day ? (worst.at(-1)?.[1] ?? 0) : 0;
  const earlier = keepDays(worst, last[0]).filter(([other]) => other < day);
  return [...earlier, [day, Math.max(today, low)]];
}

/** The last slot, and it with its neighbour: a slot that has just begun holds few calls. */
function listMoments(recent: ChartState["recent"]): Moment[] {
  const last = recent.at(-1);
  if (last === undefined) return [];
  return [toMoment([last]), toMoment(takePair(recent))];
}

function isTwice(recent: ChartState["recent"]): boolean {
  const pair = takePair(recent);
  const earlier = takePair(recent.slice(0, recent.length - pair.length));
  const [now, before] = [toMoment(pair), toMoment(earlier)];
  if (earlier.length === 0 || now.startMs - before.startMs > TOGETHER_MS) return false;
  const isBad = (moment: Moment) => moment.k >= LEAST_EACH && moment.k > limitOf(moment, TWICE) * moment.n;
  const both = toMoment([...earlier, ...pair]);
  return isBad(now) && isBad(before) && lowOf(both, TWICE.errors) > limitOf(both, TWICE);
}

/** The last slot with the one before it where that is its neighbour: a moment may lie on an edge. */
function takePair(recent: ChartState["recent"]): ChartState["recent"] {
  const [before, last] = [recent.at(-2), recent.at(-1)];
  const isPair = before !== undefined && last !== undefined && last[0] - before[0] <= SLOT_MS;
  return recent.slice(isPair ? -2 : -1);
}

/** Sum of slots; it begins where the last of them does. */
function toMoment(slots: ChartState["recent"]): Moment {
  let [startMs, k, n, expected] = [0, 0, 0, 0];
  for (const slot of slots) {
    startMs = slot[0];
    k += slot[1];
    n += slot[2];
    expected += slot[3];
  }
  return { startMs, k, n, expected };
}

function limitOf({ n, expected }: Moment, { share, timesUsual }: typeof ONCE): number {
  return Math.max(share, (timesUsual * expected) / n);
}

function lowOf({ k, n }: Moment, errors: number): number {
  return k < errors ? 0 : wilsonInterval(k, n, Z_95).low;
}

function keepDays(worst: ChartState["worst"], nowMs: number): ChartState["worst"] {
  return worst.filter(([day]) => day * DAY_MS > nowMs - REMEMBERS_MS);
}
