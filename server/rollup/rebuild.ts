import type { Sql } from "../../db/connect.ts";
import { listPartitionDays, listStrayDays } from "../retention/partitions.ts";
import { DAY_MS, floorTo } from "./levels.ts";
import { getSealedBeforeMs } from "./queries.ts";

export interface RebuildReport {
  /** UTC days put on the queue. */
  days: number;
  /** Days of rollups that are left as they are, because their raw attempts are gone. */
  sealedDays: number;
}

/**
 * Puts every minute of raw attempts and of rollups in [from, to) on the rollup job's queue, a day a transaction.
 * The job then replaces them by what raw attempts say; a rollup that nothing stands behind any more goes away.
 */
export async function queueRebuild(
  sql: Sql,
  range: { projectId?: number; fromMs?: number; toMs?: number } = {},
): Promise<RebuildReport> {
  const sealedBeforeMs = await getSealedBeforeMs(sql);
  const report: RebuildReport = { days: 0, sealedDays: 0 };
  for (const dayMs of await listDays(sql)) {
    if (dayMs + DAY_MS <= (range.fromMs ?? Number.NEGATIVE_INFINITY)) continue;
    if (dayMs >= (range.toMs ?? Number.POSITIVE_INFINITY)) continue;
    if (dayMs < floorTo(Math.max(sealedBeforeMs, -8.64e15), DAY_MS)) {
      report.sealedDays++;
      continue;
    }
    if (await touchDay(sql, dayMs, range.projectId ?? null)) report.days++;
  }
  return report;
}

/** UTC days of which there are raw attempts or rollups, ascending, epoch milliseconds. */
async function listDays(sql: Sql): Promise<number[]> {
  const rolledUp = await sql<{ day: number }[]>`
    select distinct floor(extract(epoch from bucket_start) / 86400)::int as day from attempt_rollup_15m`;
  const days = [
    ...(await listPartitionDays(sql)),
    ...(await listStrayDays(sql)),
    ...rolledUp.map(({ day }) => day),
  ];
  return [...new Set(days)].sort((a, b) => a - b).map((day) => day * DAY_MS);
}

/** Whether the day holds anything. */
async function touchDay(sql: Sql, dayMs: number, projectId: number | null): Promise<boolean> {
  const [from, to] = [new Date(dayMs), new Date(dayMs + DAY_MS)];
  const wanted = sql`(${projectId}::int is null or s.project_id = ${projectId})`;
  const rolledUp = (table: string) => sql`
    select r.project_id, r.bucket_start
      from series s join ${sql(table)} r on r.project_id = s.project_id and r.series_id = s.id
     where r.bucket_start >= ${from} and r.bucket_start < ${to} and ${wanted}`;
  const touched = await sql`
    insert into touched_bucket (project_id, minute)
    select s.project_id, date_trunc('minute', s.occurred_at, 'UTC')
      from attempt s
     where s.occurred_at >= ${from} and s.occurred_at < ${to} and ${wanted}
     union ${rolledUp("attempt_rollup_1m")}
     union ${rolledUp("attempt_rollup_15m")}`;
  return touched.count > 0;
}
