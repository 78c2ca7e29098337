import type { Sql } from "../../../db/connect.ts";

/** What is stored of a source, against what was acknowledged. */
export interface StoredCount {
  readonly stored: number;
  /** Acknowledged, and not there. */
  readonly lost: number;
  /** Rows beyond one per event. */
  readonly doubled: number;
}

export async function countStored(
  sql: Sql,
  source: string,
  acknowledged: ReadonlySet<string>,
): Promise<StoredCount> {
  const rows = await sql<{ id: string; copies: number }[]>`
    select a.event_id as id, count(*)::int as copies
      from attempt a join series s on s.project_id = a.project_id and s.id = a.series_id
     where s.source = ${source}
     group by 1`;
  const found = new Set(rows.map(({ id }) => id));
  return {
    stored: found.size,
    lost: [...acknowledged].filter((id) => !found.has(id)).length,
    doubled: rows.reduce((sum, { copies }) => sum + copies - 1, 0),
  };
}

const WIDTHS = { "1m": "1 minute", "15m": "15 minutes" } as const;

/** How many buckets, of all that are kept of minutes and quarter-hours, are not what raw attempts say directly. */
export async function countWrongBuckets(sql: Sql): Promise<number> {
  let wrong = 0;
  for (const [level, width] of Object.entries(WIDTHS)) {
    const [row] = await sql<{ wrong: number }[]>`
      with raw as (
        select series_id, outcome, date_bin(${width}::interval, occurred_at, timestamptz 'epoch') as bucket_start,
               count(*) as attempts, count(*) filter (where is_final) as finals, sum(latency_ms) as latency_ms,
               sum(input_tokens) as input_tokens
          from attempt group by 1, 2, 3
      ), binned as (
        select l.series_id, l.outcome, l.bucket_start, sum(u.n) as measured
          from ${sql(`latency_rollup_${level}`)} l, unnest(l.counts) as u (n)
         where l.measure = 0
         group by 1, 2, 3
      )
      select count(*)::int as wrong
        from raw
        full join ${sql(`attempt_rollup_${level}`)} r using (series_id, outcome, bucket_start)
        full join binned b using (series_id, outcome, bucket_start)
       where (raw.attempts, raw.finals, raw.latency_ms, raw.input_tokens, raw.attempts)
             is distinct from
             (r.attempt_count, r.final_count, r.latency_ms_sum, r.input_tokens_sum, b.measured)`;
    wrong += row?.wrong ?? 0;
  }
  return wrong;
}
