import type { AvoidanceWindow } from "../advice/choose-window.ts";
import { nextWindow } from "../advice/next-window.ts";
import type { WaitReason } from "../contract/job.ts";
import type { NowState } from "../contract/now.ts";

/** What was learnt of a target's hours. */
export interface LearntTarget {
  readonly verdict: "advise" | "noGain" | "noPattern" | "tooLittleData";
  readonly windows: readonly (AvoidanceWindow & { readonly expected: number })[];
}

/** How a target is now. */
export interface Present {
  readonly state: NowState;
  /** Capacity share of the last hours; `null`: no call is known. */
  readonly rate: number | null;
  readonly hasEpisode: boolean;
}

export interface GateTarget {
  readonly learnt: LearntTarget;
  readonly present: Present;
}

/** How a gate was when it was judged last. */
export interface GateBefore {
  readonly isOpen: boolean;
  readonly reason: WaitReason;
  readonly perMinute: number | null;
  /** Since when it has been calm out of season; `null`: it is not. */
  readonly calmSinceMs: number | null;
}

export interface GateVerdict {
  readonly isOpen: boolean;
  readonly reason: WaitReason;
  /** When that is expected to change; `null`: nobody knows. */
  readonly untilMs: number | null;
  /** The good window that is open or comes next. */
  readonly window: GateWindow | null;
  /** So many jobs a minute are let go; `null`: all. */
  readonly perMinute: number | null;
  readonly calmSinceMs: number | null;
}

export interface GateWindow {
  readonly fromMs: number;
  readonly toMs: number;
  readonly expected: number;
}

export interface GateQuestion {
  /** See `job_gate.mode`. */
  readonly mode: "window" | "calm";
  /** The target, or those of the chain. */
  readonly targets: readonly GateTarget[];
  readonly zone: string;
  readonly before: GateBefore;
  /** Jobs that wait before it. */
  readonly waiting: number;
  readonly nowMs: number;
}

/** It must be calm for so long before anything goes out of season. */
const CALM_FOR_MS = 15 * 60_000;
/** Calm is what the next good window is expected to be, and a point more. */
const CALM_MARGIN = 0.01;

/**
 * Whether jobs that wait for a good time go now, and why. Of several targets the best one decides: one in its good window
 * before one that is merely calm, and one whose hours are known before one of which nothing is.
 *
 * @see docs/queue.md#when
 */
export function decideGate(question: GateQuestion): GateVerdict {
  const { targets, mode } = question;
  const known = targets.filter(({ learnt: { verdict } }) => verdict === "advise" || verdict === "noGain");
  const asked = known.length > 0 ? known : targets;
  const wasShut = isShutFor(question.before);
  const windows = asked.flatMap((target) => windowOf(target, question) ?? []);
  const first = windows.reduce<GateWindow | null>(
    (best, one) => (best === null || one.fromMs < best.fromMs ? one : best),
    null,
  );
  const opinions = asked.map((target) =>
    mode === "calm" ? judgeCalm(target, wasShut) : judgeTarget(target, question, wasShut),
  );
  const [best = noTarget(mode)] = [...opinions].sort((a, b) => rank(a) - rank(b) || untilOf(a) - untilOf(b));
  const isCalmNow = opinions.some(({ isCalm }) => isCalm);
  const calmSinceMs = isCalmNow ? (question.before.calmSinceMs ?? question.nowMs) : null;
  const verdict = { window: best.window ?? first, calmSinceMs, perMinute: null };
  if (best.isOpen || calmSinceMs === null || question.nowMs - calmSinceMs < CALM_FOR_MS)
    return { ...verdict, isOpen: best.isOpen, reason: best.reason, untilMs: best.untilMs };
  return {
    ...verdict,
    isOpen: true,
    reason: "unexpectedCalm",
    untilMs: best.untilMs,
    perMinute: nextPace(question),
  };
}

interface Opinion {
  readonly isOpen: boolean;
  readonly reason: WaitReason;
  readonly untilMs: number | null;
  readonly window: GateWindow | null;
  /** Out of season, but as calm as in it. */
  readonly isCalm: boolean;
}

const OPEN_RANKS: readonly WaitReason[] = [
  "inWindow",
  "noBetterHour",
  "calm",
  "noPattern",
  "nothingLearnt",
  "noTarget",
];

/** Open before shut; of those that are shut the ones first of which it is known until when. */
function rank({ isOpen, reason, untilMs }: Opinion): number {
  if (isOpen) return OPEN_RANKS.indexOf(reason);
  return untilMs === null ? 101 : 100;
}

const untilOf = ({ untilMs }: Opinion) => untilMs ?? Number.MAX_SAFE_INTEGER;

const noTarget = (mode: GateQuestion["mode"]): Opinion => ({
  isOpen: true,
  reason: mode === "calm" ? "calm" : "noTarget",
  untilMs: null,
  window: null,
  isCalm: false,
});

const isShutFor = ({ isOpen, reason }: GateBefore) => !isOpen && (reason === "short" || reason === "episode");

/** What is shut for trouble opens when the trouble is over, not when it is a little less. */
function troubleOf({ state, hasEpisode }: Present, wasShut: boolean): "episode" | "short" | null {
  if (hasEpisode) return "episode";
  if (state === "short" || (wasShut && state === "tight")) return "short";
  return null;
}

function judgeCalm({ present }: GateTarget, wasShut: boolean): Opinion {
  const trouble = troubleOf(present, wasShut);
  return {
    isOpen: trouble === null,
    reason: trouble ?? "calm",
    untilMs: null,
    window: null,
    isCalm: false,
  };
}

function windowOf({ learnt }: GateTarget, { zone, nowMs }: GateQuestion): GateWindow | null {
  const next = nextWindow(learnt.windows, zone, nowMs);
  return next === null ? null : { fromMs: next.fromMs, toMs: next.toMs, expected: next.window.expected };
}

function judgeTarget(target: GateTarget, question: GateQuestion, wasShut: boolean): Opinion {
  const { learnt, present } = target;
  const trouble = troubleOf(present, wasShut);
  const window = learnt.verdict === "advise" ? windowOf(target, question) : null;
  const shut = { isOpen: false, window, isCalm: false };
  if (window !== null && window.fromMs > question.nowMs) {
    const isCalm =
      trouble === null &&
      present.state === "room" &&
      present.rate !== null &&
      present.rate <= window.expected + CALM_MARGIN;
    return { ...shut, reason: "beforeWindow", untilMs: window.fromMs, isCalm };
  }
  // Nobody knows when trouble is over.
  if (trouble !== null) return { ...shut, reason: trouble, untilMs: null };
  if (window !== null) return { ...shut, isOpen: true, reason: "inWindow", untilMs: window.toMs };
  const reasons = {
    advise: "nothingLearnt",
    noGain: "noBetterHour",
    noPattern: "noPattern",
    tooLittleData: "nothingLearnt",
  } as const;
  return { ...shut, isOpen: true, reason: reasons[learnt.verdict], untilMs: null };
}

/** Slowly at first, a quarter more each minute, never more than a twentieth of what waits. */
function nextPace({ before, waiting }: GateQuestion): number {
  const least = Math.max(5, Math.ceil(waiting / 200));
  const most = Math.max(10, Math.ceil(waiting / 20));
  const grown = before.reason === "unexpectedCalm" ? Math.ceil((before.perMinute ?? 0) * 1.25) : least;
  return Math.min(most, Math.max(least, grown));
}
