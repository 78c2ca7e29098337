import type { ISql } from "../../db/connect.ts";

/** Jobs to be changed: of these numbers, or of these lanes. */
export interface Choice {
  readonly ids: readonly number[] | null;
  /** `null`: of any lane. */
  readonly laneIds: readonly number[] | null;
}

function chosen(tx: ISql, { ids, laneIds }: Choice) {
  const numbers = [...(ids ?? [])];
  const lanes = [...(laneIds ?? [])];
  return tx`(${ids === null} or j.id = any(${numbers}::bigint[]))
        and (${laneIds === null} or j.lane_id = any(${lanes}::int[]))`;
}

export interface ChangedRow {
  readonly id: number;
  readonly laneId: number;
  readonly isLeased: boolean;
  /** It was asked for before that it be cancelled. */
  readonly isAsked: boolean;
  readonly failureCount: number;
  readonly busyCount: number;
  readonly eventCount: number;
}

/** Live jobs, held until the transaction ends. */
export async function lockLive(
  tx: ISql,
  projectId: number,
  choice: Choice,
  limit: number,
): Promise<ChangedRow[]> {
  return tx<ChangedRow[]>`
    select j.id::float8 as id, j.lane_id as "laneId", j.token is not null as "isLeased",
           j.cancel_asked_at is not null as "isAsked",
           j.failure_count as "failureCount", j.busy_count as "busyCount", j.event_count as "eventCount"
      from job j
     where j.project_id = ${projectId} and ${chosen(tx, choice)}
       and (${choice.ids !== null} or j.cancel_asked_at is null)
     order by j.id
     limit ${limit}
       for update`;
}

export async function askCancel(
  tx: ISql,
  projectId: number,
  ids: readonly number[],
  nowMs: number,
): Promise<void> {
  await tx`
    update job set cancel_asked_at = ${new Date(nowMs)}, event_count = event_count + 1
     where project_id = ${projectId} and id = any(${[...ids]}::bigint[])`;
}

/** Moves dead jobs back to those that wait, with all of their attempts. Oldest first. */
export async function reviveDead(
  tx: ISql,
  projectId: number,
  choice: Choice,
  limit: number,
  nowMs: number,
): Promise<{ id: number; laneId: number; eventCount: number }[]> {
  const now = new Date(nowMs);
  return tx<{ id: number; laneId: number; eventCount: number }[]>`
    with picked as materialized (
      select j.id from job_done j
       where j.project_id = ${projectId} and j.state = 'dead' and ${chosen(tx, choice)}
       order by j.id
       limit ${limit}
         for update
    ), gone as (
      delete from job_done
       where project_id = ${projectId} and id = any(array(select id from picked))
      returning *
    ), unsent as (
      delete from job_callback where project_id = ${projectId} and job_id = any(array(select id from picked))
    )
    insert into job (project_id, id, lane_id, key, key_hash, reference, payload_bytes, notify, submitted_at, not_before,
           not_after, expected_ms, due_at, delayed_until, delay_reason, max_attempts, lease_count, failure_count,
           busy_count, event_count, worker, leased_at, last_error)
    select project_id, id, lane_id, key, key_hash, reference, payload_bytes, notify, submitted_at, not_before, not_after,
           expected_ms, not_after - expected_ms * interval '1 millisecond', ${now}, 'stopped', max_attempts,
           lease_count, 0, busy_count, event_count + 1, worker, leased_at, last_error
      from gone
    returning id::float8 as id, lane_id as "laneId", event_count as "eventCount"`;
}
