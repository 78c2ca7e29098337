import type { Sql } from "../../db/connect.ts";
import { type SeriesFilter, whereSeries } from "../capacity/queries.ts";
import type { Quarter } from "../profile/day-hours.ts";
import { QUARTER_MS } from "../rollup/levels.ts";
import type { TargetName } from "./target-history.ts";

export interface TargetQuarters extends TargetName {
  /** In order of time. */
  readonly quarters: readonly Quarter[];
}

/** The capacity share's counts of attempts by target and quarter-hour that lies within [from, to) wholly. */
export async function listTargetQuarters(
  sql: Sql,
  projectId: number,
  filter: SeriesFilter,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<TargetQuarters[]> {
  // Arrays: a row per quarter-hour would be half a million objects for a hundred models.
  const rows = await sql<(TargetName & { starts: number[]; ks: number[]; ns: number[] })[]>`
    select provider, model, endpoint, array_agg(quarter order by quarter) as starts,
           array_agg(k order by quarter) as ks, array_agg(n order by quarter) as ns
      from (select s.provider, s.model, s.endpoint, (extract(epoch from r.bucket_start) / 900)::int as quarter,
                   sum(r.capacity_attempts)::int as k, sum(r.counted_attempts)::int as n
              from series s
              join capacity_rollup_15m r on r.project_id = s.project_id and r.series_id = s.id
             where ${whereSeries(sql, projectId, filter)}
               and r.bucket_start >= ${new Date(range.fromMs)}
               and r.bucket_start < ${new Date(Math.floor(range.toMs / QUARTER_MS) * QUARTER_MS)}
             group by 1, 2, 3, 4) as counted
     group by 1, 2, 3
     order by 1, 2, 3`;
  return rows.map(({ starts, ks, ns, ...name }) => ({
    ...name,
    quarters: starts.map((quarter, i) => ({ startMs: quarter * QUARTER_MS, k: ks[i] ?? 0, n: ns[i] ?? 0 })),
  }));
}
