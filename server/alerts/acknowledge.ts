import type { ISql, Sql } from "../../db/connect.ts";
import { noteChangeSql, type Occasion } from "../audit/note-change.ts";
import type { Alert } from "../contract/alert.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { alertIsOver, noSuchAlert } from "./alert-errors.ts";
import { lockFiringAlerts } from "./alert-queries.ts";
import { describeSubject } from "./describe-subject.ts";
import type { EnqueueNotice } from "./job.ts";
import { getAlert } from "./listing.ts";
import { toNotice } from "./to-notice.ts";

export interface Acknowledgement {
  readonly id: number;
  readonly note: string | undefined;
}

/**
 * Notes that somebody is at an alert, and tells the channels that were told of it. Who comes second takes over; who says
 * it again with nothing new changes nothing.
 *
 * @throws AppError 404; 409 when it is over
 */
export function acknowledgeAlert(
  sql: Sql,
  enqueueNotice: EnqueueNotice,
  owner: ProjectRow,
  { id, note = undefined }: Acknowledgement,
  occasion: Occasion,
): Promise<Alert> {
  return sql.begin(async (tx) => {
    // In turn with the job, so that what is told is told in order.
    const alerts = await lockFiringAlerts(tx, owner.id);
    const alert = alerts.find((one) => one.id === id);
    if (alert === undefined) throw await whyNot(tx, owner.id, id);
    const { actor, at } = occasion;
    if (await isKnown(tx, owner.id, { id, note }, actor)) return getAlert(tx, owner, id);
    await tx`
      update alert set acknowledged_at = ${at}, acknowledged_by = ${tx.json({ ...actor })},
             acknowledged_note = ${note ?? null}
       where project_id = ${owner.id} and id = ${id}`;
    await noteChangeSql(tx, occasion, {
      action: "alert.acknowledged",
      project: owner,
      subject: { id, name: `${alert.ruleName}: ${describeSubject(alert.subject)}` },
      after: note === undefined ? {} : { note },
    });
    if (alert.toldMs !== null && alert.foldedUnder === null) {
      const nowMs = at.getTime();
      const acknowledged = { by: actor.name, note: note ?? null };
      const notice = toNotice(owner, alert, alerts, "acknowledged", nowMs, acknowledged);
      await enqueueNotice(tx, { projectId: owner.id, notice, channels: alert.channels, nowMs });
    }
    return getAlert(tx, owner, id);
  });
}

/** Whether the same person has said so before, and says nothing new. */
async function isKnown(
  tx: ISql,
  projectId: number,
  { id, note }: Acknowledgement,
  { kind, id: actorId, name }: Occasion["actor"],
): Promise<boolean> {
  const [row] = await tx<{ by: Occasion["actor"] | null; note: string | null }[]>`
    select acknowledged_by as by, acknowledged_note as note from alert
     where project_id = ${projectId} and id = ${id}`;
  const by = row?.by ?? null;
  const isSame = by !== null && by.kind === kind && by.id === actorId && by.name === name;
  return isSame && (note === undefined || note === row?.note);
}

async function whyNot(tx: ISql, projectId: number, id: number) {
  const [row] = await tx<{ endedAt: Date | null }[]>`
    select ended_at as "endedAt" from alert where project_id = ${projectId} and id = ${id}`;
  return row?.endedAt == null ? noSuchAlert() : alertIsOver(row.endedAt);
}
