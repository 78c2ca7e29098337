import type { Sql } from "../../db/connect.ts";
import { type SeriesFilter, whereSeries } from "../capacity/queries.ts";
import { defineShare } from "../capacity/share.ts";
import type { LevelCount } from "./judge-concurrency.ts";
import type { LayerCount } from "./judge-own.ts";

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

const CAPACITY = defineShare("capacity");

/** Attempts and the requests that they belong to, of targets that match, by who repeats: in [from, to), from raw rows. */
export async function listLayers(
  sql: Sql,
  projectId: number,
  filter: SeriesFilter,
  { fromMs, toMs }: Range,
): Promise<LayerCount[]> {
  // A request is tried at several targets; at one model's endpoints a repeat is a repeat.
  return sql<LayerCount[]>`
    select s.source, s.chain, count(distinct a.request_id)::int as requests, count(a.request_id)::int as attempts,
           (count(*) - count(a.request_id))::int as unlinked
      from series s join attempt a on a.project_id = s.project_id and a.series_id = s.id
     where ${whereSeries(sql, projectId, filter)}
       and a.occurred_at >= ${new Date(fromMs)} and a.occurred_at < ${new Date(toMs)}
     group by 1, 2`;
}

/** Capacity errors and counted attempts by own calls under way, where that was reported: in [from, to), from raw rows. */
export async function listLevels(
  sql: Sql,
  projectId: number,
  filter: SeriesFilter,
  { fromMs, toMs }: Range,
): Promise<LevelCount[]> {
  return sql<LevelCount[]>`
    select a.in_flight::int as "inFlight", count(*)::int as n,
           (count(*) filter (where a.outcome = any(${CAPACITY.inK as number[]}::smallint[])))::int as k
      from series s join attempt a on a.project_id = s.project_id and a.series_id = s.id
     where ${whereSeries(sql, projectId, filter)}
       and a.occurred_at >= ${new Date(fromMs)} and a.occurred_at < ${new Date(toMs)}
       and a.in_flight is not null and a.outcome = any(${CAPACITY.inN as number[]}::smallint[])
     group by 1`;
}

/** Whether any attempt of the filter is known. */
export async function isEverCalled(sql: Sql, projectId: number, filter: SeriesFilter): Promise<boolean> {
  const rows = await sql`select 1 from series s where ${whereSeries(sql, projectId, filter)} limit 1`;
  return rows.length > 0;
}
