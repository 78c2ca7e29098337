/**
 * `kill -9` of workers, the server and its database at random, while jobs are handed over and done. Afterwards every
 * acknowledged job must be completed once in the ledger, and no lease may have been stuck for longer than it may.
 *
 *   npx tsx test/faults/queue-kill.ts --rounds 20
 */
import { count, readNumber } from "../bench/support/numbers.ts";
import { runQueueKillRounds } from "./support/queue-kill-rounds.ts";

/** A look every 5 s, of which some fail while a database comes back, and what a busy machine takes. */
const MOST_STUCK_MS = 45_000;

process.once("SIGINT", () => process.exit(130));

const report = await runQueueKillRounds(readNumber(process.argv, "rounds", 20), (round, victim) =>
  console.log(`round ${String(round).padStart(2)}  kill -9 of ${victim}`),
);
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
