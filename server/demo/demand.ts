import type { DayCurve } from "./curves.ts";
import { levelAt } from "./curves.ts";
import { type Flow, HOME_ZONE } from "./flows.ts";
import { getLocalHour, HOUR_MS } from "./local-hour.ts";
import type { Target } from "./targets.ts";
import type { World } from "./world.ts";

const WEEKDAY_FACTORS = [1.06, 1.05, 1.04, 1, 0.85] as const;
/** On the holiday people send 70 % less, and providers are as calm as on the calmest weekend. */
const HOLIDAY_TRAFFIC = 0.3;
const HOLIDAY_LOAD = 0.15;

/** How many requests of this flow one may expect at this time, per hour. Its lifetime is not looked at. */
export function requestsPerHour(world: World, flow: Flow, timeMs: number): number {
  const local = getLocalHour(timeMs, HOME_ZONE);
  const { source } = flow;
  const level = levelAt(source.curve, local.hour + (timeMs % HOUR_MS) / HOUR_MS);
  const day = WEEKDAY_FACTORS[local.dayOfWeek - 1] ?? source.weekendFactor;
  const holiday = local.date === world.holiday ? HOLIDAY_TRAFFIC : 1;
  return ((flow.requestsPerDay * level) / sumOf(source.curve)) * day * holiday;
}

/** How full the target is by the clock of its customers, 0–1. */
export function loadOf(world: World, target: Target, timeMs: number): number {
  const local = getLocalHour(timeMs, target.zone);
  const level = levelAt(target.load, local.hour + (timeMs % HOUR_MS) / HOUR_MS);
  const day = local.dayOfWeek > 5 ? target.weekendFactor : 1;
  return level * (local.date === world.holiday ? Math.min(day, HOLIDAY_LOAD) : day);
}

function sumOf(curve: DayCurve): number {
  let sum = sums.get(curve);
  if (sum === undefined) {
    sum = curve.reduce((total, level) => total + level, 0);
    sums.set(curve, sum);
  }
  return sum;
}

const sums = new WeakMap<DayCurve, number>();
