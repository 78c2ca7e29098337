import { addSlots, findOnset, keepSlot, listNew, sumAfter } from "./kept-slots.ts";
import {
  type BurnState,
  type Detector,
  type DetectorState,
  SLOT_MS,
  type Slot,
  type Verdict,
} from "./types.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A budget of 30 days burns so many times too fast over both windows: 2 % of it in an hour, 5 % in six, 10 % in three
 * days. The short window ends the alarm soon after the trouble.
 */
const PAIRS = [
  { factor: 14.4, longMs: HOUR_MS, shortMs: 5 * MINUTE_MS },
  { factor: 6, longMs: 6 * HOUR_MS, shortMs: 30 * MINUTE_MS },
  { factor: 1, longMs: 72 * HOUR_MS, shortMs: 6 * HOUR_MS },
] as const;
const FINE_MS = 6 * HOUR_MS;
const COARSE_MS = 72 * HOUR_MS;
/** With fewer errors in the long window one unlucky call decides. */
const LEAST_ERRORS = 5;
const CLEAR_SHARE = 0.9;
const EMPTY: BurnState = { kind: "burn", fine: [], coarse: [] };

/**
 * The error budget of an objective burns too fast over two windows at once.
 *
 * @see docs/how-rules-judge.md#burn-rate
 * Source: B. Beyer et al. (eds.), The Site Reliability Workbook (2018), chapter 5.
 */
export function createBurnRate({ objective }: { objective: number }): Detector {
  const budget = 1 - objective;
  return {
    start: EMPTY,
    lookbackMs: COARSE_MS + HOUR_MS,
    advance(state, slot) {
      return addSlot(asBurn(state), slot);
    },
    judge(state, open, _usual, nowMs) {
      const burn = asBurn(state);
      const news = listNew(burn.fine, open);
      const judged = PAIRS.map((pair) => judgePair(burn, news, pair, budget * pair.factor, nowMs));
      const worst =
        judged.find(({ verdict }) => verdict === "fires") ??
        judged.find(({ verdict }) => verdict === "holds") ??
        judged[0];
      const { verdict = "clear", k = 0, n = 0, fromMs = nowMs, limit = budget } = worst ?? {};
      const kept = fromMs >= nowMs - FINE_MS - SLOT_MS ? burn.fine : burn.coarse;
      const onset = () => findOnset(addSlots(kept, news), fromMs, limit);
      const sinceMs = verdict === "clear" ? null : (onset() ?? nowMs);
      return { verdict, sinceMs, k, n, value: n === 0 ? null : k / n, usual: null };
    },
  };
}

/** @param news open slots, later than all kept ones */
function judgePair(
  burn: BurnState,
  news: readonly Slot[],
  { longMs, shortMs }: (typeof PAIRS)[number],
  limit: number,
  nowMs: number,
) {
  const fromMs = nowMs - longMs - (longMs > FINE_MS ? HOUR_MS : SLOT_MS);
  const long = sumAfter(longMs > FINE_MS ? burn.coarse : burn.fine, fromMs, news);
  const short = sumAfter(burn.fine, nowMs - shortMs - SLOT_MS, news);
  const reaches = (share: number) => [long, short].every(({ k, n }) => n > 0 && k >= share * limit * n);
  const verdict: Verdict =
    long.k < LEAST_ERRORS || !reaches(CLEAR_SHARE) ? "clear" : reaches(1) ? "fires" : "holds";
  return { verdict, fromMs, limit, ...long };
}

function addSlot(state: BurnState, slot: Slot): BurnState {
  const endMs = slot.startMs + SLOT_MS;
  const fine = keepSlot(state.fine, slot, endMs - FINE_MS);
  const last = state.fine.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY;
  // Hours add up, so they cannot tell by themselves that a slot comes a second time.
  const coarse =
    slot.startMs <= last ? state.coarse : keepSlot(state.coarse, slot, endMs - COARSE_MS, HOUR_MS);
  return { kind: "burn", fine, coarse };
}

function asBurn(state: DetectorState): BurnState {
  return state.kind === "burn" ? state : EMPTY;
}
