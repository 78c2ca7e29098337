import type { Sql } from "../../db/connect.ts";
import type { AuditEntry } from "../contract/audit.ts";

export interface AuditFilter {
  /** `null`: everything, also of projects that are gone. */
  readonly projectId: number | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly action: string | null;
  /** Part of a name, in any case of letters. */
  readonly text: string | null;
  /** Only entries older than this one. */
  readonly before: number | null;
  readonly limit: number;
}

interface AuditRow {
  readonly id: string;
  readonly at: Date;
  readonly projectSlug: string | null;
  readonly actorKind: AuditEntry["actor"]["kind"];
  readonly actorId: number | null;
  readonly actorName: string;
  readonly action: AuditEntry["action"];
  readonly subjectId: string;
  readonly subjectName: string;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
  readonly requestId: string | null;
}

/** Entries of the audit log, newest first. */
export async function listAuditEntries(sql: Sql, filter: AuditFilter): Promise<AuditEntry[]> {
  const rows = await sql<AuditRow[]>`
    select a.id::text, at, project_slug as "projectSlug", actor_kind as "actorKind", actor_id as "actorId",
           actor_name as "actorName", action, subject_id as "subjectId", subject_name as "subjectName",
           before, after, request_id as "requestId"
      from audit_log a
     where (${filter.projectId}::int is null or project_id = ${filter.projectId})
       and (${filter.from}::timestamptz is null or at >= ${filter.from})
       and (${filter.to}::timestamptz is null or at < ${filter.to})
       and (${filter.action}::text is null or action = ${filter.action})
       and (${filter.text}::text is null
            or position(lower(${filter.text}) in lower(actor_name || ' ' || subject_name)) > 0)
       and (${filter.before}::bigint is null or a.id < ${filter.before})
     order by a.id desc
     limit ${filter.limit}`;
  return rows.map((row) => ({
    id: Number(row.id),
    at: row.at.toISOString(),
    project: row.projectSlug,
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    action: row.action,
    subject: { id: row.subjectId, name: row.subjectName },
    before: row.before,
    after: row.after,
    requestId: row.requestId,
  }));
}
