import type { ISql, Sql } from "../../db/connect.ts";
import { HOUR_MS } from "../rollup/levels.ts";
import type { SeenWorker } from "./pace.ts";

export async function listWorkers(sql: ISql, projectId: number, since: Date): Promise<SeenWorker[]> {
  return sql<SeenWorker[]>`
    select queue, worker, concurrency, last_seen_at as "lastSeenAt" from job_worker
     where project_id = ${projectId} and last_seen_at >= ${since}
     order by queue, worker`;
}

/** How long jobs of each queue took that were completed in the last hour, milliseconds. */
export async function listMeanDurations(
  sql: ISql,
  projectId: number,
  nowMs: number,
): Promise<Map<string, number>> {
  const rows = await sql<{ queue: string; meanMs: number }[]>`
    select l.queue, (avg(extract(epoch from d.finished_at - d.leased_at)) * 1000)::float8 as "meanMs"
      from job_done d join job_lane l on l.project_id = d.project_id and l.id = d.lane_id
     where d.project_id = ${projectId} and d.state = 'completed' and d.leased_at <= d.finished_at
       and d.finished_at >= ${new Date(nowMs - HOUR_MS)} and d.finished_at <= ${new Date(nowMs)}
     group by 1`;
  return new Map(rows.map(({ queue, meanMs }) => [queue, meanMs]));
}

/** What waits and what is being done, by lane. */
export interface LaneCount {
  readonly laneId: number;
  /** Wait for nothing of their own. */
  readonly free: number;
  /** Wait for their time, or after an attempt. */
  readonly delayed: number;
  /** Of both, those whose latest time comes. */
  readonly due: number;
  readonly leased: number;
  readonly oldestAt: Date | null;
  readonly nextNotAfter: Date | null;
}

export async function listLaneCounts(sql: Sql, projectId: number, nowMs: number): Promise<LaneCount[]> {
  const now = new Date(nowMs);
  return sql<LaneCount[]>`
    select lane_id as "laneId",
           (count(*) filter (where token is null and (delayed_until is null or delayed_until <= ${now})))::int as free,
           (count(*) filter (where token is null and delayed_until > ${now}))::int as delayed,
           (count(*) filter (where token is null and due_at <= ${now}
                               and (delayed_until is null or delayed_until <= ${now})))::int as due,
           (count(*) filter (where token is not null))::int as leased,
           min(submitted_at) filter (where token is null) as "oldestAt",
           min(not_after) filter (where token is null) as "nextNotAfter"
      from job where project_id = ${projectId}
     group by 1`;
}

/** Jobs of a lane by hour, counted from `from`. */
export interface LaneHour {
  readonly laneId: number;
  /** 0–23. */
  readonly hour: number;
  readonly count: number;
}

/** When latest times come of jobs that wait, in the 24 hours from `from`; those that came before are in hour 0. */
export async function listDueHours(sql: Sql, projectId: number, from: Date): Promise<LaneHour[]> {
  return sql<LaneHour[]>`
    select lane_id as "laneId",
           greatest(0, floor(extract(epoch from due_at - ${from}::timestamptz) / 3600))::int as hour, count(*)::int as count
      from job
     where project_id = ${projectId} and token is null and due_at is not null
       and due_at < ${from}::timestamptz + interval '24 hours'
     group by 1, 2`;
}

/** When jobs that wait for their own time, or after an attempt, are ready. */
export async function listDelayedHours(
  sql: Sql,
  projectId: number,
  from: Date,
  nowMs: number,
): Promise<LaneHour[]> {
  return sql<LaneHour[]>`
    select lane_id as "laneId",
           greatest(0, floor(extract(epoch from delayed_until - ${from}::timestamptz) / 3600))::int as hour,
           count(*)::int as count
      from job
     where project_id = ${projectId} and token is null and delayed_until > ${new Date(nowMs)}
       and delayed_until < ${from}::timestamptz + interval '24 hours'
     group by 1, 2`;
}

export interface QueueHourCounts {
  readonly queue: string;
  readonly completed: number;
  readonly dead: number;
  readonly cancelled: number;
}

/** What was finished since. */
export async function listFinishedCounts(
  sql: Sql,
  projectId: number,
  since: Date,
): Promise<QueueHourCounts[]> {
  return sql<QueueHourCounts[]>`
    select l.queue, (count(*) filter (where d.state = 'completed'))::int as completed,
           (count(*) filter (where d.state = 'dead'))::int as dead,
           (count(*) filter (where d.state = 'cancelled'))::int as cancelled
      from job_done d join job_lane l on l.project_id = d.project_id and l.id = d.lane_id
     where d.project_id = ${projectId} and d.finished_at >= ${since}
     group by 1`;
}

export interface QueueEventCounts {
  readonly queue: string;
  readonly busy: number;
  readonly failed: number;
  readonly lost: number;
}

/** How leases ended since, that did not end well; jobs that died of it included. */
export async function listEventCounts(sql: Sql, projectId: number, since: Date): Promise<QueueEventCounts[]> {
  return sql<QueueEventCounts[]>`
    select l.queue, (count(*) filter (where e.kind = 'busy'))::int as busy,
           (count(*) filter (where e.kind in ('failed', 'dead')))::int as failed,
           (count(*) filter (where e.kind = 'lost'))::int as lost
      from job_event e join job_lane l on l.project_id = e.project_id and l.id = e.lane_id
     where e.project_id = ${projectId} and e.at >= ${since}
     group by 1`;
}

export async function listDeadCounts(sql: Sql, projectId: number): Promise<Map<string, number>> {
  const rows = await sql<{ queue: string; dead: number }[]>`
    select l.queue, count(*)::int as dead
      from job_lane l
      join job_done d on d.project_id = l.project_id and d.lane_id = l.id and d.state = 'dead'
     where l.project_id = ${projectId}
     group by 1`;
  return new Map(rows.map(({ queue, dead }) => [queue, dead]));
}

/** Who has how many jobs now. */
export async function listLeasedCounts(
  sql: Sql,
  projectId: number,
): Promise<{ queue: string; worker: string; leased: number }[]> {
  return sql<{ queue: string; worker: string; leased: number }[]>`
    select l.queue, j.worker, count(*)::int as leased
      from job j join job_lane l on l.project_id = j.project_id and l.id = j.lane_id
     where j.project_id = ${projectId} and j.token is not null
     group by 1, 2`;
}
