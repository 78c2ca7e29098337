/** Counts of five minutes of one rule and group. */
export interface Slot {
  /** A multiple of five minutes. */
  readonly startMs: number;
  /** What the rule counts; for `amplification` attempts. */
  readonly k: number;
  /** Of how many; for `amplification` requests. */
  readonly n: number;
}

export const SLOT_MS = 300_000;

/** After the end of a slot late events are waited for so long; then it is closed and never looked at again. */
export const SLOT_CLOSES_AFTER_MS = 120_000;

/** What the earlier weeks, without their episodes, say of an hour of the week. */
export interface Usual {
  /** Expected share, 0-1. */
  readonly share: number;
  /** Calls that this rests on. */
  readonly n: number;
  /** How alike calls of one hour are (ρ), 0-1; absent: as anywhere. See docs/formulas.md#effective-calls. */
  readonly spread?: number;
}

/** `holds`: between the thresholds, which neither fires nor ends anything. */
export type Verdict = "fires" | "holds" | "clear";

export interface Judgement {
  readonly verdict: Verdict;
  /** When it began, by the rule's own reckoning; `null` unless it fires or holds. */
  readonly sinceMs: number | null;
  /** Counts of what was judged. */
  readonly k: number;
  readonly n: number;
  /** k / n, attempts per request, or minutes of silence; `null`: nothing to be said. */
  readonly value: number | null;
  /** The same, usually at this hour of the week; `null`: unknown, or the rule does not ask. */
  readonly usual: number | null;
}

/** Sums of slots with anything in them, ascending: start in epoch ms, k, n. */
export type KeptSlots = readonly (readonly [startMs: number, k: number, n: number])[];

export type RecentSlot = readonly [startMs: number, k: number, n: number, expected: number];

/** What happened in the last minutes, for `share`, `count` and `amplification`. */
export interface WindowState {
  readonly kind: "window";
  readonly slots: KeptSlots;
}

/** The two charts of `learnt` and `fastRise`. */
export interface ChartState {
  readonly kind: "chart";
  /** The last hour. */
  readonly slots: KeptSlots;
  /** Evidence that it is worse than usual, 0 or more. */
  readonly rise: number;
  /** While alarmed: evidence that it is as usual again. */
  readonly fall: number;
  readonly isAlarmed: boolean;
  /** Since `rise` was last 0: where the stretch began, what it counted, and what was expected in it. */
  readonly sinceMs: number | null;
  readonly k: number;
  readonly n: number;
  readonly expected: number;
  /** How often since then slots were bad by themselves, ten minutes apart; and when they last were. */
  readonly badMoments: number;
  readonly lastBadMs: number | null;
  /** The last slots with calls, four at most, ascending: also how many errors were usual in each. */
  readonly recent: readonly RecentSlot[];
  /** Of days of the last four weeks with a jump: the day (epoch days) and the lower bound of its worst minutes, ascending. */
  readonly worst: readonly (readonly [day: number, low: number])[];
}

export interface BurnState {
  readonly kind: "burn";
  /** Five minutes each, for the windows up to six hours. */
  readonly fine: KeptSlots;
  /** Hours, for the longest. */
  readonly coarse: KeptSlots;
}

export interface SilentState {
  readonly kind: "silent";
  /** End of the last slot with an event; `null`: never one. */
  readonly lastMs: number | null;
  /** Share of the last weeks in which this hour of the UTC week had events, 168; -1: not seen yet. */
  readonly hours: readonly number[];
}

/** All of a detector's memory: small, JSON, so that a restart forgets nothing. */
export type DetectorState = WindowState | ChartState | BurnState | SilentState;

export interface Detector {
  readonly start: DetectorState;
  /** How much of the past a new detector must be fed so that it knows what one that always ran knows. */
  readonly lookbackMs: number;
  /** Takes a closed slot: each once, in order; slots that are left out had nothing in them. */
  advance(state: DetectorState, slot: Slot, usual: Usual | null): DetectorState;
  /**
   * What the rule says now.
   *
   * @param open slots that are not closed yet, ascending: the running one, and shortly after its start the one before;
   *   judged, not remembered
   * @param usual of the hour in which the open slots are
   */
  judge(
    state: DetectorState,
    open: Slot | readonly Slot[] | null,
    usual: Usual | null,
    nowMs: number,
  ): Judgement;
}
