import { type Expectation, evidenceOf, expect } from "./expectation.ts";
import { isTaken, keepSlot, listOpen, sumAfter } from "./kept-slots.ts";
import {
  type ChartState,
  type Detector,
  type DetectorState,
  type Judgement,
  type RecentSlot,
  SLOT_MS,
  type Slot,
  type Usual,
} from "./types.ts";

const HOUR_MS = 3_600_000;
/** Without a call for so long nothing of before counts, and an alarm is over. */
const FORGETS_AFTER_MS = 24 * HOUR_MS;
/** Evidence at which the falling chart ends an alarm. */
const FALLS_AT = 5;
/** What the falling chart takes for usual at least, and for bad at least. */
const USUAL_AGAIN = 0.02;
const STILL_BAD = 0.1;
/** A stretch that was far worse is over sooner: what counts as bad is half of its share, up to this. */
const BAD_OF_STRETCH = 0.5;
const MOST_BAD = 0.5;
/** Bad slots that begin closer together are one moment: what was seen in five minutes may lie in two slots. */
const MOMENT_MS = 2 * SLOT_MS;
/** A slot is bad by itself from here on. */
const BAD_SLOT = { share: 0.08, timesUsual: 2.5 };
const RECENT_SLOTS = 4;
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
  badMoments: 0,
  lastBadMs: null,
  recent: [],
  worst: [],
};

export interface ChartRule {
  /** Evidence up to which the rising chart adds up. */
  readonly cap: number;
  /** Whether a slot raises the alarm; the state has it already. */
  raises(state: ChartState, expectation: Expectation): boolean;
  /** Keeps of the last slots what later ones are held against. */
  note(worst: ChartState["worst"], recent: ChartState["recent"]): ChartState["worst"];
}

/**
 * A rising chart that says when it became worse, and while alarmed a falling one that says when it is over: both sum up
 * evidence and begin anew at 0.
 *
 * @see docs/how-rules-judge.md#learnt
 */
export function createChart(rule: ChartRule, lookbackMs = FORGETS_AFTER_MS): Detector {
  return {
    start: NO_CHART,
    lookbackMs,
    advance: (state, slot, usual) => stepChart(asChart(state), slot, expect(usual), rule),
    judge(state, open, usual, nowMs) {
      let chart = asChart(state);
      for (const slot of listOpen(open)) chart = stepChart(chart, slot, expect(usual), rule);
      return describe(chart, usual, nowMs);
    },
  };
}

function stepChart(before: ChartState, slot: Slot, expectation: Expectation, rule: ChartRule): ChartState {
  if (slot.n <= 0 || isTaken(before.slots, slot)) return before;
  const lastMs = before.slots.at(-1)?.[0] ?? slot.startMs;
  const state = slot.startMs - lastMs >= FORGETS_AFTER_MS ? { ...NO_CHART, worst: before.worst } : before;
  const slots = keepSlot(state.slots, slot, slot.startMs + SLOT_MS - HOUR_MS);
  const hourCalls = sumAfter(slots, slot.startMs - HOUR_MS).n;
  const { startMs, k, n } = slot;
  const now: RecentSlot = [startMs, k, n, n * expectation.share];
  const recent = [...state.recent.slice(1 - RECENT_SLOTS), now];
  const calm = { ...NO_CHART, slots, recent, worst: rule.note(state.worst, recent) };
  if (state.isAlarmed) {
    const fall = Math.max(0, state.fall - evidenceOf(slot, expectReturn(state, expectation), hourCalls));
    if (fall >= FALLS_AT) return calm;
    return { ...count(state, slot, expectation), slots, recent, worst: calm.worst, fall };
  }
  const rise = Math.min(rule.cap, Math.max(0, state.rise + evidenceOf(slot, expectation, hourCalls)));
  const counted = rise === 0 ? calm : { ...count(state, slot, expectation), slots, recent, rise };
  const isAlarmed = rule.raises({ ...counted, worst: state.worst }, expectation);
  return {
    ...counted,
    worst: calm.worst,
    isAlarmed,
    sinceMs: isAlarmed ? (counted.sinceMs ?? slot.startMs) : counted.sinceMs,
  };
}

/** What the falling chart holds calls against: as usual, or still bad. */
function expectReturn({ k, n }: ChartState, expectation: Expectation): Expectation {
  const half = n === 0 ? 0 : Math.min(MOST_BAD, (BAD_OF_STRETCH * k) / n);
  return {
    ...expectation,
    usual: Math.max(USUAL_AGAIN, expectation.usual),
    raised: Math.max(STILL_BAD, expectation.raised, half),
  };
}

function count(state: ChartState, slot: Slot, expectation: Expectation): ChartState {
  const { startMs, k, n } = slot;
  const isNext = state.lastBadMs === null || startMs - state.lastBadMs >= MOMENT_MS;
  const isBadMoment = isNext && isBad(slot, expectation);
  return {
    ...state,
    sinceMs: state.sinceMs ?? startMs,
    k: state.k + k,
    n: state.n + n,
    expected: state.expected + n * expectation.share,
    badMoments: state.badMoments + (isBadMoment ? 1 : 0),
    lastBadMs: isBadMoment ? startMs : state.lastBadMs,
  };
}

export function isBad({ k, n }: { k: number; n: number }, { share }: Expectation): boolean {
  return k > n * Math.max(BAD_SLOT.share, BAD_SLOT.timesUsual * share);
}

function describe(chart: ChartState, usual: Usual | null, nowMs: number): Judgement {
  const hour = sumAfter(chart.slots, nowMs - HOUR_MS - SLOT_MS);
  const isSilent = nowMs - (chart.slots.at(-1)?.[0] ?? 0) >= FORGETS_AFTER_MS;
  const isAlarmed = chart.isAlarmed && !isSilent;
  const isOld = chart.sinceMs !== null && nowMs - chart.sinceMs > HOUR_MS;
  const isOfStretch = isAlarmed && chart.n > 0 && !(isOld && hour.n >= ENOUGH_CALLS);
  const { k, n } = isOfStretch ? chart : hour;
  return {
    verdict: isAlarmed ? "fires" : "clear",
    sinceMs: isAlarmed ? chart.sinceMs : null,
    k,
    n,
    value: n === 0 ? null : k / n,
    usual: usual?.share ?? null,
  };
}

function asChart(state: DetectorState): ChartState {
  return state.kind === "chart" ? state : NO_CHART;
}
