import { addSlots, findOnset, keepSlot, listNew, sumAfter } from "./kept-slots.ts";
import { type Detector, type DetectorState, type Judgement, SLOT_MS, type WindowState } from "./types.ts";

const MINUTE_MS = 60_000;
const EMPTY: WindowState = { kind: "window", slots: [] };

interface RatioRule {
  readonly windowMinutes: number;
  /** Fires from here on. */
  readonly firesAt: number;
  /** Clear below this. */
  readonly clearBelow: number;
  readonly minCalls: number;
}

/** Between half of the volume that a rule asks for and all of it, it neither fires nor ends. */
const VOLUME_HYSTERESIS = 0.5;
/** A ratio is clear again below so much of the way from what is never an alarm to the threshold. */
const CLEAR_SHARE = 0.8;

/** k of n in the last minutes from a fixed share on. */
export function createShare(condition: { above: number; windowMinutes: number; minCalls: number }): Detector {
  const { above, windowMinutes, minCalls } = condition;
  return createRatio({ windowMinutes, minCalls, firesAt: above, clearBelow: CLEAR_SHARE * above });
}

/** Attempts per request; 1 is never an alarm. */
export function createAmplification(condition: {
  above: number;
  windowMinutes: number;
  minCalls: number;
}): Detector {
  const { above, windowMinutes, minCalls } = condition;
  const clearBelow = 1 + CLEAR_SHARE * (above - 1);
  return createRatio({ windowMinutes, minCalls, firesAt: above, clearBelow });
}

function createRatio({ windowMinutes, firesAt, clearBelow, minCalls }: RatioRule): Detector {
  return createWindow(windowMinutes, (k, n) => {
    const value = n === 0 ? null : k / n;
    if (value === null || n < VOLUME_HYSTERESIS * minCalls || value < clearBelow)
      return { verdict: "clear", onsetShare: firesAt, value };
    return { verdict: n >= minCalls && value >= firesAt ? "fires" : "holds", onsetShare: firesAt, value };
  });
}

/** So many in the last minutes; from the first on where that is enough. */
export function createCount({
  atLeast,
  windowMinutes,
}: {
  atLeast: number;
  windowMinutes: number;
}): Detector {
  return createWindow(windowMinutes, (k, n) => ({
    verdict: k >= atLeast ? "fires" : k > 0 && k >= CLEAR_SHARE * atLeast ? "holds" : "clear",
    onsetShare: 0,
    value: n === 0 ? null : k / n,
  }));
}

type Look = Pick<Judgement, "verdict" | "value"> & { readonly onsetShare: number };

/** Judges the sums of the last minutes: whole slots, so up to five minutes more than that. */
function createWindow(windowMinutes: number, look: (k: number, n: number) => Look): Detector {
  const windowMs = windowMinutes * MINUTE_MS;
  return {
    start: EMPTY,
    lookbackMs: windowMs + SLOT_MS,
    advance(state, slot) {
      const { slots } = asWindow(state);
      return { kind: "window", slots: keepSlot(slots, slot, slot.startMs + SLOT_MS - windowMs) };
    },
    judge(state, open, _usual, nowMs) {
      const fromMs = nowMs - windowMs - SLOT_MS;
      const { slots } = asWindow(state);
      const news = listNew(slots, open);
      const { k, n } = sumAfter(slots, fromMs, news);
      const { verdict, value, onsetShare } = look(k, n);
      const onset = () => findOnset(addSlots(slots, news), fromMs, onsetShare);
      const sinceMs = verdict === "clear" ? null : (onset() ?? nowMs);
      return { verdict, sinceMs, k, n, value, usual: null };
    },
  };
}

function asWindow(state: DetectorState): WindowState {
  return state.kind === "window" ? state : EMPTY;
}
