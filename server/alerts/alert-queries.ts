import type { Outcome } from "@busyhour/sdk";
import type { ISql, Sql } from "../../db/connect.ts";
import type { RuleGroup, Severity } from "../contract/alert-rule.ts";
import type { Counting } from "./counting.ts";
import type { FiringAlert, Muted } from "./firing-alert.ts";
import type { Subject } from "./subject.ts";

interface FiringRow {
  readonly id: number;
  readonly ruleId: number;
  readonly ruleName: string;
  readonly severity: Severity;
  readonly groupBy: RuleGroup;
  readonly groupKey: string;
  readonly subject: Subject;
  readonly of: Counting["of"];
  readonly outcomes: Outcome[];
  readonly channels: number[] | null;
  readonly remindHours: number | null;
  readonly k: number;
  readonly n: number;
  readonly value: number | null;
  readonly usual: number | null;
  readonly peak: number | null;
  readonly sinceAt: Date;
  readonly firedAt: Date;
  readonly toldAt: Date | null;
  readonly toldAgainAt: Date | null;
  readonly seenAt: Date;
  readonly offAt: Date | null;
  readonly acknowledgedAt: Date | null;
  readonly mutedBy: Muted["by"] | null;
  readonly mutedById: number | null;
  readonly mutedUntil: Date | null;
  readonly foldedUnder: number | null;
  readonly cause: FiringAlert["explanation"]["cause"];
  readonly advisedOrder: string[] | null;
}

/** The project's alerts that are not over, held until the transaction ends. */
export async function lockFiringAlerts(tx: ISql, projectId: number): Promise<FiringAlert[]> {
  const rows = await tx<FiringRow[]>`
    select id, rule_id as "ruleId", rule_name as "ruleName", severity, group_by as "groupBy",
           group_key as "groupKey", subject, count_of as of, outcomes, channels, remind_hours as "remindHours",
           k, n, value, usual, peak, since_at as "sinceAt", fired_at as "firedAt", told_at as "toldAt",
           told_again_at as "toldAgainAt", seen_at as "seenAt", off_at as "offAt",
           acknowledged_at as "acknowledgedAt", muted_by as "mutedBy", muted_by_id as "mutedById",
           muted_until as "mutedUntil", folded_under as "foldedUnder", cause, advised_order as "advisedOrder"
      from alert
     where project_id = ${projectId} and ended_at is null
     order by id
       for update`;
  const alerts = rows.map(toFiring);
  const byId = new Map(alerts.map((alert) => [alert.id, alert]));
  rows.forEach(({ foldedUnder }, i) => {
    const alert = alerts[i];
    if (alert !== undefined && foldedUnder !== null) alert.foldedUnder = byId.get(foldedUnder) ?? null;
  });
  return alerts;
}

function toFiring(row: FiringRow): FiringAlert {
  const { k, n, value, usual, mutedBy, mutedById, mutedUntil } = row;
  const figures = { k, n, value, usual };
  const muted =
    mutedBy === null || mutedById === null || mutedUntil === null
      ? null
      : { by: mutedBy, id: mutedById, untilMs: mutedUntil.getTime() };
  return {
    id: row.id,
    ruleId: row.ruleId,
    ruleName: row.ruleName,
    severity: row.severity,
    groupBy: row.groupBy,
    groupKey: row.groupKey,
    subject: row.subject,
    of: row.of,
    outcomes: row.outcomes,
    channels: row.channels,
    remindHours: row.remindHours,
    own: figures,
    figures,
    peak: row.peak,
    sinceMs: row.sinceAt.getTime(),
    firedMs: row.firedAt.getTime(),
    toldMs: row.toldAt?.getTime() ?? null,
    toldAgainMs: row.toldAgainAt?.getTime() ?? null,
    seenMs: row.seenAt.getTime(),
    endedMs: null,
    acknowledgedMs: row.acknowledgedAt?.getTime() ?? null,
    muted,
    foldedUnder: null,
    explanation: { cause: row.cause, order: row.advisedOrder },
    isOn: row.offAt === null,
    offMs: row.offAt?.getTime() ?? row.seenAt.getTime(),
    isEasing: false,
    isWidened: false,
  };
}

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));

/** What changes of an alert while it fires, and at its end. */
function changing(tx: ISql, alert: FiringAlert) {
  const { figures, muted, explanation } = alert;
  return {
    rule_name: alert.ruleName,
    severity: alert.severity,
    subject: tx.json(alert.subject as never),
    channels: alert.channels === null ? null : [...alert.channels],
    remind_hours: alert.remindHours,
    ...figures,
    peak: alert.peak,
    told_at: toDate(alert.toldMs),
    told_again_at: toDate(alert.toldAgainMs),
    seen_at: new Date(alert.seenMs),
    off_at: alert.isOn ? null : new Date(alert.offMs),
    ended_at: toDate(alert.endedMs),
    muted_by: muted?.by ?? null,
    muted_by_id: muted?.id ?? null,
    muted_until: toDate(muted?.untilMs ?? null),
    folded_under: alert.foldedUnder?.id ?? null,
    cause: explanation.cause === null ? null : tx.json(explanation.cause as never),
    advised_order: explanation.order === null ? null : [...explanation.order],
  };
}

/** Stores alerts: new ones get their id. Those that others are folded under come first. */
export async function saveAlerts(tx: ISql, projectId: number, alerts: readonly FiringAlert[]): Promise<void> {
  const tellers = alerts.filter(({ foldedUnder }) => foldedUnder === null);
  for (const alert of [...tellers, ...alerts.filter((one) => !tellers.includes(one))]) {
    if (alert.id === null) await insertAlert(tx, projectId, alert);
    else {
      await tx`update alert set ${tx(changing(tx, alert))} where project_id = ${projectId} and id = ${alert.id}`;
    }
  }
}

async function insertAlert(tx: ISql, projectId: number, alert: FiringAlert): Promise<void> {
  const [row] = await tx<{ id: number }[]>`
    insert into alert ${tx({
      project_id: projectId,
      rule_id: alert.ruleId,
      group_by: alert.groupBy,
      group_key: alert.groupKey,
      count_of: alert.of,
      outcomes: [...alert.outcomes],
      since_at: new Date(alert.sinceMs),
      fired_at: new Date(alert.firedMs),
      ...changing(tx, alert),
    })} returning id`;
  if (row === undefined) throw new Error("the new alert was not returned");
  alert.id = row.id;
}

/** Removes alerts that were over before then, of all projects, and silences that had ended. */
export async function deleteAlertsBefore(sql: Sql, before: Date): Promise<void> {
  await sql`
    delete from alert a
     where a.ended_at < ${before}
       and not exists (select from alert f
                        where f.project_id = a.project_id and f.folded_under = a.id
                          and (f.ended_at is null or f.ended_at >= ${before}))`;
  await sql`delete from silence where until_at < ${before}`;
}
