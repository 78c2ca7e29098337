import type { ISql } from "../../db/connect.ts";
import { columnOf } from "./columns.ts";

/** A live job, held until the transaction ends. */
export interface LiveRow {
  readonly id: number;
  readonly laneId: number;
  readonly token: string | null;
  readonly endedToken: string | null;
  readonly worker: string | null;
  readonly leasedAt: Date | null;
  readonly leasedUntil: Date | null;
  readonly failureCount: number;
  readonly busyCount: number;
  readonly eventCount: number;
  readonly maxAttempts: number;
  readonly delayedUntil: Date | null;
  readonly cancelAskedAt: Date | null;
  readonly payloadBytes: number | null;
}

const COLUMNS = `
  id::float8 as id, lane_id as "laneId", token, ended_token as "endedToken", worker, leased_at as "leasedAt",
  leased_until as "leasedUntil", failure_count as "failureCount", busy_count as "busyCount",
  event_count as "eventCount", max_attempts as "maxAttempts", delayed_until as "delayedUntil",
  cancel_asked_at as "cancelAskedAt", payload_bytes as "payloadBytes"`;

/** In order of their numbers, so that two servers wait for each other and not in a ring. */
export async function lockJobs(tx: ISql, projectId: number, ids: readonly number[]): Promise<LiveRow[]> {
  return tx<LiveRow[]>`
    select ${tx.unsafe(COLUMNS)} from job
     where project_id = ${projectId} and id = any(${[...ids]}::bigint[])
     order by id
       for update`;
}

export interface DoneRow {
  readonly id: number;
  readonly state: "completed" | "dead" | "cancelled";
  readonly endedToken: string | null;
}

export async function listDone(sql: ISql, projectId: number, ids: readonly number[]): Promise<DoneRow[]> {
  return sql<DoneRow[]>`
    select id::float8 as id, state, ended_token as "endedToken" from job_done
     where project_id = ${projectId} and id = any(${[...ids]}::bigint[])`;
}

export interface FinishedRow {
  readonly id: number;
  readonly state: DoneRow["state"];
  /** As JSON. */
  readonly result: string | null;
  /** `null`: as it was. */
  readonly error: string | null;
  /** Of the lease that ended; `null`: as it was. */
  readonly endedToken: string | null;
  readonly failureCount: number;
  readonly busyCount: number;
  readonly eventCount: number;
}

/**
 * Moves jobs to those that are finished, with all that hangs on it: payloads go unless the job is dead, and may be queued
 * again; whoever is to be told finds it in the outbox.
 */
export async function finishJobs(
  tx: ISql,
  projectId: number,
  rows: readonly FinishedRow[],
  nowMs: number,
): Promise<void> {
  const column = <K extends keyof FinishedRow>(name: K) => columnOf(rows, name);
  const now = new Date(nowMs);
  await tx`
    with input as (
      select * from unnest(${column("id")}::bigint[], ${column("state")}::text[], ${column("result")}::text[],
                           ${column("error")}::text[], ${column("endedToken")}::uuid[], ${column("failureCount")}::int[],
                           ${column("busyCount")}::int[], ${column("eventCount")}::int[])
          as i (id, state, result, error, ended_token, failure_count, busy_count, event_count)
    ), gone as (
      delete from job j using input i where j.project_id = ${projectId} and j.id = i.id
      returning j.id, j.lane_id, i.state, i.result::jsonb as result, j.key, j.key_hash, j.reference,
                case when i.state = 'dead' then j.payload_bytes end as kept_bytes, j.payload_bytes, j.notify,
                j.submitted_at, j.not_before, j.not_after, j.expected_ms, j.max_attempts, j.lease_count,
                i.failure_count, i.busy_count, i.event_count, coalesce(i.ended_token, j.ended_token) as ended_token,
                j.worker, j.leased_at, coalesce(i.error, j.last_error) as last_error
    ), unsealed as (
      delete from job_payload
       where project_id = ${projectId}
         and job_id in (select id from gone where state <> 'dead' and payload_bytes is not null)
    ), told as (
      insert into job_callback (project_id, job_id, channel_id, created_at, next_try_at)
      select ${projectId}, id, notify, ${now}, ${now} from gone where notify is not null
          on conflict (project_id, job_id) do nothing
    )
    insert into job_done (project_id, id, lane_id, state, finished_at, result, key, key_hash, reference,
           payload_bytes, notify, submitted_at, not_before, not_after, expected_ms, max_attempts, lease_count, failure_count, busy_count,
           event_count, ended_token, worker, leased_at, last_error)
    select ${projectId}, id, lane_id, state, ${now}, result, key, key_hash, reference, kept_bytes, notify, submitted_at,
           not_before, not_after, expected_ms, max_attempts, lease_count, failure_count, busy_count, event_count,
           ended_token, worker, leased_at, last_error
      from gone`;
}

export interface ReturnedRow {
  readonly id: number;
  readonly delayedUntil: Date;
  readonly delayReason: "busy" | "failed" | "stopped";
  /** `null`: as it was. */
  readonly error: string | null;
  readonly endedToken: string | null;
  readonly failureCount: number;
  readonly busyCount: number;
  readonly eventCount: number;
}

/** Puts leased jobs back to those that wait. */
export async function returnJobs(tx: ISql, projectId: number, rows: readonly ReturnedRow[]): Promise<void> {
  const column = <K extends keyof ReturnedRow>(name: K) => columnOf(rows, name);
  await tx`
    update job j
       set token = null, leased_until = null, ended_token = coalesce(i.ended_token, j.ended_token),
           delayed_until = i.delayed_until, delay_reason = i.delay_reason, failure_count = i.failure_count,
           busy_count = i.busy_count, event_count = i.event_count, last_error = coalesce(i.error, j.last_error)
      from unnest(${column("id")}::bigint[], ${column("delayedUntil")}::timestamptz[], ${column("delayReason")}::text[],
                  ${column("error")}::text[], ${column("endedToken")}::uuid[], ${column("failureCount")}::int[],
                  ${column("busyCount")}::int[], ${column("eventCount")}::int[])
        as i (id, delayed_until, delay_reason, error, ended_token, failure_count, busy_count, event_count)
     where j.project_id = ${projectId} and j.id = i.id`;
}

/** A part of a job's life. */
export interface NewEvent {
  readonly jobId: number;
  readonly laneId: number;
  readonly number: number;
  readonly kind: string;
  readonly worker: string | null;
  readonly leasedAt: Date | null;
  readonly untilAt: Date | null;
  readonly detail: string | null;
}

/** Of longer lives the middle is left out. */
const FIRST_KEPT = 10;
const LAST_KEPT = 40;

export async function insertEvents(
  tx: ISql,
  projectId: number,
  events: readonly NewEvent[],
  nowMs: number,
): Promise<void> {
  const column = <K extends keyof NewEvent>(name: K) => columnOf(events, name);
  await tx`
    insert into job_event (project_id, job_id, lane_id, number, at, kind, worker, leased_at, until_at, detail)
    select ${projectId}, job_id, lane_id, number, ${new Date(nowMs)}, kind, worker, leased_at, until_at, detail
      from unnest(${column("jobId")}::bigint[], ${column("laneId")}::int[], ${column("number")}::int[],
                  ${column("kind")}::text[], ${column("worker")}::text[], ${column("leasedAt")}::timestamptz[],
                  ${column("untilAt")}::timestamptz[], ${column("detail")}::text[])
        as e (job_id, lane_id, number, kind, worker, leased_at, until_at, detail)`;
  const long = events.filter(({ number }) => number > FIRST_KEPT + LAST_KEPT);
  if (long.length === 0) return;
  await tx`
    delete from job_event e
     using unnest(${long.map(({ jobId }) => jobId)}::bigint[],
                  ${long.map(({ number }) => number - LAST_KEPT)}::int[]) as old (job_id, number)
     where e.project_id = ${projectId} and e.job_id = old.job_id and e.number = old.number`;
}

/** Workers extend their leases before a third of them is over; more than this is not waited for. */
const MOST_GRACE_MS = 15_000;

/** Leases that ran out and whose workers had time to say so since `heardSinceMs`, oldest number first. */
export async function listLost(
  sql: ISql,
  nowMs: number,
  heardSinceMs: number,
  limit: number,
): Promise<{ projectId: number; id: number; token: string }[]> {
  return sql<{ projectId: number; id: number; token: string }[]>`
    select project_id as "projectId", id::float8 as id, token from job
     where token is not null and leased_until <= ${new Date(nowMs)}
       and least(${MOST_GRACE_MS}, lease_ms / 3) <= ${nowMs - heardSinceMs}::float8
     order by id
     limit ${limit}`;
}

/** Leases longer than they can be were given before the clock went back: from now on they last as long as they may. */
export async function shortenLeases(sql: ISql, nowMs: number): Promise<number> {
  const now = new Date(nowMs);
  const { count } = await sql`
    update job set leased_until = ${now}::timestamptz + lease_ms * interval '1 millisecond'
     where token is not null
       and leased_until > ${now}::timestamptz + (lease_ms + 60000) * interval '1 millisecond'`;
  return count;
}

/** The same of pauses: nothing but a submitter's own time puts a job off for longer than this. */
export async function shortenPauses(sql: ISql, nowMs: number, mostMs: number): Promise<number> {
  const now = new Date(nowMs);
  const { count } = await sql`
    update job set delayed_until = greatest(${now}::timestamptz, not_before)
     where token is null and delayed_until is not null and delay_reason <> 'scheduled'
       and delayed_until > greatest(${now}::timestamptz + ${mostMs} * interval '1 millisecond', not_before)`;
  return count;
}
