import { cockatiel } from "./cockatiel.ts";
import { type Figures, measure } from "./measure.ts";
import { ours } from "./ours.ts";
import * as policies from "./policies.ts";
import {
  HARSH,
  METASTABLE,
  MIXED,
  measureOutage,
  measureStorm,
  type OutageFigures,
  QUIET,
  type StormFigures,
} from "./scenarios.ts";
import { type Policy, type Scenario, simulate } from "./simulate.ts";

/** Who takes part. The shipped router is what runs, and cockatiel is the package; LiteLLM is its documented rules. */
export const POLICIES = {
  none: policies.none,
  "five immediate retries": policies.immediate,
  "backoff, one model": policies.backoff,
  "ordered fallback": policies.fallback,
  "fallback + backoff": policies.fallbackBackoff,
  "LiteLLM's rules": policies.litellm,
  "cockatiel + fallback": cockatiel,
  busyhour: ours,
} as const satisfies Record<string, Policy>;

export type PolicyName = keyof typeof POLICIES;
export const POLICY_NAMES = Object.keys(POLICIES) as PolicyName[];
export const OURS: PolicyName = "busyhour";
export const PLAIN: PolicyName = "ordered fallback";
export const NAIVE: PolicyName = "five immediate retries";

export const DAYS = { mixed: MIXED, harsh: HARSH, quiet: QUIET } as const satisfies Record<string, Scenario>;
export type DayName = keyof typeof DAYS;
export const STORMS = METASTABLE;
export type StormName = keyof typeof STORMS;

/** One policy in one world of one seed: what a process does at a time. */
export type Job = { readonly policy: PolicyName; readonly seed: number } & (
  | { readonly kind: "day"; readonly day: DayName }
  | { readonly kind: "outage" }
  | { readonly kind: "storm"; readonly storm: StormName }
);

export type JobFigures<J extends Job> = J extends { kind: "day" }
  ? Figures
  : J extends { kind: "outage" }
    ? OutageFigures
    : StormFigures;

export async function runJob(job: Job): Promise<Figures | OutageFigures | StormFigures> {
  const policy = POLICIES[job.policy];
  if (job.kind === "day") return measure(await simulate(policy, job.seed, DAYS[job.day]));
  if (job.kind === "outage") return measureOutage(policy, job.seed);
  return measureStorm(policy, job.seed, STORMS[job.storm]);
}
