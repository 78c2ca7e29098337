import type { Judgement } from "./types.ts";

/** An alert of one rule and group; JSON. */
export interface Life {
  readonly phase: "quiet" | "pending" | "firing";
  /** When the phase began. */
  readonly enteredMs: number;
  /** While pending or firing: when the trouble began, by the rule's reckoning. */
  readonly sinceMs: number | null;
  /** While firing: since when it has been clear without a break; after it: when it was over. */
  readonly clearSinceMs: number | null;
  /** When people were last told that it goes on. */
  readonly toldMs: number | null;
  /** When the last alert was resolved. */
  readonly resolvedMs: number | null;
}

export interface LifeSettings {
  /** Must hold for so long before it is told. */
  readonly pendingMs: number;
  /** Is not resolved sooner after it was told. */
  readonly minOnMs: number;
  /** Told again so often while it goes on; `null`: never. */
  readonly remindMs: number | null;
  /** Must be clear for so long before it is resolved. */
  readonly clearMs?: number;
  /** After it was resolved no new alert is told for so long: what comes back at once is told when it stays. */
  readonly reopenMs?: number;
}

export type LifeEvent = "firing" | "reminder" | "resolved";

export const NEW_LIFE: Life = {
  phase: "quiet",
  enteredMs: 0,
  sinceMs: null,
  clearSinceMs: null,
  toldMs: null,
  resolvedMs: null,
};

const MINUTE_MS = 60_000;
export const MIN_ON_MS = 15 * MINUTE_MS;
export const CLEAR_MS = 30 * MINUTE_MS;
export const REOPEN_MS = 30 * MINUTE_MS;

/** The settings of a rule as people write it. */
export function lifeSettings(rule: { pendingMinutes: number; remindHours: number | null }): LifeSettings {
  return {
    pendingMs: rule.pendingMinutes * MINUTE_MS,
    minOnMs: MIN_ON_MS,
    remindMs: rule.remindHours === null ? null : rule.remindHours * 60 * MINUTE_MS,
    clearMs: CLEAR_MS,
    reopenMs: REOPEN_MS,
  };
}

/**
 * One look at an alert: pending, firing, reminded, resolved. What neither fires nor is clear changes nothing.
 *
 * @returns at most one event: what people are told now
 */
export function stepLife(
  life: Life,
  judgement: Pick<Judgement, "verdict" | "sinceMs">,
  settings: LifeSettings,
  nowMs: number,
): { life: Life; event: LifeEvent | null } {
  return life.phase === "firing"
    ? stepFiring(life, judgement, settings, nowMs)
    : stepQuiet(life, judgement, settings, nowMs);
}

type Step = { life: Life; event: LifeEvent | null };

function stepQuiet(
  life: Life,
  { verdict, sinceMs }: Pick<Judgement, "verdict" | "sinceMs">,
  { pendingMs, reopenMs = REOPEN_MS }: LifeSettings,
  nowMs: number,
): Step {
  if (verdict === "clear") {
    const quiet = life.phase === "quiet" ? life : { ...life, phase: "quiet" as const, enteredMs: nowMs };
    return { life: { ...quiet, sinceMs: null }, event: null };
  }
  if (life.phase === "quiet" && verdict === "holds") return { life, event: null };
  const pending: Life =
    life.phase === "pending"
      ? life
      : { ...life, phase: "pending", enteredMs: nowMs, sinceMs: sinceMs ?? nowMs };
  const isLongEnough = nowMs - pending.enteredMs >= pendingMs;
  const isTooSoon = pending.resolvedMs !== null && nowMs - pending.resolvedMs < reopenMs;
  if (!isLongEnough || isTooSoon || verdict !== "fires") return { life: pending, event: null };
  return {
    life: { ...pending, phase: "firing", enteredMs: nowMs, clearSinceMs: null, toldMs: nowMs },
    event: "firing",
  };
}

function stepFiring(
  life: Life,
  { verdict }: Pick<Judgement, "verdict">,
  { minOnMs, remindMs, clearMs = CLEAR_MS }: LifeSettings,
  nowMs: number,
): Step {
  const clearSinceMs = verdict === "clear" ? (life.clearSinceMs ?? nowMs) : null;
  const isOver = clearSinceMs !== null && nowMs - clearSinceMs >= clearMs;
  if (isOver && nowMs - life.enteredMs >= minOnMs) {
    return {
      life: { ...life, phase: "quiet", enteredMs: nowMs, clearSinceMs, resolvedMs: nowMs, toldMs: null },
      event: "resolved",
    };
  }
  const going = { ...life, clearSinceMs };
  if (remindMs === null || clearSinceMs !== null || nowMs - (life.toldMs ?? life.enteredMs) < remindMs) {
    return { life: going, event: null };
  }
  return { life: { ...going, toldMs: nowMs }, event: "reminder" };
}
