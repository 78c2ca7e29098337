/**
 * `kill -9` of the SDK's workers, the server and its database at random, while jobs are handed over and done. Afterwards
 * every acknowledged job must be completed once in the ledger.
 *
 *   npx tsx test/faults/work-kill.ts --rounds 20
 */
import { readNumber } from "../bench/support/numbers.ts";
import { tellQueueKills } from "./support/queue-kill-report.ts";
import { runQueueKillRounds } from "./support/queue-kill-rounds.ts";

process.once("SIGINT", () => process.exit(130));

const rounds = readNumber(process.argv, "rounds", 20);
tellQueueKills(
  await runQueueKillRounds(
    rounds,
    (round, victim) => console.log(`round ${String(round).padStart(2)}  kill -9 of ${victim}`),
    "sdk-worker.ts",
  ),
);
