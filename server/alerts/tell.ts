import { type FiringAlert, listFolded } from "./firing-alert.ts";

export interface Telling {
  readonly alert: FiringAlert;
  readonly event: "firing" | "reminder" | "resolved";
}

const HOUR_MS = 3_600_000;

/**
 * What channels are told now. Who was told that it fires is told that it is over, even where it is silenced by then; what
 * was muted all the while is never told.
 *
 * Changes `alerts`: ends those that are over, and notes what was told.
 */
export function tellAlerts(alerts: readonly FiringAlert[], nowMs: number): Telling[] {
  const tellings: Telling[] = [];
  for (const alert of alerts) {
    if (isOver(alerts, alert)) {
      const parts = [alert, ...listFolded(alerts, alert)];
      alert.endedMs = Math.max(...parts.map(({ offMs }) => offMs), alert.firedMs);
      if (alert.toldMs !== null) tellings.push({ alert, event: "resolved" });
      continue;
    }
    if (alert.foldedUnder !== null || alert.muted !== null) continue;
    if (alert.toldMs === null) {
      alert.toldMs = nowMs;
      tellings.push({ alert, event: "firing" });
    } else if (alert.isWidened || isDue(alert, nowMs)) {
      alert.toldAgainMs = nowMs;
      tellings.push({ alert, event: "reminder" });
    }
  }
  return tellings;
}

function isOver(alerts: readonly FiringAlert[], alert: FiringAlert): boolean {
  return !alert.isOn && listFolded(alerts, alert).every(({ isOn }) => !isOn);
}

/** Who is at it needs no reminder, and nobody needs one of what may be over. */
function isDue(alert: FiringAlert, nowMs: number): boolean {
  const { remindHours, acknowledgedMs, isEasing, toldMs, toldAgainMs } = alert;
  if (remindHours === null || acknowledgedMs !== null || isEasing) return false;
  return nowMs - (toldAgainMs ?? toldMs ?? nowMs) >= remindHours * HOUR_MS;
}
