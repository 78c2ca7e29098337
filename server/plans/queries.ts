import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";

/** Numbers of the versions in force; projects without one are left out. */
export async function listPublishedVersions(
  sql: Sql,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await sql<{ projectId: number; version: number }[]>`
    select project_id as "projectId", max(version) as version
      from plan
     where project_id in ${sql(projectIds)} and published_at is not null
     group by 1`;
  return new Map(rows.map(({ projectId, version }) => [projectId, version]));
}

/** Routers that were not heard of since, and rehearsals that are older than attempts may be. */
export async function deletePlanLeftovers(
  sql: Sql,
  { routersBefore, rehearsalsBefore }: { routersBefore: Date; rehearsalsBefore: Date },
): Promise<void> {
  await sql`delete from router_instance where last_seen_at < ${routersBefore}`;
  await sql`delete from rehearsal where received_at < ${rehearsalsBefore}`;
}

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

const codes = (outcomes: readonly Outcome[]) => outcomes.map((outcome) => OUTCOMES.indexOf(outcome));

/** Failures after which the next target is asked; the caller's own faults and aborts end a request. */
const MOVING = codes([
  "capacity",
  "rate_limit",
  "quota",
  "auth",
  "permission",
  "not_found",
  "timeout",
  "network",
  "server_error",
  "unknown",
  "bad_output",
]);
const COUNTED = [...codes(["ok"]), ...MOVING];

/** Whom attempts were made at; `endpoint` `null`: whichever. */
export interface TargetKey {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string | null;
}

export interface TargetHour {
  /** Index of the target in the list that was asked for. */
  readonly place: number;
  /** Start of the hour, UTC. */
  readonly hourMs: number;
  readonly attempts: number;
  readonly failures: number;
  readonly capacity: number;
}

/** The targets as a relation `t`. */
function toRelation(sql: Sql, targets: readonly TargetKey[]) {
  const rows = targets.map((target, place) => ({ place, ...target }));
  return sql`jsonb_to_recordset(${sql.json(rows as never)}) as t (place int, provider text, model text, endpoint text)`;
}

/** What became of the attempts at these targets, whatever their chain, by whole hour in [from, to). */
export async function listTargetHours(
  sql: Sql,
  projectId: number,
  targets: readonly TargetKey[],
  { fromMs, toMs }: TimeRange,
): Promise<TargetHour[]> {
  return sql<TargetHour[]>`
    select t.place, extract(epoch from r.bucket_start)::float8 * 1000 as "hourMs",
           sum(r.attempt_count)::float8 as attempts,
           coalesce(sum(r.attempt_count) filter (where r.outcome = any(${MOVING}::smallint[])), 0)::float8 as failures,
           coalesce(sum(r.attempt_count) filter (where r.outcome = ${OUTCOMES.indexOf("capacity")}), 0)::float8 as capacity
      from ${toRelation(sql, targets)}
      join series s on s.project_id = ${projectId} and s.provider = t.provider and s.model = t.model
                   and (t.endpoint is null or s.endpoint = t.endpoint)
      join attempt_rollup_1h r on r.project_id = s.project_id and r.series_id = s.id
     where r.bucket_start >= ${new Date(fromMs)} and r.bucket_start < ${new Date(toMs)}
       and r.outcome = any(${COUNTED}::smallint[])
     group by 1, 2`;
}

export interface RequestQuarter {
  readonly startMs: number;
  readonly requests: number;
}

/** Requests whose calls name this chain, by quarter-hour in [from, to). */
export function listChainQuarters(
  sql: Sql,
  projectId: number,
  chain: string,
  range: TimeRange,
): Promise<RequestQuarter[]> {
  return listQuarters(sql, projectId, sql`s.chain = ${chain}`, range);
}

/** Requests that ended at one of these targets, whatever their chain, by quarter-hour in [from, to). */
export function listTargetQuarters(
  sql: Sql,
  projectId: number,
  targets: readonly TargetKey[],
  range: TimeRange,
): Promise<RequestQuarter[]> {
  const isTarget = sql`exists (select from ${toRelation(sql, targets)}
                                where s.provider = t.provider and s.model = t.model
                                  and (t.endpoint is null or s.endpoint = t.endpoint))`;
  return listQuarters(sql, projectId, isTarget, range);
}

/** @param isCounted which series `s` count */
async function listQuarters(
  sql: Sql,
  projectId: number,
  isCounted: ReturnType<typeof toRelation>,
  { fromMs, toMs }: TimeRange,
): Promise<RequestQuarter[]> {
  return sql<RequestQuarter[]>`
    select extract(epoch from r.bucket_start)::float8 * 1000 as "startMs", sum(r.final_count)::float8 as requests
      from series s
      join attempt_rollup_15m r on r.project_id = s.project_id and r.series_id = s.id
     where s.project_id = ${projectId} and ${isCounted}
       and r.bucket_start >= ${new Date(fromMs)} and r.bucket_start < ${new Date(toMs)}
       and r.outcome = any(${COUNTED}::smallint[]) and r.final_count > 0
     group by 1`;
}
