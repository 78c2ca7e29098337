import type { AlertRuleInput } from "../../contract/alert-rule.ts";
import type { Slot, Usual } from "./types.ts";

/** An alert that the rule would have told of. */
export interface Firing {
  /** When it began, by the rule's own reckoning. */
  readonly sinceMs: number;
  readonly firedMs: number;
  /** When people would have heard that it is over; `null`: still going on at the end. */
  readonly resolvedMs: number | null;
  /** When it was over; `null` likewise. */
  readonly endedMs: number | null;
  /** Counts at the time it fired. */
  readonly k: number;
  readonly n: number;
  readonly value: number | null;
  readonly usual: number | null;
}

export interface ReplayOptions {
  /** Slots before this only teach the detector; nothing is told of them. */
  readonly fromMs: number;
  /** Until when to look. */
  readonly toMs: number;
}

/**
 * What a rule would have told of one group, had it been there: slots go through the detector as they close, and it is
 * asked at the end of each.
 *
 * @param slots ascending; those left out had nothing in them
 */
export declare function replayRule(
  rule: Pick<AlertRuleInput, "condition" | "pendingMinutes" | "remindHours">,
  slots: readonly Slot[],
  usualAt: (ms: number) => Usual | null,
  options: ReplayOptions,
): Firing[];
