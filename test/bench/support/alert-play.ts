import { createWatch } from "../../../server/alerts/detect/replay.ts";
import type { Slot, Usual } from "../../../server/alerts/detect/types.ts";
import type { AlertRuleInput } from "../../../server/contract/alert-rule.ts";
import type { Rival } from "./alert-rivals.ts";

export interface Alarm {
  readonly sinceMs: number;
  readonly firedMs: number;
  /** `null`: still on at the end. */
  readonly endedMs: number | null;
  readonly rule: string;
}

const SLOT_MS = 300_000;

/** Rules on the same counts, looked at after each slot. */
export function playRules(
  rules: readonly Pick<AlertRuleInput, "name" | "condition" | "pendingMinutes" | "remindHours">[],
  slots: readonly Slot[],
  usualAt: (ms: number) => Usual | null,
): Alarm[] {
  return rules.flatMap((rule) => {
    const watch = createWatch(rule);
    const alarms: Alarm[] = [];
    for (const slot of slots) {
      const usual = usualAt(slot.startMs);
      watch.close(slot, usual);
      const nowMs = slot.startMs + SLOT_MS;
      const { event, life } = watch.look(nowMs, null, usual);
      if (event === "firing") {
        alarms.push({ sinceMs: life.sinceMs ?? nowMs, firedMs: nowMs, endedMs: null, rule: rule.name });
      }
      const last = event === "resolved" ? alarms.pop() : undefined;
      if (last !== undefined) alarms.push({ ...last, endedMs: nowMs });
    }
    return alarms;
  });
}

export function playRival(
  rival: Rival,
  slots: readonly Slot[],
  usualAt: (ms: number) => Usual | null,
): Alarm[] {
  const alarms: Alarm[] = [];
  let wasOn = false;
  for (const slot of slots) {
    const isOn = rival(slot, usualAt(slot.startMs));
    const nowMs = slot.startMs + SLOT_MS;
    if (isOn && !wasOn) alarms.push({ sinceMs: nowMs, firedMs: nowMs, endedMs: null, rule: "" });
    const last = !isOn && wasOn ? alarms.pop() : undefined;
    if (last !== undefined) alarms.push({ ...last, endedMs: nowMs });
    wasOn = isOn;
  }
  return alarms;
}

/** What people hear of: an alarm while another one of the same calls is on tells nothing new. */
export function foldAlarms(alarms: readonly Alarm[]): Alarm[] {
  const folded: Alarm[] = [];
  for (const alarm of [...alarms].sort((a, b) => a.firedMs - b.firedMs)) {
    const last = folded.at(-1);
    if (last === undefined || (last.endedMs ?? Number.POSITIVE_INFINITY) < alarm.firedMs) {
      folded.push(alarm);
      continue;
    }
    const isOpen = last.endedMs === null || alarm.endedMs === null;
    const endedMs = isOpen ? null : Math.max(last.endedMs ?? 0, alarm.endedMs ?? 0);
    folded[folded.length - 1] = { ...last, endedMs };
  }
  return folded;
}
