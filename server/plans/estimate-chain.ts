import { getPlanHour } from "@busyhour/sdk";
import type { PlanChain } from "../contract/plan.ts";

/** A chain as it is played: its targets, and the hours in which they stand otherwise. */
export interface PlayedChain {
  readonly chain: PlanChain;
  readonly timeZone: string;
}

/** Requests that came in a stretch of time. */
export interface Arrivals {
  readonly startMs: number;
  readonly requests: number;
}

export interface ChainEstimate {
  readonly success: number;
  readonly firstTierShare: number;
  readonly attemptsPerRequest: number;
  /** Shares of requests by id; targets that were never called are left out. */
  readonly targets: ReadonlyMap<string, { readonly asked: number; readonly served: number }>;
}

const USUAL_MAX_ATTEMPTS = 5;

/** Its own id, where a target names no tier. */
export function tierOf({ id, tier }: { readonly id: string; readonly tier?: string | undefined }): string {
  return tier ?? id;
}

/**
 * What a chain would have made of requests, if each asked one target after the other, in the order of its hour, until
 * one answered.
 *
 * @param failureShareOf by target id and moment, 0–1; `null`: the target was never called, and is left out
 * @param firstTier the tier whose share is asked for
 * @returns `null` when there is nothing to play, or no target is left to play it with
 * @see docs/plans.md#replay
 */
export function estimateChain(
  { chain, timeZone }: PlayedChain,
  arrivals: readonly Arrivals[],
  failureShareOf: (id: string, startMs: number) => number | null,
  firstTier: string,
): ChainEstimate | null {
  const known = (chain.targets ?? []).filter(({ id }) => failureShareOf(id, 0) !== null);
  const total = arrivals.reduce((sum, { requests }) => sum + requests, 0);
  if (known.length === 0 || total <= 0) return null;
  const maxAttempts = chain.retry?.maxAttempts ?? USUAL_MAX_ATTEMPTS;
  const sums = new Map(known.map(({ id }) => [id, { asked: 0, served: 0 }]));
  for (const { startMs, requests } of arrivals) {
    let left = requests;
    for (const id of orderAt({ chain, timeZone }, known, startMs).slice(0, maxAttempts)) {
      const sum = sums.get(id);
      if (sum === undefined) continue;
      sum.asked += left;
      sum.served += left * (1 - (failureShareOf(id, startMs) ?? 1));
      left *= failureShareOf(id, startMs) ?? 1;
    }
  }
  const isFirst = new Set(known.filter((target) => tierOf(target) === firstTier).map(({ id }) => id));
  const add = (pick: (id: string, sum: { asked: number; served: number }) => number) =>
    [...sums].reduce((sum, [id, one]) => sum + pick(id, one), 0) / total;
  return {
    success: add((_, { served }) => served),
    firstTierShare: add((id, { served }) => (isFirst.has(id) ? served : 0)),
    attemptsPerRequest: add((_, { asked }) => asked),
    targets: new Map(
      [...sums].map(([id, { asked, served }]) => [id, { asked: asked / total, served: served / total }]),
    ),
  };
}

/** Ids in the order in which a router asks them at a moment: avoided ones last, the floor where it stands. */
function orderAt(
  { chain, timeZone }: PlayedChain,
  known: NonNullable<PlanChain["targets"]>,
  epochMs: number,
): string[] {
  const { order = [], avoided } = getPlanHour(asRouterReads(chain), timeZone, epochMs);
  const ids = known.map(({ id }) => id);
  const ordered = [...new Set([...order.filter((id) => ids.includes(id)), ...ids])];
  const floors = floorsOf(chain);
  const isLast = (id: string) => avoided.has(id) && !floors.has(id);
  return [...ordered.filter((id) => !isLast(id)), ...ordered.filter(isLast)];
}

function floorsOf({ floor, targets = [] }: PlanChain): ReadonlySet<string> {
  const isNamed = targets.some(({ id }) => id === floor);
  return new Set(
    targets
      .filter(({ id, tier }) => floor !== undefined && (isNamed ? id : tier) === floor)
      .map(({ id }) => id),
  );
}

/** The same without what a schema leaves as `undefined`. */
function asRouterReads({ schedule = [], avoid = [] }: PlanChain): Parameters<typeof getPlanHour>[0] {
  return { schedule, avoid } as Parameters<typeof getPlanHour>[0];
}
