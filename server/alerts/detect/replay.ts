import type { AlertRuleInput } from "../../contract/alert-rule.ts";
import { createDetector } from "./detector.ts";
import { type Life, type LifeEvent, lifeSettings, NEW_LIFE, stepLife } from "./life.ts";
import { type Judgement, SLOT_MS, type Slot, type Usual } from "./types.ts";

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

type ReplayedRule = Pick<AlertRuleInput, "condition" | "pendingMinutes" | "remindHours">;

/** A rule that watches one group. */
export interface Watch {
  /** Takes a slot that has closed. */
  readonly close: (slot: Slot, usual: Usual | null) => void;
  /** Looks at what there is; what is open is judged, not remembered. */
  readonly look: (
    nowMs: number,
    open: Slot | readonly Slot[] | null,
    usual: Usual | null,
  ) => { event: LifeEvent | null; judgement: Judgement; life: Life };
}

export function createWatch(rule: ReplayedRule): Watch {
  const detector = createDetector(rule.condition);
  const settings = lifeSettings(rule);
  let [state, life] = [detector.start, NEW_LIFE];
  return {
    close(slot, usual) {
      state = detector.advance(state, slot, usual);
    },
    look(nowMs, open, usual) {
      const judgement = detector.judge(state, open, usual, nowMs);
      const step = stepLife(life, judgement, settings, nowMs);
      life = step.life;
      return { ...step, judgement };
    },
  };
}

/**
 * What a rule would have told of one group, had it been there: slots go through the detector as they close, and it is
 * asked at the end of each.
 *
 * @param slots ascending; those left out had nothing in them
 * @param usualAt what was usual at a time, as it was known then
 */
export function replayRule(
  rule: ReplayedRule,
  slots: readonly Slot[],
  usualAt: (ms: number) => Usual | null,
  { fromMs, toMs }: ReplayOptions,
): Firing[] {
  const watch = createWatch(rule);
  const firings: Firing[] = [];
  let next = 0;
  for (; (slots[next]?.startMs ?? fromMs) < fromMs; next++) {
    const slot = slots[next] as Slot;
    watch.close(slot, usualAt(slot.startMs));
  }
  for (let startMs = Math.ceil(fromMs / SLOT_MS) * SLOT_MS; startMs + SLOT_MS <= toMs; startMs += SLOT_MS) {
    const usual = usualAt(startMs);
    if (slots[next]?.startMs === startMs) watch.close(slots[next++] as Slot, usual);
    const nowMs = startMs + SLOT_MS;
    const { event, judgement, life } = watch.look(nowMs, null, usual);
    if (event === "firing") firings.push(toFiring(nowMs, life, judgement));
    const last = firings.pop();
    if (last !== undefined) {
      firings.push(event === "resolved" ? { ...last, resolvedMs: nowMs, endedMs: life.clearSinceMs } : last);
    }
  }
  return firings;
}

function toFiring(firedMs: number, { sinceMs }: Life, { k, n, value, usual }: Judgement): Firing {
  return { sinceMs: sinceMs ?? firedMs, firedMs, resolvedMs: null, endedMs: null, k, n, value, usual };
}
