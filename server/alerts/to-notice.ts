import type { AlertNotice } from "../contract/notice.ts";
import { type FiringAlert, isWide, listFolded } from "./firing-alert.ts";
import { isSameSubject, type Subject, subjectOfKey } from "./subject.ts";

interface NoticedProject {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
}

/** The same for all notices of one alert, and of no other: a late one must not end the next alert of its group. */
export function dedupeKeyOf(projectId: number, ruleId: number, alertId: number): string {
  return `busyhour/${projectId}/${ruleId}/${alertId}`;
}

/** The page that shows the alert. */
export function viewOf(slug: string, alertId: number): string {
  return `/alerts?${new URLSearchParams({ project: slug, alert: String(alertId) })}`;
}

/** What is told of an alert now. @param alerts all that are not over, stored */
export function toNotice(
  project: NoticedProject,
  alert: FiringAlert,
  alerts: readonly FiringAlert[],
  event: AlertNotice["event"],
  nowMs: number,
  acknowledged: NonNullable<AlertNotice["acknowledged"]> | null = null,
): AlertNotice {
  if (alert.id === null) throw new Error("an alert is told before it is stored");
  const { figures, explanation } = alert;
  return {
    kind: "alert",
    event,
    alert: alert.id,
    dedupeKey: dedupeKeyOf(project.id, alert.ruleId, alert.id),
    project: { slug: project.slug, name: project.name },
    rule: { id: alert.ruleId, name: alert.ruleName },
    severity: alert.severity,
    subject: toTold(alert.subject),
    of: alert.of,
    outcomes: [...alert.outcomes],
    ...figures,
    peak: alert.peak,
    since: new Date(alert.sinceMs).toISOString(),
    at: new Date(nowMs).toISOString(),
    endedAt: alert.endedMs === null ? null : new Date(alert.endedMs).toISOString(),
    folded: listParts(alert, alerts, event === "resolved").map(toTold),
    cause: explanation.cause,
    order: explanation.order === null ? null : [...explanation.order],
    acknowledged,
    view: viewOf(project.slug, alert.id),
  };
}

/** What a wide alert stands for, each once; what is said by another rule of the same subject is nothing more. */
function listParts(
  alert: FiringAlert,
  alerts: readonly FiringAlert[],
  withThoseThatAreOver: boolean,
): Subject[] {
  const own = isWide(alert) ? [{ ...alert, subject: subjectOfKey(alert.groupKey) }] : [];
  const parts = [...own, ...listFolded(alerts, alert)]
    .filter(({ isOn }) => isOn || withThoseThatAreOver)
    .map(({ subject }) => subject);
  return parts.filter(
    (one, i) =>
      !isSameSubject(one, alert.subject) && parts.findIndex((other) => isSameSubject(one, other)) === i,
  );
}

/** Without parts that are absent: JSON has no `undefined`. */
export function toTold(subject: Subject): AlertNotice["subject"] {
  return Object.fromEntries(Object.entries(subject).filter(([, value]) => value !== undefined));
}
