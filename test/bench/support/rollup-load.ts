import fs from "node:fs";
import { connect, type Sql } from "../../../db/connect.ts";
import type { ConnectionTarget } from "../../../db/open-database.ts";
import { makePartition } from "../../../server/retention/partitions.ts";
import { runRollup } from "../../../server/rollup/job.ts";
import { queueRebuild } from "../../../server/rollup/rebuild.ts";
import { insertHistory, insertLive, makeSeries } from "./history.ts";

export const EVENTS_PER_SECOND = 2_000;
const STEP_MS = 10_000;
const DAY_MS = 86_400_000;
/** Of the day before, so that the midnight has a day of rollups to close. */
const ROWS_BEFORE = 400_000;
const TICKS_PER_SECOND = 100;

export interface RollupLoad {
  readonly steps: number;
  /** CPU seconds of the job per simulated second: in this process and in its database session. */
  readonly share: number;
  readonly nodeShare: number;
  /** The longest of all runs, in milliseconds of real time. */
  readonly longestRunMs: number;
}

/**
 * Runs the rollup job every ten simulated seconds while 2,000 events a second arrive, from seven minutes before a
 * midnight until four minutes after it. Only the job's work is counted, not that of whoever stores the events.
 */
export async function measureRollupLoad(target: ConnectionTarget, midnightMs: number): Promise<RollupLoad> {
  const jobSql = connect(target, { max: 1, name: "jobs" });
  const liveSql = connect(target, { max: 1, name: "bench" });
  try {
    await makeSeries(liveSql);
    const startMs = midnightMs - 7 * 60_000;
    const endMs = midnightMs + 4 * 60_000;
    await insertHistory(liveSql, midnightMs - DAY_MS, startMs, ROWS_BEFORE);
    await makePartition(liveSql, midnightMs / DAY_MS);
    await queueRebuild(jobSql);
    await runRollup(jobSql, startMs);
    return await runSteps(jobSql, liveSql, startMs, endMs);
  } finally {
    await Promise.all([jobSql.end(), liveSql.end()]);
  }
}

async function runSteps(jobSql: Sql, liveSql: Sql, startMs: number, endMs: number): Promise<RollupLoad> {
  const readSessionSeconds = await watchSession(jobSql);
  let [steps, seconds, nodeSeconds, longestRunMs] = [0, 0, 0, 0];
  for (let nowMs = startMs + STEP_MS; nowMs <= endMs; nowMs += STEP_MS, steps++) {
    await insertLive(liveSql, nowMs, STEP_MS, (EVENTS_PER_SECOND * STEP_MS) / 1000);
    const before = { cpu: process.cpuUsage(), session: readSessionSeconds(), at: performance.now() };
    await runRollup(jobSql, nowMs);
    const { user, system } = process.cpuUsage(before.cpu);
    const elapsedMs = performance.now() - before.at;
    longestRunMs = Math.max(longestRunMs, elapsedMs);
    nodeSeconds += (user + system) / 1e6;
    // Without /proc the time on the wall stands for the session's: it is never less.
    seconds += (user + system) / 1e6 + (readSessionSeconds() - before.session || elapsedMs / 1000);
  }
  const simulatedSeconds = (endMs - startMs) / 1000;
  return {
    steps,
    share: seconds / simulatedSeconds,
    nodeShare: nodeSeconds / simulatedSeconds,
    longestRunMs,
  };
}

/** What the session's database process has used so far, in CPU seconds; `NaN` where that cannot be seen. */
async function watchSession(sql: Sql): Promise<() => number> {
  const [session] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return () => {
    try {
      const stat = fs.readFileSync(`/proc/${session?.pid}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    } catch {
      return Number.NaN;
    }
  };
}
