import type { PendingQuery, Row } from "postgres";
import type { Sql } from "../../db/connect.ts";
import type { Step } from "../contract/share.ts";
import type { Segment } from "./segments.ts";

/** Which series a question is about; an absent part means all. */
export interface SeriesFilter {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly source?: string | undefined;
  readonly chain?: string | undefined;
}

const FILTER_PARTS = ["provider", "model", "endpoint", "source", "chain"] as const;

export type Fragment = PendingQuery<Row[]>;

/** `series s` of the project that match the filter, as a condition. */
export function whereSeries(sql: Sql, projectId: number, filter: SeriesFilter): Fragment {
  const parts = FILTER_PARTS.flatMap((part) =>
    filter[part] === undefined ? [] : [[part, filter[part]] as const],
  );
  return parts.reduce(
    (condition, [part, value]) => sql`${condition} and s.${sql(part)} = ${value}`,
    sql`s.project_id = ${projectId}`,
  );
}

/**
 * The rows of a kind of rollup over all segments, as one relation. A day that is not settled yet is read from its
 * hours; since it is one statement, a day is settled or not for all of it.
 */
export function rollupRows(sql: Sql, kind: "attempt" | "latency", segments: readonly Segment[]): Fragment {
  const table = (level: Segment["level"]) => sql(`${kind}_rollup_${level}`);
  const selects = segments.map(({ level, fromMs, toMs }) => {
    const [from, to] = [new Date(fromMs), new Date(toMs)];
    if (level !== "1d") {
      return sql`select * from ${table(level)} where bucket_start >= ${from} and bucket_start < ${to}`;
    }
    return sql`
      select d.* from ${table("1d")} d
       where d.bucket_start >= ${from} and d.bucket_start < ${to}
         and not exists (
             select from unsettled_day u where u.project_id = d.project_id and u.day = d.bucket_start)
       union all
      select h.* from unsettled_day u
        join ${table("1h")} h on h.project_id = u.project_id
                             and h.bucket_start >= u.day and h.bucket_start < u.day + interval '24 hours'
       where u.day >= ${from} and u.day < ${to}`;
  });
  const [first, ...rest] = selects;
  if (first === undefined) return sql`select * from ${table("15m")} where false`;
  return rest.reduce((union, select) => sql`${union} union all ${select}`, first);
}

export interface ReadQuestion {
  readonly projectId: number;
  readonly filter: SeriesFilter;
  readonly segments: readonly Segment[];
}

export interface TargetCount {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  readonly outcome: number;
  readonly attempts: number;
  readonly requests: number;
  readonly degraded: number;
  readonly retries: number;
}

/** Counts per target (provider, model, endpoint) and outcome. */
export async function listTargetCounts(sql: Sql, question: ReadQuestion): Promise<TargetCount[]> {
  return sql<TargetCount[]>`
    select s.provider, s.model, s.endpoint, r.outcome, sum(r.attempt_count)::float8 as attempts,
           sum(r.final_count)::float8 as requests, sum(r.degraded_count)::float8 as degraded,
           sum(r.retry_count)::float8 as retries
      from series s
      join (${rollupRows(sql, "attempt", question.segments)}) r on r.project_id = s.project_id and r.series_id = s.id
     where ${whereSeries(sql, question.projectId, question.filter)}
     group by 1, 2, 3, 4`;
}

export interface TargetLatency {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  /** 0 latency, 1 time to first token. */
  readonly measure: number;
  readonly bins: number[];
  readonly counts: number[];
}

/** Merged histograms of successful attempts per target: a failure is fast, and would flatter an outage. */
export async function listTargetLatencies(sql: Sql, question: ReadQuestion): Promise<TargetLatency[]> {
  return sql<TargetLatency[]>`
    select s.provider, s.model, s.endpoint, merged.measure, array_agg(merged.bin) as bins, array_agg(merged.n) as counts
      from (select series_id, measure, bin, sum(n)::int as n
              from (select r.series_id, r.measure, unnest(r.bins) as bin, unnest(r.counts) as n
                      from (${rollupRows(sql, "latency", question.segments)}) r
                     where r.project_id = ${question.projectId} and r.outcome = 0
                       and r.series_id in (
                           select s.id from series s
                            where ${whereSeries(sql, question.projectId, question.filter)})) as measured
             group by 1, 2, 3) as merged
      join series s on s.project_id = ${question.projectId} and s.id = merged.series_id
     group by 1, 2, 3, 4`;
}

function stepStart(sql: Sql, step: Step, zone: string): Fragment {
  if (step === "1h") return sql`date_trunc('hour', r.bucket_start, ${zone})`;
  if (step === "1d") return sql`date_trunc('day', r.bucket_start, ${zone})`;
  return sql`date_bin(${`${Number.parseInt(step, 10)} minutes`}::interval, r.bucket_start, timestamptz 'epoch')`;
}

export interface PointCount {
  readonly startMs: number;
  readonly outcome: number;
  readonly attempts: number;
  readonly requests: number;
  readonly degraded: number;
  readonly retries: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export async function listPointCounts(
  sql: Sql,
  question: ReadQuestion,
  step: Step,
  zone: string,
): Promise<PointCount[]> {
  return sql<PointCount[]>`
    select extract(epoch from ${stepStart(sql, step, zone)})::float8 * 1000 as "startMs", r.outcome,
           sum(r.attempt_count)::float8 as attempts, sum(r.final_count)::float8 as requests,
           sum(r.degraded_count)::float8 as degraded, sum(r.retry_count)::float8 as retries,
           sum(r.input_tokens_sum)::float8 as "inputTokens", sum(r.output_tokens_sum)::float8 as "outputTokens"
      from series s
      join (${rollupRows(sql, "attempt", question.segments)}) r on r.project_id = s.project_id and r.series_id = s.id
     where ${whereSeries(sql, question.projectId, question.filter)}
     group by 1, 2`;
}

export interface PointLatency {
  readonly startMs: number;
  readonly measure: number;
  readonly bins: number[];
  readonly counts: number[];
}

export async function listPointLatencies(
  sql: Sql,
  question: ReadQuestion,
  step: Step,
  zone: string,
): Promise<PointLatency[]> {
  return sql<PointLatency[]>`
    select start as "startMs", measure, array_agg(bin) as bins, array_agg(n) as counts
      from (select start, measure, bin, sum(n)::int as n
              from (select extract(epoch from ${stepStart(sql, step, zone)})::float8 * 1000 as start, r.measure,
                           unnest(r.bins) as bin, unnest(r.counts) as n
                      from series s
                      join (${rollupRows(sql, "latency", question.segments)}) r
                        on r.project_id = s.project_id and r.series_id = s.id
                     where ${whereSeries(sql, question.projectId, question.filter)} and r.outcome = 0) as measured
             group by 1, 2, 3) as merged
     group by 1, 2`;
}
