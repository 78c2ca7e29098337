import type { Sql } from "../../db/connect.ts";

/** Projects with settings of their own, and 0 for all the others. */
export interface KeepRule {
  readonly projectId: number;
  readonly keptDays: number;
  readonly deadKeptDays: number;
}

export async function listKeepRules(sql: Sql): Promise<KeepRule[]> {
  return sql<KeepRule[]>`
    select p.id as "projectId", coalesce(s.kept_days, 7) as "keptDays", coalesce(s.dead_kept_days, 30) as "deadKeptDays"
      from project p left join job_setting s on s.project_id = p.id
     order by p.id`;
}

/** Forgets finished jobs with their lives and keys, some at a time. @returns how many went */
export async function forgetDone(
  sql: Sql,
  projectId: number,
  { before, deadBefore, limit }: { readonly before: Date; readonly deadBefore: Date; readonly limit: number },
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with gone as (
      delete from job_done
       where project_id = ${projectId}
         and id = any(array(
             select id from job_done
              where project_id = ${projectId} and finished_at < ${before}
                and (state <> 'dead' or finished_at < ${deadBefore})
              limit ${limit}))
      returning id, key_hash
    ), keys as (
      delete from job_key where project_id = ${projectId} and hash = any(array(select key_hash from gone))
    ), lives as (
      delete from job_event where project_id = ${projectId} and job_id = any(array(select id from gone))
    ), untold as (
      delete from job_callback where project_id = ${projectId} and job_id = any(array(select id from gone))
    ), payloads as (
      delete from job_payload where project_id = ${projectId} and job_id = any(array(select id from gone))
    )
    select count(*)::int as count from gone`;
  return row?.count ?? 0;
}

/** Payloads that were kept for as long as they may be. @returns their jobs */
export async function forgetPayloads(
  sql: Sql,
  projectId: number,
  nowMs: number,
  limit: number,
): Promise<number> {
  const { count } = await sql`
    delete from job_payload
     where project_id = ${projectId}
       and job_id = any(array(
           select job_id from job_payload
            where project_id = ${projectId} and expires_at <= ${new Date(nowMs)} limit ${limit}))`;
  return count;
}

/** Lanes in which nothing was put for long and nothing is, gates without lanes, and what is told of neither. */
export async function forgetUnused(
  sql: Sql,
  {
    lanesBefore,
    changesBefore,
    workersBefore,
  }: Readonly<Record<"lanesBefore" | "changesBefore" | "workersBefore", Date>>,
): Promise<void> {
  await sql`
    delete from job_lane l
     where l.used_at < ${lanesBefore}
       and not exists (select from job j where j.project_id = l.project_id and j.lane_id = l.id and j.token is null)
       and not exists (select from job j where j.project_id = l.project_id and j.lane_id = l.id and j.token is not null)
       and not exists (select from job_done d where d.project_id = l.project_id and d.lane_id = l.id)`;
  await sql`
    delete from job_gate g
     where g.since_at < ${lanesBefore}
       and not exists (select from job_lane l where l.project_id = g.project_id and l.gate_id = g.id)`;
  await sql`delete from job_gate_change where at < ${changesBefore}`;
  await sql`delete from job_worker where last_seen_at < ${workersBefore}`;
}
