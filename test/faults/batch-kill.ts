/**
 * Rounds of `kill -9` of a batch, at random instants. It goes on after each; at the end every item must stand in the
 * output once, and none may have been asked for again but those that were under way.
 *
 *   npx tsx test/faults/batch-kill.ts --rounds 50
 */
import { count, readNumber } from "../bench/support/numbers.ts";
import { type BatchKillRound, runBatchKillRounds } from "./support/batch-kill-rounds.ts";

process.once("SIGINT", () => process.exit(130));

function format({ round, requests, finished, inFlight, isTorn }: BatchKillRound) {
  return [
    `round ${String(round).padStart(2)}`,
    requests === 0
      ? "killed before its first call"
      : `killed after ${String(requests).padStart(3)} calls    `,
    `finished ${count(finished).padStart(6)}`,
    `under way ${inFlight}`,
    isTorn ? "the last line broke off" : "",
  ].join("  ");
}

const report = await runBatchKillRounds(readNumber(process.argv, "rounds", 50), (round) =>
  console.log(format(round)),
);
const most = Math.max(...report.rounds.map(({ inFlight }) => inFlight));
console.log(
  `${report.rounds.length} kills, ${count(report.items)} items: ${report.wrong} not there exactly once, ` +
    `${report.repeatedTooOften} asked for too often; ${count(report.calls)} calls, ` +
    `most under way ${most} of ${report.concurrency}, exit code ${report.code}`,
);
const isGood =
  report.wrong === 0 && report.repeatedTooOften === 0 && most <= report.concurrency && report.code === 0;
process.exitCode = isGood ? 0 : 1;
