/**
 * How soon alerts are told and how often for nothing: in made worlds whose truth is known, beside what else one might
 * do, and on readings of real endpoints (`--traces`); and what judging costs.
 *
 *   npm run bench:alerts -- [--seed 70000] [--replicates 200] [--traces readings.jsonl.gz] [--from 2026-08-06] [--per 20]
 */
import { measureAlertCost } from "./support/alert-cost.ts";
import { reportArticle, reportJump, reportRush } from "./support/alert-report.ts";
import { reportAlertTrace } from "./support/alert-trace.ts";
import { readNumber } from "./support/numbers.ts";

const args = process.argv;
process.once("SIGINT", () => process.exit(130));

function readText(name: string): string | undefined {
  const at = args.indexOf(`--${name}`);
  return at < 0 ? undefined : args[at + 1];
}

const seed = readNumber(args, "seed", 70_000);
const replicates = readNumber(args, "replicates", 200);
measureAlertCost();
const traces = readText("traces");
if (traces === undefined) console.log("\nNo --traces FILE given: readings of real endpoints are left out.");
else {
  const fromMs = Date.parse(readText("from") ?? "2026-08-06");
  if (Number.isNaN(fromMs)) throw new Error("--from takes a date, such as 2026-08-06");
  reportAlertTrace(traces, fromMs, readNumber(args, "per", 20));
}
reportJump(seed, replicates);
reportRush(seed, Math.ceil(replicates / 5));
reportArticle(seed, replicates);
