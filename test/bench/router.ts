/**
 * What routing is worth: policies in one simulated world of busy hours, brown-outs and outages, on the same seeds, in
 * virtual time. The shipped router is what runs, and cockatiel is the package itself; LiteLLM is its documented rules.
 *
 *   npm run bench:router -- [--seeds 7001-7020] [--days mixed,harsh,quiet] [--json]
 *
 * Seeds 1001–1020 were tuned on and decide nothing. Its figures rank policies; they foretell nobody's production.
 */
import { cockatiel } from "./router-sim/cockatiel.ts";
import { average, type Figures, measure } from "./router-sim/measure.ts";
import { ours } from "./router-sim/ours.ts";
import { comparePairs, judgeAll, type Pair } from "./router-sim/pairs.ts";
import * as policies from "./router-sim/policies.ts";
import { DAY_HEAD, dayRow, OUTAGE_HEAD, outageRow, STORM_HEAD, stormRow, table } from "./router-sim/print.ts";
import {
  HARSH,
  METASTABLE,
  MIXED,
  measureOutage,
  measureStorm,
  type OutageFigures,
  QUIET,
  type StormFigures,
} from "./router-sim/scenarios.ts";
import { type Policy, type Scenario, simulate } from "./router-sim/simulate.ts";

const POLICIES: Readonly<Record<string, Policy>> = {
  none: policies.none,
  "five immediate retries": policies.immediate,
  "backoff, one model": policies.backoff,
  "ordered fallback": policies.fallback,
  "fallback + backoff": policies.fallbackBackoff,
  "LiteLLM's rules": policies.litellm,
  "cockatiel + fallback": cockatiel,
  busyhour: ours,
};
const DAYS: Readonly<Record<string, Scenario>> = { mixed: MIXED, harsh: HARSH, quiet: QUIET };
/** What the model of plain fallback had on an ordinary day when the world was made: success, share of the first tier. */
const PUBLISHED = { success: 0.9999, firstShare: 0.8084, firstTierShare: 0.9741 };
/** The other runs take longer and differ less between seeds. */
const STORM_SEEDS = 8;

const text = (name: string, fallback: string) => {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? fallback : (process.argv[at + 1] ?? "");
};

/** `7-9,12` is 7, 8, 9, 12. */
function readSeeds(given: string): number[] {
  const seeds = given.split(",").flatMap((part) => {
    const match = /^(\d+)(?:-(\d+))?$/.exec(part.trim());
    if (match === null) return [Number.NaN];
    const [from, to] = [Number(match[1]), Number(match[2] ?? match[1])];
    return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
  });
  if (seeds.length === 0 || seeds.some(Number.isNaN))
    throw new Error("--seeds takes numbers and ranges: 7-9,12");
  return seeds;
}

async function measureDay(name: string, scenario: Scenario, seeds: readonly number[]) {
  const figures: Record<string, Figures[]> = {};
  for (const [policy, make] of Object.entries(POLICIES)) {
    const startedMs = performance.now();
    const runs: Figures[] = [];
    for (const seed of seeds) runs.push(measure(await simulate(make, seed, scenario)));
    figures[policy] = runs;
    say(`${name}: ${policy}, ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  }
  return figures;
}

const isJson = process.argv.includes("--json");
const say = (line: string) => console.error(line);
const seeds = readSeeds(text("seeds", "7001-7020"));
const days = text("days", Object.keys(DAYS).join(",")).split(",");
const few = seeds.slice(0, STORM_SEEDS);

const perDay: Record<string, Record<string, Figures>> = {};
let pairs: Pair[] = [];
for (const name of days) {
  const scenario = DAYS[name];
  if (scenario === undefined) throw new Error(`--days takes ${Object.keys(DAYS).join(", ")}`);
  const runs = await measureDay(name, scenario, seeds);
  perDay[name] = Object.fromEntries(Object.entries(runs).map(([policy, all]) => [policy, average(all)]));
  if (name === "mixed") pairs = comparePairs(runs["busyhour"] ?? [], runs["ordered fallback"] ?? []);
}
const outage: Record<string, OutageFigures> = {};
const storms: Record<string, Record<string, StormFigures>> = {};
for (const [policy, make] of Object.entries(POLICIES)) {
  outage[policy] = await measureOutage(make, few);
  for (const [kind, scenario] of Object.entries(METASTABLE)) {
    storms[kind] ??= {};
    storms[kind][policy] = await measureStorm(make, few, scenario);
  }
  say(`outage and storms: ${policy}`);
}
const verdicts = judgeAll({ mixed: perDay["mixed"], published: PUBLISHED, pairs, outage, storms });

if (isJson) console.log(JSON.stringify({ seeds, days: perDay, pairs, outage, storms, verdicts }, null, 2));
else {
  console.log(`Seeds ${text("seeds", "7001-7020")}`);
  for (const [name, figures] of Object.entries(perDay))
    console.log(table(`A ${name} day`, DAY_HEAD, figures, dayRow));
  console.log(table("Everything down for ten minutes", OUTAGE_HEAD, outage, outageRow));
  for (const [kind, figures] of Object.entries(storms))
    console.log(table(`Five times slower for two minutes, ${kind}`, STORM_HEAD, figures, stormRow));
  console.log("\nBusyhour against ordered fallback on a mixed day, by seed");
  for (const { name, difference, error, better, worse } of pairs)
    console.log(
      `  ${name.padEnd(22)} ${difference.toFixed(4).padStart(9)} ± ${error.toFixed(4)}  lower in ${better}, higher in ${worse}`,
    );
  console.log("");
  for (const { what, value, want, isMet } of verdicts)
    console.log(`  ${what.padEnd(62)} ${value.padStart(9)}  ${want.padEnd(12)} ${isMet ? "met" : "MISSED"}`);
}
if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
