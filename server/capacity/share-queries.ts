import type { Outcome } from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";
import type { CountKind } from "../contract/share.ts";
import { type Fragment, type ReadQuestion, rollupRows, whereSeries } from "./queries.ts";
import type { Segment } from "./segments.ts";
import { defineShare } from "./share.ts";

/** Whose share is asked for: of which outcome, among attempts or requests. */
export interface ShareQuestion extends ReadQuestion {
  readonly count: CountKind;
  readonly outcome: Outcome;
}

/** How many of n had the outcome. */
export interface Counted {
  readonly k: number;
  readonly n: number;
}

function countColumn(sql: Sql, count: CountKind): Fragment {
  return count === "attempts" ? sql`r.attempt_count` : sql`r.final_count`;
}

/** k and n of rows that have an outcome each. */
export function shareColumns(
  sql: Sql,
  { count, outcome }: Pick<ShareQuestion, "count" | "outcome">,
): Fragment {
  const { inK, inN } = defineShare(outcome);
  const countOf = (codes: readonly number[]) =>
    sql`case when r.outcome = any(${codes as number[]}::smallint[]) then ${countColumn(sql, count)} else 0 end`;
  return sql`${countOf(inK)} as k, ${countOf(inN)} as n`;
}

/** k and n by series and bucket, of the rollup that has fewest rows for the question. */
export function shareRows(sql: Sql, question: ShareQuestion): Fragment {
  const isPrepared = ({ level }: Segment) => level === "15m" && question.outcome === "capacity";
  const others = question.segments.filter((segment) => !isPrepared(segment));
  const selects = question.segments.filter(isPrepared).map((segment) => capacityRows(sql, question, segment));
  if (others.length > 0 || selects.length === 0) selects.push(outcomeRows(sql, question, others));
  return selects.reduce((union, select) => sql`${union} union all ${select}`);
}

function capacityRows(sql: Sql, { count }: ShareQuestion, { fromMs, toMs }: Segment): Fragment {
  const columns =
    count === "attempts"
      ? sql`capacity_attempts as k, counted_attempts as n`
      : sql`capacity_requests as k, counted_requests as n`;
  return sql`
    select project_id, series_id, bucket_start, ${columns} from capacity_rollup_15m
     where bucket_start >= ${new Date(fromMs)} and bucket_start < ${new Date(toMs)}`;
}

function outcomeRows(sql: Sql, question: ShareQuestion, segments: readonly Segment[]): Fragment {
  return sql`
    select r.project_id, r.series_id, r.bucket_start, ${shareColumns(sql, question)}
      from (${rollupRows(sql, "attempt", segments)}) r`;
}

/** Quarter-hours are added up before their zone is looked at: there are few of them, and zones are dear. */
function countsByBucket(sql: Sql, question: ShareQuestion): Fragment {
  return sql`
    select r.bucket_start, sum(r.k)::bigint as k, sum(r.n)::bigint as n
      from series s
      join (${shareRows(sql, question)}) r on r.project_id = s.project_id and r.series_id = s.id
     where ${whereSeries(sql, question.projectId, question.filter)}
     group by 1`;
}

export interface HourOfWeekCount extends Counted {
  readonly hourOfWeek: number;
}

/** k and n by hour of week, 0 = Monday 00:00 on the zone's wall. */
export async function listHourOfWeekCounts(
  sql: Sql,
  question: ShareQuestion,
  zone: string,
): Promise<HourOfWeekCount[]> {
  return sql<HourOfWeekCount[]>`
    select ((extract(epoch from bucket_start at time zone ${zone})::bigint / 3600 + 72) % 168)::int as "hourOfWeek",
           sum(k)::float8 as k, sum(n)::float8 as n
      from (${countsByBucket(sql, question)}) as buckets
     group by 1`;
}

export interface LocalHourCount extends Counted {
  /** Epoch milliseconds of the wall clock's hour, read as if it were UTC. */
  readonly localHourMs: number;
  readonly offsetMs: number;
}

/** k and n by hour on the zone's wall; where clocks go back, the two equal hours differ by their offset. */
export async function listLocalHourCounts(
  sql: Sql,
  question: ShareQuestion,
  zone: string,
): Promise<LocalHourCount[]> {
  return sql<LocalHourCount[]>`
    select extract(epoch from date_trunc('hour', bucket_start at time zone ${zone}))::float8 * 1000 as "localHourMs",
           extract(epoch from (bucket_start at time zone ${zone}) - (bucket_start at time zone 'UTC'))::float8 * 1000
             as "offsetMs",
           sum(k)::float8 as k, sum(n)::float8 as n
      from (${countsByBucket(sql, question)}) as buckets
     group by 1, 2`;
}

/** Hour-of-week counts that the hourly job made, summed over the series that match. */
export async function listProfileCounts(
  sql: Sql,
  question: Omit<ShareQuestion, "segments">,
): Promise<HourOfWeekCount[]> {
  return sql<HourOfWeekCount[]>`
    select "hourOfWeek", sum(k)::float8 as k, sum(n)::float8 as n
      from (select r.hour_of_week as "hourOfWeek", ${shareColumns(sql, question)}
              from series s join hour_profile r on r.project_id = s.project_id and r.series_id = s.id
             where ${whereSeries(sql, question.projectId, question.filter)}) as prepared
     group by 1`;
}

export interface ProfileRun {
  readonly timeZone: string;
  readonly rangeFrom: Date;
  readonly rangeTo: Date;
  readonly isStale: boolean;
}

export async function findProfileRun(sql: Sql, projectId: number): Promise<ProfileRun | null> {
  const [run] = await sql<ProfileRun[]>`
    select time_zone as "timeZone", range_from as "rangeFrom", range_to as "rangeTo", is_stale as "isStale"
      from hour_profile_run where project_id = ${projectId}`;
  return run ?? null;
}
