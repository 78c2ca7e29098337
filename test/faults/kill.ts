/**
 * Rounds of `kill -9` during ingest: the server, then its database. After each, every acknowledged event must be
 * stored once, and the rollups must be what raw attempts say.
 *
 *   npx tsx test/faults/kill.ts --rounds 20
 */
import { count, readNumber } from "../bench/support/numbers.ts";
import { type KillRound, runKillRounds } from "./support/kill-rounds.ts";

process.once("SIGINT", () => process.exit(130));

function format({
  round,
  victim,
  acknowledged,
  stored,
  lost,
  doubled,
  wrongBuckets,
  recoveryMs,
  failures,
}: KillRound) {
  const answers = [...failures].map(([answer, times]) => `${answer} × ${times}`).join(", ");
  return [
    `round ${String(round).padStart(2)}  ${victim.padEnd(8)}`,
    `acknowledged ${count(acknowledged).padStart(7)}`,
    `stored ${count(stored).padStart(7)}`,
    `lost ${lost}  doubled ${doubled}  wrong buckets ${wrongBuckets}`,
    `back in ${(recoveryMs / 1000).toFixed(2)} s`,
    `meanwhile ${answers || "nothing failed"}`,
  ].join("  ");
}

const rounds = await runKillRounds(readNumber(process.argv, "rounds", 20), (round) =>
  console.log(format(round)),
);
const sum = (value: (round: KillRound) => number) => rounds.reduce((total, round) => total + value(round), 0);
const faults = sum(({ lost, doubled, wrongBuckets }) => lost + doubled + wrongBuckets);
console.log(
  `${rounds.length} rounds: acknowledged ${count(sum(({ acknowledged }) => acknowledged))}, ` +
    `lost ${sum(({ lost }) => lost)}, doubled ${sum(({ doubled }) => doubled)}, ` +
    `wrong buckets ${sum(({ wrongBuckets }) => wrongBuckets)}, ` +
    `longest recovery ${(Math.max(...rounds.map(({ recoveryMs }) => recoveryMs)) / 1000).toFixed(2)} s`,
);
process.exitCode = faults === 0 ? 0 : 1;
