import type { FiringAlert, Muted } from "./firing-alert.ts";
import { findSpan, isUnderWay, type Recurrence } from "./maintenance.ts";
import { covers, type Subject } from "./subject.ts";

export interface Silence {
  readonly id: number;
  readonly where: Subject;
  /** `null`: alerts of every rule. */
  readonly ruleId: number | null;
  readonly untilMs: number;
}

export interface Maintenance extends Recurrence {
  readonly id: number;
  readonly where: Subject;
}

/** What keeps channels from being told of some alerts now. */
export interface Muting {
  readonly where: Subject;
  readonly ruleId: number | null;
  readonly muted: Muted;
}

/** Those of the silences and windows that hold at an instant, the one that holds longest first. */
export function listMutings(
  silences: readonly Silence[],
  windows: readonly Maintenance[],
  nowMs: number,
): Muting[] {
  const bySilence = silences
    .filter(({ untilMs }) => untilMs > nowMs)
    .map(
      ({ id, where, ruleId, untilMs }): Muting => ({ where, ruleId, muted: { by: "silence", id, untilMs } }),
    );
  const byWindow = windows.flatMap((window): Muting[] => {
    const span = findSpan(window, nowMs);
    if (!isUnderWay(span, nowMs)) return [];
    const muted = { by: "maintenance", id: window.id, untilMs: span.toMs } as const;
    return [{ where: window.where, ruleId: null, muted }];
  });
  return [...bySilence, ...byWindow].sort((a, b) => b.muted.untilMs - a.muted.untilMs);
}

/** Changes `alerts`: each has what mutes it now. */
export function muteAlerts(alerts: readonly FiringAlert[], mutings: readonly Muting[]): void {
  for (const alert of alerts) {
    const found = mutings.find(
      ({ where, ruleId }) => (ruleId === null || ruleId === alert.ruleId) && covers(where, alert.subject),
    );
    alert.muted = found?.muted ?? null;
  }
}
