import type { PlanDocument, PlanTarget } from "../../contract/plan.ts";
import type { TieredTarget } from "./read-targets.ts";

export interface OrderedChain {
  readonly chain: string;
  /** In the order in which they are asked. */
  readonly targets: readonly TieredTarget[];
  /** `null` where nobody said it. */
  readonly attempts: number | null;
}

/** The chains of a plan that names their targets, without their floor: that one is always asked last. */
export function readPlanChains({ chains }: PlanDocument): OrderedChain[] {
  return Object.entries(chains).flatMap(([chain, { targets, floor, retry }]) => {
    if (targets === undefined) return [];
    const isFloor = ({ id, tier }: PlanTarget) => floor !== undefined && (id === floor || tier === floor);
    const movable = targets.filter((target) => !isFloor(target));
    const tiers = [...new Set(movable.map(({ id, tier }) => tier ?? id))];
    return [
      {
        chain,
        targets: movable.map(({ id, tier, provider, model, endpoint = "" }) => {
          return { id, provider, model, endpoint, tier: tiers.indexOf(tier ?? id) };
        }),
        attempts: retry?.maxAttempts ?? null,
      },
    ];
  });
}
