/**
 * Rounds of `kill -9` while the server tells Slack of alerts: in one Slack takes nothing, in the next it takes a message
 * whose answer the server does not live to see. Afterwards each must stand in the channel, in order, and once, but for
 * what says of itself that it may be a repetition.
 *
 *   npx tsx test/faults/outbox-kill.ts --rounds 4
 */
import { readNumber } from "../bench/support/numbers.ts";
import { runOutboxKillRounds } from "./support/outbox-kill-rounds.ts";

process.once("SIGINT", () => process.exit(130));

const report = await runOutboxKillRounds(
  readNumber(process.argv, "rounds", 4),
  ({ round, slack, drainedMs }) =>
    console.log(
      `round ${round}  slack ${slack.padEnd(6)}  outbox empty ${(drainedMs / 1000).toFixed(1)} s after the kill`,
    ),
);
const { notices, lost, outOfOrder, marked, doubled, rounds } = report;
const mayBeMarked = rounds.filter(({ slack }) => slack === "taking").length;
console.log(
  `${rounds.length} kills, ${notices} notices: lost ${lost}, out of order ${outOfOrder}, doubled ${doubled}, ` +
    `repeated and said so ${marked} (at most ${mayBeMarked})`,
);
process.exitCode = lost + outOfOrder + doubled === 0 && marked <= mayBeMarked ? 0 : 1;
