import type { ISql } from "../../db/connect.ts";
import type { ClassificationRule } from "../contract/classification.ts";
import type { StoredEvidence } from "./evidence.ts";

/** The project's own rules, in the order in which they are asked. */
export async function listRules(sql: ISql, projectId: number): Promise<ClassificationRule[]> {
  const rows = await sql<{ rule: ClassificationRule }[]>`
    select rule from classification_rule where project_id = ${projectId} order by place`;
  return rows.map(({ rule }) => rule);
}

/** To be run in a transaction: readers then see the old list or the new one, and who writes at the same time waits. */
export async function replaceRules(
  tx: ISql,
  projectId: number,
  rules: readonly ClassificationRule[],
): Promise<void> {
  await tx`select from project where id = ${projectId} for no key update`;
  await tx`delete from classification_rule where project_id = ${projectId}`;
  await tx`
    insert into classification_rule (project_id, place, rule)
    select ${projectId}, place, rule
      from jsonb_array_elements(${tx.json(rules as never)}::jsonb) with ordinality as u (rule, place)`;
}

/** A stored attempt whose outcome its sender did not name. */
export interface UnnamedRow {
  readonly occurredAt: Date;
  readonly eventId: string;
  /** Its code. */
  readonly outcome: number;
  readonly httpStatus: number | null;
  readonly evidence: StoredEvidence | null;
  readonly provider: string;
  readonly model: string;
}

export interface RowPlace {
  readonly occurredAtMs: number;
  readonly eventId: string;
}

/**
 * Attempts of [from, to) that were named here (their evidence says by which rule), or that nobody has named yet, by
 * time and id.
 *
 * @param after the last row of the page before
 */
export async function listUnnamed(
  sql: ISql,
  projectId: number,
  range: { readonly from: Date; readonly to: Date },
  { after, unknownCode, limit }: { after: RowPlace | null; unknownCode: number; limit: number },
): Promise<UnnamedRow[]> {
  const start = after === null ? range.from : new Date(after.occurredAtMs);
  return sql<UnnamedRow[]>`
    select a.occurred_at as "occurredAt", a.event_id as "eventId", a.outcome, a.http_status as "httpStatus",
           a.evidence, s.provider, s.model
      from attempt a
      join series s on s.project_id = a.project_id and s.id = a.series_id
     where a.project_id = ${projectId}
       and a.occurred_at >= ${start} and a.occurred_at < ${range.to}
       ${after === null ? sql`` : sql`and (a.occurred_at, a.event_id) > (${start}, ${after.eventId}::uuid)`}
       and (a.evidence ? 'rule' or a.outcome = ${unknownCode})
       and (a.evidence is not null or a.http_status is not null)
     order by a.occurred_at, a.event_id
     limit ${limit}`;
}

export interface Renaming extends RowPlace {
  readonly outcome: number;
  readonly rule: string;
}

/** Gives attempts, ascending by time, another outcome, and notes the rule that named it. */
export async function renameOutcomes(
  tx: ISql,
  projectId: number,
  renamings: readonly Renaming[],
): Promise<void> {
  const times = renamings.map(({ occurredAtMs }) => occurredAtMs);
  await tx`
    update attempt a
       set outcome = u.outcome,
           evidence = coalesce(a.evidence, '{}'::jsonb) || jsonb_build_object('rule', u.rule)
      from jsonb_to_recordset(${tx.json(renamings as never)}::jsonb)
        as u ("occurredAtMs" bigint, "eventId" uuid, outcome smallint, rule text)
     where a.project_id = ${projectId}
       and a.occurred_at >= ${new Date(Math.min(...times))} and a.occurred_at <= ${new Date(Math.max(...times))}
       and a.occurred_at = to_timestamp(u."occurredAtMs"::float8 / 1000)
       and a.event_id = u."eventId"`;
}

/** Has the figures of these minutes made anew. */
export async function touchMinutes(tx: ISql, projectId: number, timesMs: Iterable<number>): Promise<void> {
  const minutes = [...new Set([...timesMs].map((ms) => Math.floor(ms / 60_000) * 60))];
  if (minutes.length === 0) return;
  await tx`
    insert into touched_bucket (project_id, minute)
    select ${projectId}::int, to_timestamp(minute) from unnest(${`{${minutes.join(",")}}`}::bigint[]) as u (minute)`;
}
