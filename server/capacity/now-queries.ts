import type { Sql } from "../../db/connect.ts";
import { whereSeries } from "./queries.ts";
import { type Counted, type ShareQuestion, shareColumns, shareRows } from "./share-queries.ts";

/** k and n of one target (provider, model, endpoint). */
export interface TargetShare extends Counted {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
}

/** Over all of the segments. */
export async function listTargetShares(sql: Sql, question: ShareQuestion): Promise<TargetShare[]> {
  return sql<TargetShare[]>`
    select s.provider, s.model, s.endpoint, sum(r.k)::float8 as k, sum(r.n)::float8 as n
      from series s
      join (${shareRows(sql, question)}) r on r.project_id = s.project_id and r.series_id = s.id
     where ${whereSeries(sql, question.projectId, question.filter)}
     group by 1, 2, 3`;
}

export interface TargetHourShare extends TargetShare {
  /** Start of an hour on the zone's wall, epoch milliseconds. */
  readonly startMs: number;
}

export async function listTargetHourShares(
  sql: Sql,
  question: ShareQuestion,
  zone: string,
): Promise<TargetHourShare[]> {
  return sql<TargetHourShare[]>`
    select s.provider, s.model, s.endpoint,
           extract(epoch from date_trunc('hour', r.bucket_start, ${zone}))::float8 * 1000 as "startMs",
           sum(r.k)::float8 as k, sum(r.n)::float8 as n
      from series s
      join (${shareRows(sql, question)}) r on r.project_id = s.project_id and r.series_id = s.id
     where ${whereSeries(sql, question.projectId, question.filter)}
     group by 1, 2, 3, 4`;
}

export interface TargetWeekShare extends TargetShare {
  readonly hourOfWeek: number;
}

/** By these hours of the week (0 = Monday 00:00 on the zone's wall), from rollups. */
export async function listTargetWeekShares(
  sql: Sql,
  question: ShareQuestion,
  zone: string,
  hoursOfWeek: readonly number[],
): Promise<TargetWeekShare[]> {
  // Quarter-hours are added up before their zone is looked at: there are few of them, and zones are dear.
  return sql<TargetWeekShare[]>`
    select * from (
      select provider, model, endpoint,
             ((extract(epoch from bucket_start at time zone ${zone})::bigint / 3600 + 72) % 168)::int as "hourOfWeek",
             sum(k)::float8 as k, sum(n)::float8 as n
        from (select s.provider, s.model, s.endpoint, r.bucket_start, sum(r.k)::bigint as k, sum(r.n)::bigint as n
                from series s
                join (${shareRows(sql, question)}) r on r.project_id = s.project_id and r.series_id = s.id
               where ${whereSeries(sql, question.projectId, question.filter)}
               group by 1, 2, 3, 4) as quarters
       group by 1, 2, 3, 4) as hours
     where "hourOfWeek" in ${sql(hoursOfWeek)}`;
}

/** The same from what the hourly job has counted. */
export async function listTargetProfileShares(
  sql: Sql,
  question: Omit<ShareQuestion, "segments">,
  hoursOfWeek: readonly number[],
): Promise<TargetWeekShare[]> {
  return sql<TargetWeekShare[]>`
    select provider, model, endpoint, "hourOfWeek", sum(k)::float8 as k, sum(n)::float8 as n
      from (select s.provider, s.model, s.endpoint, r.hour_of_week as "hourOfWeek", ${shareColumns(sql, question)}
              from series s join hour_profile r on r.project_id = s.project_id and r.series_id = s.id
             where ${whereSeries(sql, question.projectId, question.filter)}
               and r.hour_of_week in ${sql(hoursOfWeek)}) as prepared
     group by 1, 2, 3, 4`;
}
