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

interface TimeRange {
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

export interface TargetHour {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  /** Start of the hour, UTC. */
  readonly hourMs: number;
  readonly attempts: number;
  readonly failures: number;
  readonly capacity: number;
}

/** What became of attempts, by target and hour, from quarter-hours in [from, to). */
export async function listTargetHours(
  sql: Sql,
  projectId: number,
  { fromMs, toMs }: TimeRange,
): Promise<TargetHour[]> {
  return sql<TargetHour[]>`
    select s.provider, s.model, s.endpoint,
           extract(epoch from date_bin('1 hour', r.bucket_start, timestamptz 'epoch'))::float8 * 1000 as "hourMs",
           sum(r.attempt_count)::float8 as attempts,
           coalesce(sum(r.attempt_count) filter (where r.outcome = any(${MOVING}::smallint[])), 0)::float8 as failures,
           coalesce(sum(r.attempt_count) filter (where r.outcome = ${OUTCOMES.indexOf("capacity")}), 0)::float8 as capacity
      from series s
      join attempt_rollup_15m r on r.project_id = s.project_id and r.series_id = s.id
     where s.project_id = ${projectId}
       and r.bucket_start >= ${new Date(fromMs)} and r.bucket_start < ${new Date(toMs)}
       and r.outcome = any(${COUNTED}::smallint[])
     group by 1, 2, 3, 4`;
}

export interface RequestQuarter {
  readonly chain: string;
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  readonly startMs: number;
  readonly requests: number;
}

/** Requests by the chain and target at which they ended, and quarter-hour in [from, to). */
export async function listRequestQuarters(
  sql: Sql,
  projectId: number,
  { fromMs, toMs }: TimeRange,
): Promise<RequestQuarter[]> {
  return sql<RequestQuarter[]>`
    select s.chain, s.provider, s.model, s.endpoint, extract(epoch from r.bucket_start)::float8 * 1000 as "startMs",
           sum(r.final_count)::float8 as requests
      from series s
      join attempt_rollup_15m r on r.project_id = s.project_id and r.series_id = s.id
     where s.project_id = ${projectId}
       and r.bucket_start >= ${new Date(fromMs)} and r.bucket_start < ${new Date(toMs)}
       and r.outcome = any(${COUNTED}::smallint[]) and r.final_count > 0
     group by 1, 2, 3, 4, 5`;
}
