import type { Cell } from "../../../../server/contract/share.ts";
import { HOURS_PER_WEEK } from "../../time/zone.ts";

/** Calls that an hour of the week needs before it says something: the server's own measure. */
const ENOUGH_CALLS = 20;
const HOUR_MS = 3_600_000;

/** When half of the hours of the week have enough calls, if it goes on as it has. */
export type Forecast =
  | { readonly kind: "enough" }
  | { readonly kind: "by"; readonly atMs: number; readonly perHour: number }
  /** Too few come: so many hours would have enough within the range. */
  | { readonly kind: "never"; readonly reachable: number; readonly perHour: number };

/**
 * Each hour of the week goes on at its own pace, and one that has not come yet at the mean of all. An hour comes once
 * a week, so a range of four weeks gives it four times to reach twenty calls.
 *
 * @param cells by hour of week, 168 of them
 * @param firstMs when calls began; at most the range ago
 * @param rangeMs what the cells cover
 */
export function forecastEnough(
  cells: readonly Cell[],
  firstMs: number,
  rangeMs: number,
  nowHourOfWeek: number,
  nowMs: number,
): Forecast {
  const elapsedHours = Math.max(1, Math.min(rangeMs, nowMs - firstMs) / HOUR_MS);
  const perHour = cells.reduce((sum, { n }) => sum + n, 0) / elapsedHours;
  const mostTimes = Math.max(1, Math.floor(rangeMs / HOUR_MS / HOURS_PER_WEEK));
  const readyInHours = cells.flatMap(({ n }, hour) => {
    if (n >= ENOUGH_CALLS) return [0];
    const beganHoursAgo = (nowHourOfWeek - hour + HOURS_PER_WEEK) % HOURS_PER_WEEK;
    const times =
      beganHoursAgo < elapsedHours ? Math.floor((elapsedHours - beganHoursAgo) / HOURS_PER_WEEK) + 1 : 0;
    const perTime = times === 0 ? perHour : n / times;
    const needed = Math.ceil(ENOUGH_CALLS / perTime);
    if (!(needed <= mostTimes)) return [];
    const more = Math.max(1, needed - times);
    return [HOURS_PER_WEEK * more - beganHoursAgo + 1];
  });
  const half = HOURS_PER_WEEK / 2;
  const at = readyInHours.sort((a, b) => a - b)[half - 1];
  if (at === undefined) return { kind: "never", reachable: readyInHours.length, perHour };
  return at === 0 ? { kind: "enough" } : { kind: "by", atMs: nowMs + at * HOUR_MS, perHour };
}
