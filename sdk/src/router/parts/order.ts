import type { Target } from "../types.ts";
import type { TargetState } from "./target-state.ts";

/** What a failed attempt costs, in units of quality, and what waiting for as long as the deadline does. */
const FAILURE_COST = 0.1;
const LATENCY_COST = 0.2;
/** So many times more a failure costs when nothing is left to pay for another attempt. */
const SCARCITY_COST = 8;
/** For each failure of the target within the same request: what was not tried yet goes first. */
export const TRIED_PENALTY = 2;

/** Between tiers, and between the targets of one. */
const TIER_STEP = 0.15;
const PLACE_STEP = 0.04;

/**
 * What answers are worth when nobody says it, by the order of the chain: 1 for the first, 0.15 less for each further
 * tier, 0.04 less for each further target of a tier. The steps shrink where that would not fit.
 */
export function getDefaultQualities(targets: readonly Pick<Target, "id" | "tier">[]): number[] {
  const tiers = [...new Set(targets.map(({ id, tier }) => tier ?? id))];
  const tierStep = Math.min(TIER_STEP, 0.9 / tiers.length);
  const places = new Map<string, number>();
  return targets.map(({ id, tier }) => {
    const name = tier ?? id;
    const place = places.get(name) ?? 0;
    places.set(name, place + 1);
    const mates = targets.filter((other) => (other.tier ?? other.id) === name).length;
    const placeStep = Math.min(PLACE_STEP, (0.8 * tierStep) / Math.max(1, mates - 1));
    return 1 - tierStep * tiers.indexOf(name) - placeStep * place;
  });
}

/**
 * By what targets are put in order: quality, less what its likely failures and its slowness cost. Trying in descending
 * order of it is the best order there is for independent failures that can be followed by another target. With these
 * costs a target gives way to one of quality 0.96 only when fewer than seven in ten of its attempts go well.
 *
 * @param expected success share of the next attempt, in (0, 1)
 * @param scarcity how little is left of the budget that pays for the attempt, 0–1
 * @see docs/router.md#which-target-is-asked
 */
export function getIndex(
  quality: number,
  expected: number,
  latency: { readonly meanMs: number; readonly failureMs: number },
  deadlineMs: number,
  scarcity = 0,
): number {
  const fixed = FAILURE_COST * (1 + SCARCITY_COST * scarcity);
  const cost = fixed + LATENCY_COST * Math.min(1, latency.failureMs / deadlineMs);
  const slowness = LATENCY_COST * Math.min(1, latency.meanMs / deadlineMs);
  return quality - (cost * (1 - expected)) / Math.max(expected, 0.001) - slowness;
}

export function getIndexOf(
  state: TargetState,
  quality: number,
  isStream: boolean,
  deadlineMs: number,
  nowMs: number,
  scarcity = 0,
): number {
  return getIndex(quality, state.expect(nowMs), state.latencyOf(isStream), deadlineMs, scarcity);
}
