/**
 * `kill -9` of workers, the server and its database at random, while jobs are handed over and done. Afterwards every
 * acknowledged job must be completed once in the ledger, and no lease may have been stuck for longer than it may.
 *
 *   npx tsx test/faults/queue-kill.ts --rounds 20
 */
import { readNumber } from "../bench/support/numbers.ts";
import { tellQueueKills } from "./support/queue-kill-report.ts";
import { runQueueKillRounds } from "./support/queue-kill-rounds.ts";

process.once("SIGINT", () => process.exit(130));

tellQueueKills(
  await runQueueKillRounds(readNumber(process.argv, "rounds", 20), (round, victim) =>
    console.log(`round ${String(round).padStart(2)}  kill -9 of ${victim}`),
  ),
);
