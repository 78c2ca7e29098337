import type { ISql, Sql } from "../../db/connect.ts";
import type { JobResult, JobState } from "../contract/job.ts";

/** A job, live or finished. */
export interface JobRow {
  readonly id: number;
  readonly laneId: number;
  readonly state: JobState;
  readonly key: string | null;
  readonly reference: string | null;
  readonly payloadBytes: number | null;
  readonly notify: number | null;
  readonly submittedAt: Date;
  readonly notBefore: Date | null;
  readonly notAfter: Date | null;
  readonly expectedMs: number;
  readonly dueAt: Date | null;
  readonly delayedUntil: Date | null;
  readonly delayReason: "scheduled" | "busy" | "failed" | "stopped" | null;
  readonly maxAttempts: number;
  readonly leaseCount: number;
  readonly failureCount: number;
  readonly busyCount: number;
  readonly worker: string | null;
  readonly leasedAt: Date | null;
  readonly leasedUntil: Date | null;
  readonly cancelAskedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly result: JobResult | null;
  readonly lastError: string | null;
}

const COMMON = `
  j.id, j.lane_id, j.key, j.reference, j.payload_bytes, j.notify, j.submitted_at, j.not_before, j.not_after,
  j.expected_ms, j.max_attempts, j.lease_count, j.failure_count, j.busy_count, j.worker, j.leased_at, j.last_error`;

const LIVE = `
  ${COMMON}, case when j.token is null then 'waiting' else 'leased' end as state, j.due_at, j.delayed_until,
  j.delay_reason, j.leased_until, j.cancel_asked_at, null::timestamptz as finished_at, null::jsonb as result`;

const DONE = `
  ${COMMON}, j.state, null::timestamptz as due_at, null::timestamptz as delayed_until, null as delay_reason,
  null::timestamptz as leased_until, null::timestamptz as cancel_asked_at, j.finished_at, j.result`;

const COLUMNS = `
  id::float8 as id, lane_id as "laneId", state, key, reference, payload_bytes as "payloadBytes", notify,
  submitted_at as "submittedAt", not_before as "notBefore", not_after as "notAfter", expected_ms as "expectedMs",
  due_at as "dueAt", delayed_until as "delayedUntil", delay_reason as "delayReason", max_attempts as "maxAttempts",
  lease_count as "leaseCount", failure_count as "failureCount", busy_count as "busyCount", worker,
  leased_at as "leasedAt", leased_until as "leasedUntil", cancel_asked_at as "cancelAskedAt",
  finished_at as "finishedAt", result, last_error as "lastError"`;

export async function findJob(sql: ISql, projectId: number, id: number): Promise<JobRow | null> {
  const [row] = await sql<JobRow[]>`
    select ${sql.unsafe(COLUMNS)} from (
      select ${sql.unsafe(LIVE)} from job j where j.project_id = ${projectId} and j.id = ${id}
       union all
      select ${sql.unsafe(DONE)} from job_done j where j.project_id = ${projectId} and j.id = ${id}) as found`;
  return row ?? null;
}

export interface JobFilter {
  readonly state: JobState | "live" | "finished" | undefined;
  /** `null`: all. */
  readonly laneIds: readonly number[] | null;
  readonly before: number | null;
  readonly limit: number;
}

/** Newest first. */
export async function listJobs(
  sql: Sql,
  projectId: number,
  { state, laneIds, before, limit }: JobFilter,
): Promise<JobRow[]> {
  const lanes = [...(laneIds ?? [])];
  const inLanes = laneIds === null ? sql`` : sql`and j.lane_id = any(${lanes}::int[])`;
  const page = sql`and (${before}::bigint is null or j.id < ${before}) order by j.id desc limit ${limit}`;
  const isLive = state === undefined || state === "live" || state === "waiting" || state === "leased";
  const isDone = state === undefined || state === "finished" || !isLive;
  const liveState =
    state === "waiting"
      ? sql`and j.token is null`
      : state === "leased"
        ? sql`and j.token is not null`
        : sql``;
  const doneState = state === undefined || state === "finished" ? sql`` : sql`and j.state = ${state}`;
  const live = sql`(select ${sql.unsafe(LIVE)} from job j where j.project_id = ${projectId} ${inLanes} ${liveState} ${page})`;
  const done = sql`(select ${sql.unsafe(DONE)} from job_done j where j.project_id = ${projectId} ${inLanes} ${doneState} ${page})`;
  const both = isLive && isDone ? sql`${live} union all ${done}` : isLive ? live : done;
  return sql<JobRow[]>`
    select ${sql.unsafe(COLUMNS)} from (${both}) as found order by id desc limit ${limit}`;
}

export interface EventRow {
  readonly at: Date;
  readonly kind: string;
  readonly worker: string | null;
  readonly leasedAt: Date | null;
  readonly untilAt: Date | null;
  readonly detail: string | null;
}

export async function listEvents(sql: ISql, projectId: number, jobId: number): Promise<EventRow[]> {
  return sql<EventRow[]>`
    select at, kind, worker, leased_at as "leasedAt", until_at as "untilAt", detail from job_event
     where project_id = ${projectId} and job_id = ${jobId} order by number`;
}

/** Those of these jobs that are live no more, of any project. */
export async function listGone(
  sql: Sql,
  jobs: readonly { readonly projectId: number; readonly id: number }[],
): Promise<Set<string>> {
  const rows = await sql<{ projectId: number; id: number }[]>`
    select u.project_id as "projectId", u.id::float8 as id
      from unnest(${jobs.map(({ projectId }) => projectId)}::int[], ${jobs.map(({ id }) => id)}::bigint[])
           as u (project_id, id)
     where not exists (select from job j where j.project_id = u.project_id and j.id = u.id)`;
  return new Set(rows.map(({ projectId, id }) => `${projectId} ${id}`));
}
