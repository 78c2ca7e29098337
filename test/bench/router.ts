/**
 * What routing is worth: policies in one simulated world of busy hours, brown-outs and outages, on the same seeds, in
 * virtual time. The shipped router is what runs, and cockatiel is the package itself; LiteLLM is its documented rules.
 *
 *   npm run bench:router -- [--seeds 7001-7020] [--days mixed,harsh,quiet] [--json]
 *
 * Seeds 1001–1020 were tuned on and decide nothing. Its figures rank policies; they foretell nobody's production.
 */
import { type BenchOptions, readOptions, USAGE } from "./router-sim/options.ts";
import { Pool } from "./router-sim/pool.ts";
import { printContest } from "./router-sim/print.ts";
import { runContest } from "./router-sim/run-contest.ts";
import { judgeAll } from "./router-sim/verdicts.ts";

process.once("SIGINT", () => process.exit(130));

async function compete(options: BenchOptions): Promise<void> {
  const startedMs = performance.now();
  const pool = new Pool();
  try {
    const contest = await runContest(options, pool, (line) =>
      console.error(`${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(4)} s  ${line}`),
    );
    const verdicts = judgeAll(contest);
    if (options.isJson) console.log(JSON.stringify({ seeds: options.seeds, ...contest, verdicts }, null, 2));
    else console.log(printContest(options.seedsText, contest, verdicts));
    if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
  } finally {
    pool.close();
  }
}

function readOrExplain(): BenchOptions | null {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`bench:router: ${(error as Error).message}\n\n${USAGE}`);
    process.exitCode = 2;
    return null;
  }
}

const options = readOrExplain();
if (options !== null) await compete(options);
