import type { ISql } from "../../db/connect.ts";
import { LOOKBACK_DAYS } from "../advice/target-history.ts";
import { defineShare } from "../capacity/share.ts";
import { GAMMA } from "./latency-bin.ts";
import { DAY_MS, type Level } from "./levels.ts";

const ATTEMPT_SUMS =
  "attempt_count, final_count, degraded_count, retry_count, latency_ms_sum, input_tokens_sum, output_tokens_sum";

/**
 * Takes the touched minutes of one (project, UTC day) off the queue: of the oldest day that is waiting.
 *
 * Only committed pairs are seen. A transaction that commits later brings its own pairs with it, so what is
 * computed after this, by later snapshots, can only be newer than the pairs.
 */
export async function takeTouchedDay(
  tx: ISql,
): Promise<{ projectId: number; dayMs: number; minutesMs: number[] } | null> {
  const rows = await tx<{ projectId: number; minute: number }[]>`
    with oldest as (
      select project_id, date_trunc('day', minute, 'UTC') as day
        from touched_bucket order by minute limit 1
    )
    delete from touched_bucket t
     using oldest o
     where t.project_id = o.project_id and t.minute >= o.day and t.minute < o.day + interval '24 hours'
    returning t.project_id as "projectId", extract(epoch from t.minute)::float8 * 1000 as minute`;
  const first = rows[0];
  if (first === undefined) return null;
  const minutesMs = [...new Set(rows.map((row) => row.minute))].sort((a, b) => a - b);
  return { projectId: first.projectId, dayMs: Math.floor(first.minute / 86_400_000) * 86_400_000, minutesMs };
}

/** As text: the driver takes an array of dates for a single one. */
function toArray(times: readonly Date[]): string {
  return `{${times.map((time) => time.toISOString()).join(",")}}`;
}

/** Removes the buckets of a rollup level, of all series of the project. */
async function deleteBuckets(tx: ISql, level: Level, projectId: number, starts: readonly Date[]) {
  const tables = [`attempt_rollup_${level}`, `latency_rollup_${level}`];
  if (level === "15m") tables.push("capacity_rollup_15m");
  for (const table of tables) {
    await tx`
      delete from ${tx(table)} r
       using series s
       where s.project_id = ${projectId} and r.project_id = ${projectId} and r.series_id = s.id
         and r.bucket_start >= ${starts[0] as Date} and r.bucket_start <= ${starts.at(-1) as Date}
         and r.bucket_start = any(${toArray(starts)}::timestamptz[])`;
  }
}

/**
 * Replaces the buckets of a level by what the raw attempts say now.
 *
 * @param starts ascending, all of one UTC day, so that the one day partition is read by its index
 */
export async function replaceFromRaw(
  tx: ISql,
  level: "1m" | "15m",
  projectId: number,
  starts: readonly Date[],
): Promise<void> {
  await deleteBuckets(tx, level, projectId, starts);
  const width = level === "1m" ? "1 minute" : "15 minutes";
  await tx`
    with raw as materialized (
      select b.bucket_start, a.series_id, a.outcome, a.is_final, a.position, a.attempt, a.latency_ms,
             a.first_token_ms, a.input_tokens, a.output_tokens
        from unnest(${toArray(starts)}::timestamptz[]) as b (bucket_start)
       cross join lateral (
             select * from attempt
              where project_id = ${projectId}
                and occurred_at >= b.bucket_start
                and occurred_at < b.bucket_start + ${width}::interval
                and occurred_at >= ${starts[0] as Date}
                and occurred_at < ${starts.at(-1) as Date}::timestamptz + ${width}::interval
              offset 0) a
    ), counted as (
      insert into ${tx(`attempt_rollup_${level}`)}
             (project_id, series_id, bucket_start, outcome, ${tx.unsafe(ATTEMPT_SUMS)})
      select ${projectId}, series_id, bucket_start, outcome,
             count(*),
             count(*) filter (where is_final),
             count(*) filter (where is_final and position > 0),
             count(*) filter (where attempt > 1),
             coalesce(sum(latency_ms), 0), coalesce(sum(input_tokens), 0), coalesce(sum(output_tokens), 0)
        from raw
       group by series_id, bucket_start, outcome
    ), measured as (
      select r.series_id, r.bucket_start, m.measure, r.outcome,
             case when m.ms <= 1 then 0 else ceil(ln(m.ms::float8) / ${Math.log(GAMMA)}::float8) end::smallint as bin,
             count(*)::int as bin_count
        from raw r
       cross join lateral (values (0::smallint, r.latency_ms), (1::smallint, r.first_token_ms)) as m (measure, ms)
       where m.ms is not null
       group by 1, 2, 3, 4, 5
    )
    insert into ${tx(`latency_rollup_${level}`)}
           (project_id, series_id, bucket_start, measure, outcome, bins, counts)
    select ${projectId}, series_id, bucket_start, measure, outcome, array_agg(bin order by bin),
           array_agg(bin_count order by bin)
      from measured
     group by series_id, bucket_start, measure, outcome`;
}

const WIDTHS = { "15m": "15 minutes", "1h": "1 hour", "1d": "24 hours" } as const;
const FINER = { "15m": "1m", "1h": "15m", "1d": "1h" } as const;

/**
 * Replaces the buckets of a level by the sums of the next finer one.
 *
 * @param starts ascending, all of one UTC day
 */
export async function replaceFromFiner(
  tx: ISql,
  level: keyof typeof FINER,
  projectId: number,
  starts: readonly Date[],
): Promise<void> {
  await deleteBuckets(tx, level, projectId, starts);
  const width = WIDTHS[level];
  const [first, last] = [starts[0] as Date, starts.at(-1) as Date];
  const finer = (table: string) => tx(`${table}_${FINER[level]}`);
  await tx`
    insert into ${tx(`attempt_rollup_${level}`)}
           (project_id, series_id, bucket_start, outcome, ${tx.unsafe(ATTEMPT_SUMS)})
    select ${projectId}, f.series_id, date_bin(${width}::interval, f.bucket_start, timestamptz 'epoch') as start,
           f.outcome, sum(f.attempt_count), sum(f.final_count), sum(f.degraded_count), sum(f.retry_count),
           sum(f.latency_ms_sum), sum(f.input_tokens_sum), sum(f.output_tokens_sum)
      from series s
      join ${finer("attempt_rollup")} f on f.project_id = s.project_id and f.series_id = s.id
     where s.project_id = ${projectId}
       and f.bucket_start >= ${first} and f.bucket_start < ${last}::timestamptz + ${width}::interval
       and date_bin(${width}::interval, f.bucket_start, timestamptz 'epoch') = any(${toArray(starts)}::timestamptz[])
     group by f.series_id, start, f.outcome`;
  await tx`
    insert into ${tx(`latency_rollup_${level}`)}
           (project_id, series_id, bucket_start, measure, outcome, bins, counts)
    select ${projectId}, series_id, start, measure, outcome, array_agg(bin order by bin), array_agg(n order by bin)
      from (select f.series_id, date_bin(${width}::interval, f.bucket_start, timestamptz 'epoch') as start,
                   f.measure, f.outcome, u.bin, sum(u.n)::int as n
              from series s
              join ${finer("latency_rollup")} f on f.project_id = s.project_id and f.series_id = s.id
             cross join lateral unnest(f.bins, f.counts) as u (bin, n)
             where s.project_id = ${projectId}
               and f.bucket_start >= ${first} and f.bucket_start < ${last}::timestamptz + ${width}::interval
               and date_bin(${width}::interval, f.bucket_start, timestamptz 'epoch')
                   = any(${toArray(starts)}::timestamptz[])
             group by 1, 2, 3, 4, 5) as merged
     group by series_id, start, measure, outcome`;
}

const CAPACITY = defineShare("capacity");

/**
 * Fills the quarter-hours of `capacity_rollup_15m`, which were emptied with the others, from their counts by outcome.
 *
 * @param starts ascending, all of one UTC day
 */
export async function insertCapacityCounts(
  tx: ISql,
  projectId: number,
  starts: readonly Date[],
): Promise<void> {
  const ofCapacity = tx`outcome = any(${CAPACITY.inK as number[]}::smallint[])`;
  await tx`
    insert into capacity_rollup_15m
           (project_id, series_id, bucket_start, counted_attempts, capacity_attempts, counted_requests, capacity_requests)
    select ${projectId}, r.series_id, r.bucket_start,
           sum(r.attempt_count), coalesce(sum(r.attempt_count) filter (where ${ofCapacity}), 0),
           sum(r.final_count), coalesce(sum(r.final_count) filter (where ${ofCapacity}), 0)
      from series s
      join attempt_rollup_15m r on r.project_id = s.project_id and r.series_id = s.id
     where s.project_id = ${projectId}
       and r.bucket_start >= ${starts[0] as Date} and r.bucket_start <= ${starts.at(-1) as Date}
       and r.bucket_start = any(${toArray(starts)}::timestamptz[])
       and r.outcome = any(${CAPACITY.inN as number[]}::smallint[])
     group by r.series_id, r.bucket_start`;
}

/** Says that the day's 1-day rollup is behind, and that pictures, advice and episodes made of it are out of date. */
export async function markChanged(tx: ISql, projectId: number, dayMs: number, firstMs: number) {
  await tx`
    insert into unsettled_day (project_id, day) values (${projectId}, ${new Date(dayMs)}) on conflict do nothing`;
  await tx`
    update hour_profile_run set is_stale = true
     where project_id = ${projectId} and not is_stale
       and range_to > ${new Date(firstMs)}
       and range_to < ${new Date(dayMs + (LOOKBACK_DAYS + 3) * DAY_MS)}`;
  await tx`
    update episode_run set settled_to = ${new Date(dayMs)}
     where project_id = ${projectId} and settled_to > ${new Date(dayMs)}`;
}

/** Closed days whose 1-day rollup is behind, oldest first. */
export async function listUnsettledDays(sql: ISql, before: Date, limit: number) {
  return sql<{ projectId: number; day: Date }[]>`
    select project_id as "projectId", day from unsettled_day
     where day + interval '24 hours' <= ${before} order by day limit ${limit}`;
}

export async function deleteUnsettledDay(tx: ISql, projectId: number, day: Date): Promise<void> {
  await tx`delete from unsettled_day where project_id = ${projectId} and day = ${day}`;
}

/** Before this, raw attempts are gone: `-Infinity` when none ever were dropped. */
export async function getSealedBeforeMs(sql: ISql): Promise<number> {
  const [row] = await sql<{ sealedBefore: Date | null }[]>`
    select sealed_before as "sealedBefore" from installation where id = 1`;
  return row?.sealedBefore?.getTime() ?? Number.NEGATIVE_INFINITY;
}
