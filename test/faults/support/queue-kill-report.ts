import { count } from "../../bench/support/numbers.ts";
import type { QueueKillReport } from "./queue-kill-rounds.ts";

/** A look every 5 s, of which some fail while a database comes back, and what a busy machine takes. */
const MOST_STUCK_MS = 45_000;

/** Says what was found, and sets the exit code. */
export function tellQueueKills(report: QueueKillReport): void {
  const {
    kills,
    submitted,
    lost,
    doubled,
    notOnce,
    unkept,
    undone,
    repeated,
    ended,
    longestStuckMs,
    drainedMs,
  } = report;
  console.log(
    `${kills} kills, ${count(submitted)} jobs: lost ${lost}, doubled ${doubled}, completed other than once ${notOnce}, ` +
      `acknowledged and not kept ${unkept}, completed by nobody ${undone}\n` +
      `done again after a crash ${repeated}; leases that ran out ${ended}, ready again at the latest ` +
      `${(longestStuckMs / 1000).toFixed(1)} s after; all done ${(drainedMs / 1000).toFixed(1)} s after the last kill`,
  );
  const faults = lost + doubled + notOnce + unkept + undone;
  process.exitCode = faults === 0 && longestStuckMs <= MOST_STUCK_MS ? 0 : 1;
}
