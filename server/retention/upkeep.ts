import type { Sql } from "../../db/connect.ts";
import { deleteAlertsBefore } from "../alerts/alert-queries.ts";
import { deleteDropsBefore } from "../ingest/drops.ts";
import { deletePlanLeftovers } from "../plans/queries.ts";
import { ROUTER_DAYS } from "../plans/routers.ts";
import { ROLLUP_LOCK } from "../rollup/job.ts";
import { DAY_MS, floorTo, minutesKeptFrom, ROLLUP_DAYS } from "../rollup/levels.ts";
import {
  isLockTimeout,
  listPartitionDays,
  listStrayDays,
  makePartition,
  partitionName,
  toDayNumber,
} from "./partitions.ts";

/** Partitions are there this many days before they are needed. */
const DAYS_AHEAD = 7;

export interface UpkeepReport {
  madePartitions: number;
  droppedPartitions: number;
}

/**
 * Keeps partitions ahead of time, moves strays to their day, drops raw days past retention with what reporters lost
 * before then, rollups past theirs with the alerts of that time, and routers that were not heard of for a week. Each
 * step is a transaction of its own and may be run again at any time.
 */
export async function runUpkeep(sql: Sql, nowMs: number, rawRetentionDays: number): Promise<UpkeepReport> {
  const report: UpkeepReport = { madePartitions: 0, droppedPartitions: 0 };
  const today = toDayNumber(nowMs);
  const oldest = toDayNumber(nowMs - rawRetentionDays * DAY_MS);
  const wanted = new Set([...(await listStrayDays(sql)).filter((day) => day >= oldest)]);
  for (let day = today - 1; day <= today + DAYS_AHEAD; day++) wanted.add(day);
  const present = new Set(await listPartitionDays(sql));
  for (const day of wanted) {
    if (!present.has(day) && (await makePartition(sql, day))) report.madePartitions++;
  }
  for (const day of present) {
    if (day >= oldest) continue;
    if (await dropDay(sql, day)) report.droppedPartitions++;
  }
  await dropRollups(sql, nowMs);
  await deleteAlertsBefore(sql, rollupsFrom(nowMs));
  await deleteDropsBefore(sql, new Date(oldest * DAY_MS));
  await deletePlanLeftovers(sql, {
    routersBefore: new Date(nowMs - ROUTER_DAYS * DAY_MS),
    rehearsalsBefore: new Date(oldest * DAY_MS),
  });
  return report;
}

/**
 * Drops a day of raw attempts once its rollups hold all of it, and seals the buckets up to its end in the same
 * transaction. A day with minutes that are still to be rolled up, or that is being read, stays for the next time.
 *
 * @returns whether it is gone
 */
async function dropDay(sql: Sql, day: number): Promise<boolean> {
  const [from, to] = [new Date(day * DAY_MS), new Date((day + 1) * DAY_MS)];
  const partition = partitionName(day);
  try {
    return await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${ROLLUP_LOCK})`;
      await tx`set local lock_timeout = '5s'`;
      // Whoever still writes into the day is waited for, so that its touched minutes are seen below.
      await tx`lock table ${tx(partition)} in access exclusive mode`;
      const waiting = await tx`select from touched_bucket where minute >= ${from} and minute < ${to} limit 1`;
      if (waiting.length > 0) return false;
      await tx`drop table ${tx(partition)}`;
      await tx`update installation set sealed_before = greatest(sealed_before, ${to}) where id = 1`;
      return true;
    });
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  }
}

const rollupsFrom = (nowMs: number) => new Date(floorTo(nowMs, DAY_MS) - ROLLUP_DAYS * DAY_MS);

/** 1-minute rollups go a day later than readers and the rollup job stop to count on them. */
async function dropRollups(sql: Sql, nowMs: number): Promise<void> {
  const minutesBefore = new Date(minutesKeptFrom(nowMs) - DAY_MS);
  const before = rollupsFrom(nowMs);
  const tables: readonly (readonly [string, Date])[] = [
    ["attempt_rollup_1m", minutesBefore],
    ["latency_rollup_1m", minutesBefore],
    ["attempt_rollup_15m", before],
    ["latency_rollup_15m", before],
    ["capacity_rollup_15m", before],
    ["attempt_rollup_1h", before],
    ["latency_rollup_1h", before],
    ["attempt_rollup_1d", before],
    ["latency_rollup_1d", before],
  ];
  await sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${ROLLUP_LOCK})`;
    for (const [table, time] of tables) {
      await tx`
        delete from ${tx(table)} r using series s
         where r.project_id = s.project_id and r.series_id = s.id and r.bucket_start < ${time}`;
    }
  });
}
