import { OUTCOMES } from "@busyhour/sdk";
import type { ISql, Sql } from "../../db/connect.ts";
import type { TargetName } from "../advice/target-history.ts";
import { type SeriesFilter, whereSeries } from "../capacity/queries.ts";
import { defineShare } from "../capacity/share.ts";
import { MINUTE_MS } from "../rollup/levels.ts";
import type { EpisodeFigures } from "./describe-episode.ts";
import type { Minute } from "./two-states.ts";

const CAPACITY = defineShare("capacity");

/** A minute, with the requests that ended in it without room. */
export interface TargetMinute extends Minute {
  readonly requests: number;
}

export interface TargetMinutes extends TargetName {
  /** Ascending; minutes without calls are left out. */
  readonly minutes: readonly TargetMinute[];
}

export async function listTargetMinutes(
  sql: ISql,
  projectId: number,
  fromMs: number,
  toMs: number,
): Promise<TargetMinutes[]> {
  const ofCapacity = sql`r.outcome = any(${CAPACITY.inK as number[]}::smallint[])`;
  const rows = await sql<(TargetName & { starts: number[]; ks: number[]; ns: number[]; ends: number[] })[]>`
    select provider, model, endpoint, array_agg(minute order by minute) as starts,
           array_agg(k order by minute) as ks, array_agg(n order by minute) as ns,
           array_agg(ended order by minute) as ends
      from (select s.provider, s.model, s.endpoint, (extract(epoch from r.bucket_start) / 60)::int as minute,
                   coalesce(sum(r.attempt_count) filter (where ${ofCapacity}), 0)::int as k,
                   sum(r.attempt_count)::int as n,
                   coalesce(sum(r.final_count) filter (where ${ofCapacity}), 0)::int as ended
              from series s
              join attempt_rollup_1m r on r.project_id = s.project_id and r.series_id = s.id
             where s.project_id = ${projectId}
               and r.bucket_start >= ${new Date(fromMs)} and r.bucket_start < ${new Date(toMs)}
               and r.outcome = any(${CAPACITY.inN as number[]}::smallint[])
             group by 1, 2, 3, 4) as counted
     group by 1, 2, 3`;
  return rows.map(({ starts, ks, ns, ends, provider, model, endpoint }) => ({
    provider,
    model,
    endpoint,
    minutes: starts.map((minute, i) => ({
      startMs: minute * MINUTE_MS,
      k: ks[i] ?? 0,
      n: ns[i] ?? 0,
      requests: ends[i] ?? 0,
    })),
  }));
}

/** Quarter-hours that failed less often than this are the normal ones. */
const NORMAL_BELOW = 0.25;

/** Share of capacity errors of each target in its normal quarter-hours. */
export async function listNormalShares(
  sql: ISql,
  projectId: number,
  from: Date,
): Promise<(TargetName & { share: number })[]> {
  return sql<(TargetName & { share: number })[]>`
    select provider, model, endpoint, (sum(k) / sum(n))::float8 as share
      from (select s.provider, s.model, s.endpoint, sum(r.capacity_attempts)::float8 as k,
                   sum(r.counted_attempts)::float8 as n
              from series s
              join capacity_rollup_15m r on r.project_id = s.project_id and r.series_id = s.id
             where s.project_id = ${projectId} and r.bucket_start >= ${from}
             group by s.provider, s.model, s.endpoint, r.bucket_start) as quarters
     where k < ${NORMAL_BELOW} * n
     group by 1, 2, 3`;
}

export interface EpisodeRow extends TargetName {
  readonly id: number;
  readonly fromMs: number;
  /** When it was last seen. */
  readonly toMs: number;
  readonly isOpen: boolean;
  readonly isSettled: boolean;
  readonly attempts: number;
  readonly errors: number;
  readonly requests: number;
  readonly peakShare: number;
}

const COLUMNS = `
  id::float8 as id, provider, model, endpoint, extract(epoch from opened_at)::float8 * 1000 as "fromMs",
  extract(epoch from last_seen_at)::float8 * 1000 as "toMs", closed_at is null as "isOpen", is_settled as "isSettled",
  attempt_count as attempts, error_count as errors, request_count as requests, peak_ratio as "peakShare"`;

/** Episodes that touch [from, to), newest first. */
export async function listEpisodes(
  sql: Sql,
  projectId: number,
  filter: SeriesFilter,
  range: { readonly fromMs: number; readonly toMs: number },
  limit: number,
): Promise<EpisodeRow[]> {
  return sql<EpisodeRow[]>`
    select ${sql.unsafe(COLUMNS)} from episode s
     where ${whereSeries(sql, projectId, filter)}
       and opened_at < ${new Date(range.toMs)} and last_seen_at > ${new Date(range.fromMs)}
     order by opened_at desc, id desc limit ${limit}`;
}

export async function findEpisode(sql: Sql, projectId: number, id: number): Promise<EpisodeRow | null> {
  const [row] = await sql<EpisodeRow[]>`
    select ${sql.unsafe(COLUMNS)} from episode where project_id = ${projectId} and id = ${id}`;
  return row ?? null;
}

/** Episodes last seen after `from`, ascending: what a pass from there on may rewrite. */
export async function listEpisodesSince(tx: ISql, projectId: number, from: Date): Promise<EpisodeRow[]> {
  return tx<EpisodeRow[]>`
    select ${tx.unsafe(COLUMNS)} from episode
     where project_id = ${projectId} and last_seen_at > ${from} order by opened_at`;
}

/** From where a pass must read so as not to cut an episode in two: before it, and before all that it may rewrite. */
export async function getPassStart(sql: ISql, projectId: number, from: Date): Promise<Date> {
  const [row] = await sql<{ start: Date | null }[]>`
    select min(opened_at) as start from episode where project_id = ${projectId} and last_seen_at > ${from}`;
  return row?.start != null && row.start < from ? row.start : from;
}

export interface FoundEpisode extends TargetName, EpisodeFigures {
  readonly fromMs: number;
  readonly toMs: number;
  readonly isOpen: boolean;
  readonly isSettled: boolean;
  readonly requests: number;
}

export async function insertEpisode(tx: ISql, projectId: number, found: FoundEpisode): Promise<void> {
  await tx`
    insert into episode (project_id, provider, model, endpoint, opened_at, closed_at, last_seen_at, attempt_count,
           error_count, request_count, peak_ratio, is_settled)
    values (${projectId}, ${found.provider}, ${found.model}, ${found.endpoint}, ${new Date(found.fromMs)},
            ${found.isOpen ? null : new Date(found.toMs)}, ${new Date(found.toMs)}, ${found.attempts}, ${found.errors},
            ${found.requests}, ${found.peakShare}, ${found.isSettled})`;
}

export async function updateEpisode(tx: ISql, projectId: number, id: number, found: FoundEpisode) {
  await tx`
    update episode
       set opened_at = ${new Date(found.fromMs)}, closed_at = ${found.isOpen ? null : new Date(found.toMs)},
           last_seen_at = ${new Date(found.toMs)}, attempt_count = ${found.attempts}, error_count = ${found.errors},
           request_count = ${found.requests}, peak_ratio = ${found.peakShare}, is_settled = ${found.isSettled}
     where project_id = ${projectId} and id = ${id}`;
}

export async function deleteEpisode(tx: ISql, projectId: number, id: number): Promise<void> {
  await tx`delete from episode where project_id = ${projectId} and id = ${id}`;
}

/** Projects that had calls since then. */
export async function listBusyProjects(sql: ISql, from: Date): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select p.id from project p
     where exists (select from series s join attempt_rollup_1m r on r.project_id = s.project_id and r.series_id = s.id
                    where s.project_id = p.id and r.bucket_start >= ${from})
        or exists (select from episode e where e.project_id = p.id and e.closed_at is null)`;
  return rows.map(({ id }) => id);
}

/** Until when the nightly pass has looked; `null`: never. */
export async function findSettledTo(sql: ISql, projectId: number): Promise<Date | null> {
  const [row] = await sql<{ settledTo: Date }[]>`
    select settled_to as "settledTo" from episode_run where project_id = ${projectId}`;
  return row?.settledTo ?? null;
}

export async function noteSettled(tx: ISql, projectId: number, to: Date): Promise<void> {
  await tx`
    insert into episode_run (project_id, settled_to) values (${projectId}, ${to})
        on conflict (project_id) do update set settled_to = excluded.settled_to`;
}

export interface TryCount extends TargetName {
  /** Attempts of the request, whatever their target; 10 stands for more. */
  readonly tries: number;
  readonly requests: number;
  /** Of these, the ones that were answered in the end. */
  readonly answered: number;
}

/** How many attempts it took those requests that found no room at a target, in [from, to). */
export async function listTryCounts(
  sql: Sql,
  projectId: number,
  filter: SeriesFilter,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<TryCount[]> {
  const [from, to] = [new Date(range.fromMs), new Date(range.toMs)];
  // One pass over the attempts: nothing finds those of a request but a scan.
  return sql<TryCount[]>`
    with told as (
      select a.request_id, least(count(*), 10)::int as tries,
             bool_or(a.outcome = ${OUTCOMES.indexOf("ok")}) as is_answered,
             array_agg(distinct a.series_id) filter (where a.outcome = ${OUTCOMES.indexOf("capacity")}) as hit
        from attempt a
       where a.project_id = ${projectId} and a.occurred_at >= ${from} and a.occurred_at < ${to}
         and a.request_id is not null
       group by 1
    ), by_target as (
      select distinct s.provider, s.model, s.endpoint, t.request_id, t.tries, t.is_answered
        from told t cross join unnest(t.hit) as series_id
        join series s on s.project_id = ${projectId} and s.id = series_id
       where ${whereSeries(sql, projectId, filter)}
    )
    select provider, model, endpoint, tries, count(*)::int as requests,
           (count(*) filter (where is_answered))::int as answered
      from by_target group by 1, 2, 3, 4 order by 1, 2, 3, 4`;
}
