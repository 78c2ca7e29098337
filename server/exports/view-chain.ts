import { type PlanChain, type PlanDocument, type PlanTarget, WEEKDAYS } from "../contract/plan.ts";
import { dayAt, WEEK_HOURS, weekdayOf } from "../profile/day-hours.ts";
import { DAY_MS, MINUTE_MS } from "../rollup/levels.ts";
import { offsetMsAt } from "../time/zone.ts";
import type { At, ChainView } from "./format.ts";

const DAY_MINUTES = 1_440;
const WEEK_MINUTES = 7 * DAY_MINUTES;

/**
 * A chain as it is written: its targets in one order, the floor last.
 *
 * @returns `null` where the plan names no targets of it: they are in code, and nothing can be written
 */
export function viewChain(plan: PlanDocument, name: string, at: At): ChainView | null {
  const chain = Object.hasOwn(plan.chains, name) ? plan.chains[name] : undefined;
  if (chain?.targets === undefined) return null;
  const { floor, targets } = chain;
  const isFloor = (target: PlanTarget) => target.id === floor || target.tier === floor;
  const inOrder = (order: readonly string[]) => {
    const sorted = sortBy(targets, order);
    return [...sorted.filter((target) => !isFloor(target)), ...sorted.filter(isFloor)];
  };
  const entry = at.kind === "entry" ? chain.schedule?.[at.place] : undefined;
  const shown = inOrder(entry?.order ?? []);
  const floorFrom = floor === undefined ? -1 : shown.findIndex(isFloor);
  return {
    name,
    chain,
    targets: shown,
    floorFrom: floorFrom < 0 ? null : floorFrom,
    weights: at.kind === "blend" ? weigh(chain, shown, inOrder) : null,
  };
}

function sortBy(targets: readonly PlanTarget[], order: readonly string[]): PlanTarget[] {
  const place = ({ id }: PlanTarget) => (order.includes(id) ? order.indexOf(id) : order.length);
  return [...targets].sort((a, b) => place(a) - place(b));
}

/** By target: in how much of the week it is asked first. */
function weigh(
  { schedule = [] }: PlanChain,
  targets: readonly PlanTarget[],
  inOrder: (order: readonly string[]) => PlanTarget[],
): number[] {
  const first = new Map<string, number>();
  for (let minute = 0; minute < WEEK_MINUTES; minute += WEEK_MINUTES / WEEK_HOURS / 4) {
    const entry = schedule.find((one) => covers(one, minute));
    const id = inOrder(entry?.order ?? [])[0]?.id ?? "";
    first.set(id, (first.get(id) ?? 0) + 1);
  }
  const all = WEEK_HOURS * 4;
  return targets.map(({ id }) => Math.round(((first.get(id) ?? 0) / all) * 1_000) / 1_000);
}

/** The first entry that is open at an instant on the zone's wall; `null` where none is. */
export function findEntryAt(
  schedule: NonNullable<PlanChain["schedule"]>,
  timeZone: string,
  nowMs: number,
): number | null {
  const wallMs = nowMs + offsetMsAt(timeZone, nowMs);
  const minuteOfWeek = weekdayOf(dayAt(wallMs)) * DAY_MINUTES + Math.floor((wallMs % DAY_MS) / MINUTE_MS);
  const place = schedule.findIndex((entry) => covers(entry, minuteOfWeek));
  return place < 0 ? null : place;
}

/** Whether a window is open at a minute of the week, 0 = Monday 00:00. */
function covers(
  { days, from, to }: { days?: readonly string[] | undefined; from: string; to: string },
  minuteOfWeek: number,
): boolean {
  const [start, end] = [minuteOf(from), minuteOf(to)];
  const length = end > start ? end - start : end - start + DAY_MINUTES;
  return WEEKDAYS.some((day, weekday) => {
    if (days !== undefined && !days.includes(day)) return false;
    const since = (minuteOfWeek - weekday * DAY_MINUTES - start + WEEK_MINUTES) % WEEK_MINUTES;
    return since < length;
  });
}

function minuteOf(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(":").map(Number);
  return hour * 60 + minute;
}
