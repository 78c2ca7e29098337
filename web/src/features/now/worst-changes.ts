import type { Cell, CountKind, OverviewTarget, TargetFigures } from "../../../../server/contract/share.ts";

export interface Change {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  readonly now: Cell;
  readonly before: Cell;
  /** Difference of the shares, now minus before. */
  readonly difference: number;
  /** The two intervals do not overlap: more than chance. */
  readonly isClear: boolean;
}

export function shareOf(figures: TargetFigures, count: CountKind): Cell {
  return count === "attempts" ? figures.capacity : figures.requestCapacity;
}

/** Whether any target has enough calls in both weeks: else nothing can be said of changes. */
export const canCompare = (targets: readonly OverviewTarget[], count: CountKind) =>
  targets.some(
    (target) =>
      target.before !== null &&
      shareOf(target, count).state === "enough" &&
      shareOf(target.before, count).state === "enough",
  );

/**
 * The targets whose share rose most, worst first, and clear ones before those that may be
 * chance; those with too few calls on either side are left out.
 */
export function listWorstChanges(targets: readonly OverviewTarget[], count: CountKind, limit = 3): Change[] {
  return targets
    .flatMap((target) => {
      const now = shareOf(target, count);
      const before = target.before === null ? null : shareOf(target.before, count);
      if (before === null || now.state !== "enough" || before.state !== "enough") return [];
      const difference = (now.rate ?? 0) - (before.rate ?? 0);
      if (difference <= 0) return [];
      const { provider, model, endpoint } = target;
      const isClear = (now.low ?? 0) > (before.high ?? 1);
      return [{ provider, model, endpoint, now, before, difference, isClear }];
    })
    .sort((a, b) => Number(b.isClear) - Number(a.isClear) || b.difference - a.difference)
    .slice(0, limit);
}
