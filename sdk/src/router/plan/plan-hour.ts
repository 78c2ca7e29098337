import type { PlanChain } from "./plan-document.ts";
import { isWithin } from "./window.ts";
import { getWallTime } from "./zone-clock.ts";

/** What of a plan holds at one moment. */
export interface PlanHour {
  /** Ids to be asked first, in this order; `undefined`: the targets' own order. */
  readonly order: readonly string[] | undefined;
  /** Ids to be asked only when nothing else is left. */
  readonly avoided: ReadonlySet<string>;
}

/**
 * Which order and which avoidances a chain's plan has at a moment: of two windows at once the first counts.
 *
 * @param timeZone IANA zone in which windows are read
 */
export function getPlanHour(
  { schedule = [], avoid = [] }: Pick<PlanChain, "schedule" | "avoid">,
  timeZone: string,
  epochMs: number,
): PlanHour {
  if (schedule.length === 0 && avoid.length === 0) return { order: undefined, avoided: new Set() };
  const time = getWallTime(epochMs, timeZone);
  return {
    order: schedule.find((entry) => isWithin(entry, time))?.order,
    avoided: new Set(
      avoid
        .filter(({ windows }) => windows.some((window) => isWithin(window, time)))
        .map(({ target }) => target),
    ),
  };
}
