import type { ISql, Sql } from "../../db/connect.ts";
import type { Alert, Alerts } from "../contract/alert.ts";
import { nextCursor } from "../http/cursor.ts";
import { noSuchAlert } from "./alert-errors.ts";
import type { PendingRow } from "./state-queries.ts";
import { SUBJECT_PARTS, type Subject } from "./subject.ts";
import { toTold, viewOf } from "./to-notice.ts";

export interface AlertsQuestion {
  readonly project: { readonly id: number; readonly slug: string };
  readonly state: "firing" | "resolved" | "all";
  readonly filter: Subject;
  readonly rule: number | undefined;
  readonly range: { readonly fromMs: number; readonly toMs: number } | null;
  readonly limit: number;
  /** Only alerts numbered below it; `null`: from the newest on. */
  readonly before: number | null;
}

interface ListedRow
  extends Omit<Alert, "rule" | "state" | "muted" | "acknowledged" | "folded" | "view" | "subject"> {
  readonly subject: Subject;
  readonly ruleId: number | null;
  readonly ruleName: string;
  readonly acknowledgedAt: string | null;
  readonly acknowledgedBy: { kind: "person" | "key" | "token" | "server"; name: string } | null;
  readonly acknowledgedNote: string | null;
  readonly mutedBy: "silence" | "maintenance" | null;
  readonly mutedById: number | null;
  readonly mutedUntil: string | null;
}

/** As it is sent: without the offset that PostgreSQL writes. */
const iso = (column: string, name: string) =>
  `to_char(a.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "${name}"`;

const COLUMNS = [
  'a.id, r.id as "ruleId", a.rule_name as "ruleName", a.severity, a.subject, a.count_of as of, a.outcomes',
  'a.group_by as "groupBy", a.k, a.n, a.value, a.usual, a.peak, a.folded_under as "foldedUnder", a.cause',
  'a.advised_order as "order", a.acknowledged_by as "acknowledgedBy", a.acknowledged_note as "acknowledgedNote"',
  'a.muted_by as "mutedBy", a.muted_by_id as "mutedById"',
  iso("since_at", "since"),
  iso("fired_at", "firedAt"),
  iso("told_at", "toldAt"),
  iso("seen_at", "seenAt"),
  iso("ended_at", "endedAt"),
  iso("acknowledged_at", "acknowledgedAt"),
  iso("muted_until", "mutedUntil"),
].join(", ");

const FROM = `alert a left join alert_rule r on r.project_id = a.project_id and r.id = a.rule_id`;

/** Alerts, newest first; those that are folded are within those that tell of them. */
export async function listAlerts(sql: Sql, question: AlertsQuestion, nowMs: number): Promise<Alerts> {
  const { project, state, limit } = question;
  const [rows, run] = await Promise.all([listTellers(sql, question), findRun(sql, project.id)]);
  return {
    now: new Date(nowMs).toISOString(),
    judgedTo: run?.closedTo.toISOString() ?? null,
    alerts: await withFolded(sql, project, rows),
    pending: state === "firing" ? (run?.pending ?? []).map(toPending) : [],
    next: nextCursor(rows, limit, ({ id }) => id),
  };
}

/** @throws AppError 404 */
export async function getAlert(sql: ISql, project: AlertsQuestion["project"], id: number): Promise<Alert> {
  const rows = await sql<ListedRow[]>`
    select ${sql.unsafe(COLUMNS)} from ${sql.unsafe(FROM)} where a.project_id = ${project.id} and a.id = ${id}`;
  const [alert] = await withFolded(sql, project, rows);
  if (alert === undefined) throw noSuchAlert();
  return alert;
}

function listTellers(sql: Sql, question: AlertsQuestion): Promise<ListedRow[]> {
  const { project, state, filter, rule, range, limit, before } = question;
  // What is about all models is about this one, too.
  const isAbout = SUBJECT_PARTS.reduce((condition, part) => {
    const value = filter[part];
    if (value === undefined) return condition;
    return sql`${condition} and coalesce(a.subject ->> ${part}::text, ${value}) = ${value}`;
  }, sql``);
  const states = {
    firing: sql`and a.ended_at is null`,
    resolved: sql`and a.ended_at is not null`,
    all: sql``,
  };
  return sql<ListedRow[]>`
    select ${sql.unsafe(COLUMNS)}
      from ${sql.unsafe(FROM)}
     where a.project_id = ${project.id} and a.folded_under is null ${states[state]} ${isAbout}
       ${rule === undefined ? sql`` : sql`and a.rule_id = ${rule}`}
       ${before === null ? sql`` : sql`and a.id < ${before}`}
       ${
         range === null
           ? sql``
           : sql`and a.fired_at < ${new Date(range.toMs)}
         and (a.ended_at is null or a.ended_at > ${new Date(range.fromMs)})`
       }
     order by a.id desc limit ${limit}`;
}

async function withFolded(
  sql: ISql,
  project: AlertsQuestion["project"],
  rows: readonly ListedRow[],
): Promise<Alert[]> {
  const ids = rows.map(({ id }) => id);
  const folded =
    ids.length === 0
      ? []
      : await sql<ListedRow[]>`
          select ${sql.unsafe(COLUMNS)} from ${sql.unsafe(FROM)}
           where a.project_id = ${project.id} and a.folded_under = any(${ids}::int[]) order by a.id`;
  return rows.map((row) =>
    toAlert(
      project.slug,
      row,
      folded.filter(({ foldedUnder }) => foldedUnder === row.id),
    ),
  );
}

const stateOf = ({ endedAt }: ListedRow) => (endedAt === null ? "firing" : "resolved");

function toAlert(slug: string, row: ListedRow, folded: readonly ListedRow[]): Alert {
  const {
    ruleId,
    ruleName,
    acknowledgedAt,
    acknowledgedBy,
    acknowledgedNote,
    mutedBy,
    mutedById,
    mutedUntil,
    ...told
  } = row;
  return {
    ...told,
    subject: toTold(row.subject),
    rule: { id: ruleId, name: ruleName },
    state: stateOf(row),
    acknowledged:
      acknowledgedAt === null || acknowledgedBy === null
        ? null
        : {
            by: { kind: acknowledgedBy.kind, name: acknowledgedBy.name },
            at: acknowledgedAt,
            note: acknowledgedNote,
          },
    muted:
      mutedBy === null || mutedById === null || mutedUntil === null || row.endedAt !== null
        ? null
        : { by: mutedBy, id: mutedById, until: mutedUntil },
    folded: folded.map((one) => ({
      id: one.id,
      rule: one.ruleName,
      subject: toTold(one.subject),
      state: stateOf(one),
      since: one.since,
    })),
    view: viewOf(slug, row.id),
  };
}

interface RunRow {
  readonly closedTo: Date;
  readonly pending: readonly PendingRow[];
}

async function findRun(sql: Sql, projectId: number): Promise<RunRow | undefined> {
  const [row] = await sql<RunRow[]>`
    select closed_to as "closedTo", pending from alert_run where project_id = ${projectId}`;
  return row;
}

function toPending(row: PendingRow): Alerts["pending"][number] {
  return {
    rule: { id: row.ruleId, name: row.ruleName },
    severity: row.severity,
    subject: toTold(row.subject),
    since: new Date(row.sinceMs).toISOString(),
    firesAt: new Date(row.firesMs).toISOString(),
  };
}
