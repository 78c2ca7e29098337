import { getDefaultQualities } from "./parts/order.ts";
import type { TargetState } from "./parts/target-state.ts";
import type { PlanChain, PlanDocument } from "./plan/plan-document.ts";
import { getPlanHour } from "./plan/plan-hour.ts";
import type { Chain, PlanPart, RetryPolicy, Target } from "./types.ts";

const RETRY: RetryPolicy = { maxAttempts: 5, baseMs: 1_000, capMs: 10_000, totalWaitMs: 30_000 };

/** A target as requests meet it at this hour. */
export interface Link {
  readonly target: Target;
  readonly state: TargetState;
  /** What its answer is worth; falls along the order of this hour. */
  readonly quality: number;
  /** Place in the chain as configured, from 0. */
  readonly position: number;
  readonly isFloor: boolean;
  /** It is asked only when nothing else is left. */
  readonly isAvoided: boolean;
  /** Who pays: a bad key or an empty quota concerns all links of one. */
  readonly account: string;
}

/** The chain at one hour: what a request goes by from its beginning to its end. */
export interface Course {
  readonly links: readonly Link[];
  readonly retry: RetryPolicy;
  readonly chain: Chain;
  readonly planVersion: number | null;
}

/** The chain and the hours that are in force until another plan comes. */
export interface Rules {
  readonly chain: Chain;
  readonly schedule: NonNullable<PlanChain["schedule"]>;
  readonly avoid: NonNullable<PlanChain["avoid"]>;
  readonly timeZone: string;
  readonly planVersion: number | null;
}

/** The rules of the code alone. */
export function rulesOf(chain: Chain): Rules {
  return { chain, schedule: [], avoid: [], timeZone: "UTC", planVersion: null };
}

/** The code's chain with what a plan may change of it. A plan that does not know the chain changes nothing. */
export function mergePlan(own: Chain, plan: PlanDocument, locked: readonly PlanPart[]): Rules {
  const theirs = plan.chains[own.name ?? "default"] ?? {};
  const take = <T>(part: PlanPart, planned: T | undefined) => (locked.includes(part) ? undefined : planned);
  const targets = take("targets", theirs.targets) ?? own.targets;
  const floor = take("floor", theirs.floor) ?? own.floor;
  const chain: Chain = {
    ...own,
    targets: targets.map((target) => withOwnLimit(target, own, locked)),
    ...(floor === undefined ? {} : { floor }),
    retry: { ...own.retry, ...take("retry", theirs.retry) },
  };
  return {
    chain,
    schedule: take("schedule", theirs.schedule) ?? [],
    avoid: take("avoid", theirs.avoid) ?? [],
    timeZone: plan.timeZone,
    planVersion: plan.version,
  };
}

function withOwnLimit(target: Target, own: Chain, locked: readonly PlanPart[]): Target {
  if (!locked.includes("maxConcurrency")) return target;
  const { maxConcurrency: _, ...rest } = target;
  const ours = own.targets.find(({ id }) => id === target.id)?.maxConcurrency;
  return ours === undefined ? rest : { ...rest, maxConcurrency: ours };
}

/** @param stateOf what is known of a target */
export function makeCourse(rules: Rules, epochMs: number, stateOf: (target: Target) => TargetState): Course {
  const { chain, planVersion } = rules;
  const { order, avoided } = getPlanHour(rules, rules.timeZone, epochMs);
  const targets = reorder(chain.targets, order);
  const qualities = getQualities(chain.targets, targets, order !== undefined);
  const { floor } = chain;
  const isNamed = chain.targets.some(({ id }) => id === floor);
  const links = targets.map((target, at): Link => {
    const isFloor = floor !== undefined && (isNamed ? target.id : target.tier) === floor;
    return {
      target,
      state: stateOf(target),
      quality: qualities[at] ?? 0,
      position: chain.targets.indexOf(target),
      isFloor,
      isAvoided: avoided.has(target.id) && !isFloor,
      account: `${target.provider} ${target.account ?? target.endpoint ?? ""}`,
    };
  });
  return { links, retry: { ...RETRY, ...chain.retry }, chain: { ...chain, targets }, planVersion };
}

/** The named ones first, in that order; the others follow as they were. */
function reorder(targets: readonly Target[], order: readonly string[] | undefined): readonly Target[] {
  if (order === undefined) return targets;
  const named = order.flatMap((id) => targets.find((target) => target.id === id) ?? []);
  return [...new Set([...named, ...targets])];
}

/** In an order of the hour, the first is worth what the best is worth otherwise, and so on down. */
function getQualities(own: readonly Target[], ordered: readonly Target[], isReordered: boolean): number[] {
  const usual = getDefaultQualities(own);
  const given = own.map(({ quality }, at) => quality ?? usual[at] ?? 0);
  if (isReordered) return [...given].sort((a, b) => b - a);
  return ordered.map((target) => given[own.indexOf(target)] ?? 0);
}
