import type { ISql, Sql } from "../../db/connect.ts";
import { bucketsAround, HOUR_MS, minutesKeptFrom, QUARTER_MS } from "./levels.ts";
import {
  deleteUnsettledDay,
  getSealedBeforeMs,
  insertCapacityCounts,
  listUnsettledDays,
  markChanged,
  replaceFromFiner,
  replaceFromRaw,
  takeTouchedDay,
} from "./queries.ts";

/** Whoever writes or drops rollups holds this, so that a slower computation never overwrites a newer one. */
export const ROLLUP_LOCK = 20260706;
const SETTLED_PER_RUN = 400;

export interface RollupReport {
  /** Minutes recomputed. */
  minutes: number;
  /** Touched minutes that were passed over because their raw attempts are gone. */
  sealedMinutes: number;
  /** Closed days whose 1-day rollup was brought up to date. */
  settledDays: number;
  /** Another server is at it. */
  isBusyElsewhere: boolean;
}

/**
 * Brings the rollups up to date with all that is committed: touched minutes, the quarter-hours and hours around
 * them, and closed days. Each (project, day) is a transaction of its own, so a crash loses only work, and running it
 * twice, or on two servers at once, changes nothing.
 */
export async function runRollup(sql: Sql, nowMs: number): Promise<RollupReport> {
  const report: RollupReport = { minutes: 0, sealedMinutes: 0, settledDays: 0, isBusyElsewhere: false };
  for (;;) {
    const step = await rollUpOneDay(sql, nowMs, report);
    if (step === "busy") return { ...report, isBusyElsewhere: true };
    if (step === "empty") break;
  }
  for (const { projectId, day } of await listUnsettledDays(sql, new Date(nowMs), SETTLED_PER_RUN)) {
    const isSettled = await settleDay(sql, projectId, day);
    if (!isSettled) return { ...report, isBusyElsewhere: true };
    report.settledDays++;
  }
  return report;
}

type Step = "done" | "empty" | "busy";

async function rollUpOneDay(sql: Sql, nowMs: number, report: RollupReport): Promise<Step> {
  return sql.begin(async (tx): Promise<Step> => {
    if (!(await tryLock(tx))) return "busy";
    const touched = await takeTouchedDay(tx);
    if (touched === null) return "empty";
    const { projectId, dayMs, minutesMs } = touched;
    const sealedBeforeMs = await getSealedBeforeMs(tx);
    const open = minutesMs.filter((minute) => minute >= sealedBeforeMs);
    report.sealedMinutes += minutesMs.length - open.length;
    const first = open[0];
    if (first === undefined) return "done";
    await recompute(tx, projectId, open, dayMs >= minutesKeptFrom(nowMs));
    await markChanged(tx, projectId, dayMs, first);
    report.minutes += open.length;
    return "done";
  });
}

/** Minutes of one UTC day, ascending; the rest of their quarter-hours and hours comes along. */
async function recompute(tx: ISql, projectId: number, minutesMs: readonly number[], keepsMinutes: boolean) {
  await preferIndexes(tx);
  const around = (grainMs: number) => bucketsAround(minutesMs, grainMs).map((ms) => new Date(ms));
  const quarters = around(QUARTER_MS);
  if (keepsMinutes) {
    await replaceFromRaw(
      tx,
      "1m",
      projectId,
      minutesMs.map((ms) => new Date(ms)),
    );
    await replaceFromFiner(tx, "15m", projectId, quarters);
  } else {
    await replaceFromRaw(tx, "15m", projectId, quarters);
  }
  await insertCapacityCounts(tx, projectId, quarters);
  await replaceFromFiner(tx, "1h", projectId, around(HOUR_MS));
}

/** False when another server holds the lock. */
async function settleDay(sql: Sql, projectId: number, day: Date): Promise<boolean> {
  return sql.begin(async (tx) => {
    if (!(await tryLock(tx))) return false;
    await preferIndexes(tx);
    await deleteUnsettledDay(tx, projectId, day);
    await replaceFromFiner(tx, "1d", projectId, [day]);
    return true;
  });
}

async function tryLock(tx: ISql): Promise<boolean> {
  const [row] = await tx<{ locked: boolean }[]>`select pg_try_advisory_xact_lock(${ROLLUP_LOCK}) as locked`;
  return row?.locked ?? false;
}

/**
 * A fresh partition has no statistics, and a guess of the planner can turn these short index reads into a scan
 * of the whole day for each minute.
 */
async function preferIndexes(tx: ISql): Promise<void> {
  await tx`set local enable_seqscan = off`;
  await tx`set local jit = off`;
}
