import { type Expectation, evidenceOf, expect } from "./expectation.ts";
import { isTaken, keepSlot, listOpen, sumAfter } from "./kept-slots.ts";
import type { ChartState, Detector, DetectorState, Judgement, Slot, Usual } from "./types.ts";
import { SLOT_MS } from "./types.ts";

const HOUR_MS = 3_600_000;
/** Without a call for so long nothing of before counts, and an alarm is over. */
const FORGETS_AFTER_MS = 24 * HOUR_MS;
/** Evidence at which the falling chart ends an alarm. */
const FALLS_AT = 3;
/** What the falling chart takes for usual at least, and for bad at least. */
const USUAL_AGAIN = 0.02;
const STILL_BAD = 0.15;
/** The last hour says how bad it is now, where it has so many calls; else all since it began. */
const ENOUGH_CALLS = 20;

export const NO_CHART: ChartState = {
  kind: "chart",
  slots: [],
  rise: 0,
  fall: 0,
  isAlarmed: false,
  sinceMs: null,
  k: 0,
  n: 0,
  expected: 0,
};

/** Whether the chart's rule raises an alarm at a slot; the state has it already. */
export type Raises = (state: ChartState, expectation: Expectation) => boolean;

/**
 * A rising chart that says when it became worse, and while alarmed a falling one that says when it is over: both sum up
 * evidence and begin anew at 0.
 *
 * @param raises what makes an alarm
 * @see docs/alerts.md#learnt
 */
export function createChart(raises: Raises, cap: number): Detector {
  const step = (state: ChartState, slot: Slot, usual: Usual | null) =>
    stepChart(state, slot, expect(usual), raises, cap);
  return {
    start: NO_CHART,
    lookbackMs: FORGETS_AFTER_MS,
    advance: (state, slot, usual) => step(asChart(state), slot, usual),
    judge(state, open, usual, nowMs) {
      let chart = asChart(state);
      for (const slot of listOpen(open)) chart = step(chart, slot, usual);
      return describe(chart, usual, nowMs);
    },
  };
}

function stepChart(
  before: ChartState,
  slot: Slot,
  expectation: Expectation,
  raises: Raises,
  cap: number,
): ChartState {
  if (slot.n <= 0 || isTaken(before.slots, slot)) return before;
  const lastMs = before.slots.at(-1)?.[0] ?? slot.startMs;
  const state = slot.startMs - lastMs >= FORGETS_AFTER_MS ? NO_CHART : before;
  const slots = keepSlot(state.slots, slot, slot.startMs + SLOT_MS - HOUR_MS);
  const hourCalls = sumAfter(slots, slot.startMs - HOUR_MS).n;
  if (state.isAlarmed) {
    const back = {
      ...expectation,
      usual: Math.max(USUAL_AGAIN, expectation.usual),
      raised: Math.max(STILL_BAD, expectation.raised),
    };
    const fall = Math.max(0, state.fall - evidenceOf(slot, back, hourCalls));
    return fall >= FALLS_AT ? { ...NO_CHART, slots } : { ...count(state, slot, expectation), slots, fall };
  }
  const rise = Math.min(cap, Math.max(0, state.rise + evidenceOf(slot, expectation, hourCalls)));
  const counted = rise === 0 ? { ...NO_CHART, slots } : { ...count(state, slot, expectation), slots, rise };
  return raises(counted, expectation)
    ? { ...counted, isAlarmed: true, fall: 0, sinceMs: counted.sinceMs ?? slot.startMs }
    : counted;
}

function count(state: ChartState, { startMs, k, n }: Slot, { usual }: Expectation): ChartState {
  return {
    ...state,
    sinceMs: state.sinceMs ?? startMs,
    k: state.k + k,
    n: state.n + n,
    expected: state.expected + n * usual,
  };
}

function describe(chart: ChartState, usual: Usual | null, nowMs: number): Judgement {
  const hour = sumAfter(chart.slots, nowMs - HOUR_MS - SLOT_MS);
  const isSilent = nowMs - (chart.slots.at(-1)?.[0] ?? 0) >= FORGETS_AFTER_MS;
  const alarmed = chart.isAlarmed && !isSilent;
  const isOld = chart.sinceMs !== null && nowMs - chart.sinceMs > HOUR_MS;
  const { k, n } = alarmed && !(isOld && hour.n >= ENOUGH_CALLS) ? chart : hour;
  return {
    verdict: alarmed ? "fires" : "clear",
    sinceMs: alarmed ? chart.sinceMs : null,
    k,
    n,
    value: n === 0 ? null : k / n,
    usual: usual?.share ?? null,
  };
}

function asChart(state: DetectorState): ChartState {
  return state.kind === "chart" ? state : NO_CHART;
}
