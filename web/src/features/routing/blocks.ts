import type { PlanChain } from "../../../../server/contract/plan.ts";
import { coverHours, isWholeHours, toWindows } from "../../time/week-hours.ts";
import { HOURS_PER_WEEK } from "../../time/zone.ts";

export type ScheduleEntry = NonNullable<PlanChain["schedule"]>[number];
export type PlanWindow = NonNullable<PlanChain["avoid"]>[number]["windows"][number];

/** One order of targets, and when it holds. */
export interface Block {
  readonly order: readonly string[];
  readonly entries: readonly ScheduleEntry[];
}

/** The orders of a chain's schedule, each with its windows, in the order in which they are first named. */
export function listBlocks(schedule: readonly ScheduleEntry[] = []): Block[] {
  const blocks = new Map<string, Block>();
  for (const entry of schedule) {
    const key = JSON.stringify(entry.order);
    const { entries } = blocks.get(key) ?? { entries: [] };
    blocks.set(key, { order: entry.order, entries: [...entries, entry] });
  }
  return [...blocks.values()];
}

/** Per hour of the week the block that holds in it, -1 for the usual order; of two at once the first one. */
export function blockPerHour(schedule: readonly ScheduleEntry[] = []): number[] {
  const hours = new Array<number>(HOURS_PER_WEEK).fill(-1);
  const orders = listBlocks(schedule).map(({ order }) => JSON.stringify(order));
  for (const entry of [...schedule].reverse()) {
    const { whole, part } = coverHours(entry);
    for (const hour of [...whole, ...part]) hours[hour] = orders.indexOf(JSON.stringify(entry.order));
  }
  return hours;
}

/** Windows of whole hours with these added or taken away; the others stay as they are. */
function paintWindows<T extends PlanWindow>(
  windows: readonly T[],
  hours: ReadonlySet<number>,
  isOn: boolean,
  make: (window: PlanWindow) => T,
): T[] {
  const fixed = windows.filter((window) => !isWholeHours(window));
  const movable = windows.filter(isWholeHours);
  const open = new Set(movable.flatMap((window) => [...coverHours(window).whole]));
  const before = open.size;
  let isChanged = false;
  for (const hour of hours) {
    if (isOn) open.add(hour);
    else isChanged = open.delete(hour) || isChanged;
  }
  if (!isChanged && open.size === before) return [...windows];
  return [...fixed, ...toWindows(open).map(make)];
}

/**
 * The schedule after hours were given to an order, or to the usual one (`null`). What an entry says of its reasons goes
 * where its hours change, since they were reasons for other hours.
 */
export function paintOrder(
  schedule: readonly ScheduleEntry[] | undefined,
  order: readonly string[] | null,
  hours: ReadonlySet<number>,
): ScheduleEntry[] {
  const blocks = listBlocks(schedule);
  if (order !== null && !blocks.some((block) => isSameOrder(block.order, order)))
    blocks.push({ order, entries: [] });
  return blocks.flatMap((block) =>
    paintWindows(block.entries, hours, order !== null && isSameOrder(block.order, order), (window) => ({
      ...window,
      order: [...block.order],
    })),
  );
}

export const isSameOrder = (a: readonly string[], b: readonly string[]) =>
  JSON.stringify(a) === JSON.stringify(b);

/** Hours in which a target is avoided. */
export function avoidedHours(avoid: PlanChain["avoid"] = [], target: string): Set<number> {
  const windows = avoid.filter((entry) => entry.target === target).flatMap(({ windows }) => windows);
  return new Set(windows.flatMap((window) => [...coverHours(window).whole, ...coverHours(window).part]));
}

/** The avoided hours after some were added to a target's or taken from them. */
export function paintAvoid(
  avoid: PlanChain["avoid"] = [],
  target: string,
  hours: ReadonlySet<number>,
  isOn: boolean,
): NonNullable<PlanChain["avoid"]> {
  const own = avoid.filter((entry) => entry.target === target).flatMap(({ windows }) => windows);
  const windows = paintWindows(own, hours, isOn, (window) => ({ ...window }));
  const others = avoid.filter((entry) => entry.target !== target);
  return windows.length === 0 ? others : [...others, { target, windows }];
}
