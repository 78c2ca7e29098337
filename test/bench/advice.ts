/**
 * How good advice is: on readings of real endpoints (`--trace`), in made worlds whose truth is known, and what it costs.
 *
 *   npm run bench:advice -- [--trace readings.jsonl.gz] [--per 20] [--replicates 300]
 */
import { measureCost } from "./support/advice-cost.ts";
import { reportEpisodes } from "./support/episode-report.ts";
import { readNumber } from "./support/numbers.ts";
import { reportPeaks } from "./support/peak-report.ts";
import { reportTrace } from "./support/trace-report.ts";

const args = process.argv;
process.once("SIGINT", () => process.exit(130));

const at = args.indexOf("--trace");
const trace = at < 0 ? undefined : args[at + 1];
if (trace === undefined) console.log("No --trace FILE given: readings of real endpoints are left out.");
else reportTrace(trace, readNumber(args, "per", 20));
reportPeaks(readNumber(args, "replicates", 300));
reportEpisodes(60);
measureCost();
