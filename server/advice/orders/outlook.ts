import { GAMMA, type Histogram, latencyBin } from "../../rollup/latency-bin.ts";

/** What is known of one target of a chain. */
export interface Link {
  /** Share of attempts that fail, by hour of week: no room, or anything else that another target may do better. */
  readonly fails: readonly number[];
  /** Share of answers that are there within so many milliseconds. */
  readonly answeredWithin: (ms: number) => number;
  readonly answerMs: number;
  readonly failureMs: number;
  /** What an answer is worth against the best, 0–1. */
  readonly quality: number;
  readonly isTop: boolean;
}

export interface Policy {
  readonly attempts: number;
  readonly deadlineMs: number;
}

/** What becomes of a request when targets are asked in some order, each once at most. */
export interface Outlook {
  readonly success: number;
  readonly firstTry: number;
  /** Of answers: by a target of the best tier. */
  readonly topTier: number;
  /** What it is worth: quality of the answer, less what failures and time cost. */
  readonly value: number;
}

/** The router's own, see `sdk/src/router/parts/order.ts`: in units of quality. */
const FAILURE_COST = 0.1;
const LATENCY_COST = 0.2;

/**
 * @param order places in `links`
 * @param failsOf share of failures of a link in the hours looked at
 * @see docs/formulas.md#orders
 */
export function foresee(
  links: readonly Link[],
  order: readonly number[],
  failsOf: (place: number) => number,
  { attempts, deadlineMs }: Policy,
): Outlook {
  let [reach, startMs] = [1, 0];
  let [success, quality, top, cost, firstTry] = [0, 0, 0, 0, 0];
  for (const [step, place] of order.slice(0, attempts).entries()) {
    const link = links[place];
    if (link === undefined || startMs >= deadlineMs) break;
    const fails = failsOf(place);
    const answered = reach * (1 - fails) * link.answeredWithin(deadlineMs - startMs);
    if (step === 0) firstTry = answered;
    success += answered;
    quality += answered * link.quality;
    if (link.isTop) top += answered;
    const spentMs = (1 - fails) * Math.min(link.answerMs, deadlineMs - startMs) + fails * link.failureMs;
    cost += reach * (FAILURE_COST * fails + (LATENCY_COST * spentMs) / deadlineMs);
    reach *= fails;
    startMs += link.failureMs;
  }
  return { success, firstTry, topTier: success === 0 ? 0 : top / success, value: quality - cost };
}

/** The distribution of a histogram, even within a bin; all at once where nothing was measured. */
export function distributionOf({ bins, counts }: Histogram): (ms: number) => number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return () => 1;
  const below: number[] = [];
  for (const [i, bin] of bins.entries()) below[bin] = (below[bin] ?? 0) + (counts[i] ?? 0);
  for (let bin = 0; bin < below.length; bin++) below[bin] = (below[bin] ?? 0) + (below[bin - 1] ?? 0);
  return (ms) => {
    if (ms <= 0) return 0;
    const bin = latencyBin(ms);
    if (bin >= below.length) return 1;
    const lower = below[bin - 1] ?? 0;
    const within = bin === 0 ? 1 : (ms - GAMMA ** (bin - 1)) / (GAMMA ** bin - GAMMA ** (bin - 1));
    return (lower + within * ((below[bin] ?? 0) - lower)) / total;
  };
}
