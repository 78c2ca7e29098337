import {
  type DayName,
  OURS,
  PLAIN,
  POLICY_NAMES,
  type PolicyName,
  STORMS,
  type StormName,
} from "./contest.ts";
import { average, type Figures } from "./measure.ts";
import type { BenchOptions } from "./options.ts";
import { comparePairs, type Pair } from "./pairs.ts";
import type { Pool } from "./pool.ts";
import { PUBLISHED_SEEDS } from "./published.ts";
import { averageOutages, averageStorms, type OutageFigures, type StormFigures } from "./scenarios.ts";

type ByPolicy<T> = Readonly<Record<PolicyName, T>>;

/** Everything that is measured. */
export interface Contest {
  readonly days: Partial<Readonly<Record<DayName, ByPolicy<Figures>>>>;
  /** Ours less ordered fallback, seed by seed. */
  readonly pairs: Partial<Readonly<Record<DayName, readonly Pair[]>>>;
  readonly outage: ByPolicy<OutageFigures>;
  readonly storms: Readonly<Record<StormName, ByPolicy<StormFigures>>>;
  /** Ordered fallback on the mixed days whose figures were published. */
  readonly published: Figures;
}

/** Storms and outages differ less between seeds. */
const FEW = 8;

/** @param say is told of what is done */
export async function runContest(
  { seeds, days }: Pick<BenchOptions, "seeds" | "days">,
  pool: Pool,
  say: (line: string) => void,
): Promise<Contest> {
  const few = seeds.slice(0, FEW);
  const each = async <T>(what: string, measure: (policy: PolicyName) => Promise<T>) => {
    const measured = POLICY_NAMES.map(async (policy) => [policy, await measure(policy)] as const);
    const all = Object.fromEntries(await Promise.all(measured)) as Record<PolicyName, T>;
    say(`${what}: done`);
    return all;
  };
  const ofDay = async (day: DayName) => {
    const runs = await each(`${day} day`, (policy) =>
      Promise.all(seeds.map((seed) => pool.run({ kind: "day", day, policy, seed }))),
    );
    return { day, runs };
  };
  const ofStorm = async (storm: StormName) => {
    const figures = await each(`storm, ${storm}`, async (policy) =>
      averageStorms(await Promise.all(few.map((seed) => pool.run({ kind: "storm", storm, policy, seed })))),
    );
    return [storm, figures] as const;
  };
  const measuredDays = Promise.all(days.map(ofDay));
  const measuredStorms = Promise.all((Object.keys(STORMS) as StormName[]).map(ofStorm));
  const measuredOutage = each("outage of everything", async (policy) =>
    averageOutages(await Promise.all(few.map((seed) => pool.run({ kind: "outage", policy, seed })))),
  );
  const published = Promise.all(
    PUBLISHED_SEEDS.map((seed) => pool.run({ kind: "day", day: "mixed", policy: PLAIN, seed })),
  );
  const runs = await measuredDays;
  const averages = (all: ByPolicy<readonly Figures[]>) =>
    Object.fromEntries(POLICY_NAMES.map((policy) => [policy, average(all[policy])])) as ByPolicy<Figures>;
  return {
    days: Object.fromEntries(runs.map(({ day, runs: all }) => [day, averages(all)])),
    pairs: Object.fromEntries(runs.map(({ day, runs: all }) => [day, comparePairs(all[OURS], all[PLAIN])])),
    outage: await measuredOutage,
    storms: Object.fromEntries(await measuredStorms) as Contest["storms"],
    published: average(await published),
  };
}
