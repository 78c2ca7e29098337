import { HOURS, weekdayOf } from "../profile/day-hours.ts";
import { HOUR_MS } from "../rollup/levels.ts";
import { listLocalHours, localDateAt, nextDate } from "../time/zone.ts";
import type { AvoidanceWindow } from "./choose-window.ts";

const DAY_MS = 86_400_000;

/**
 * The first of these windows that is open at `nowMs` or opens after it, on the zone's wall. A window that opens at an
 * hour that clocks skip is passed over on that day.
 */
export function nextWindow<T extends AvoidanceWindow>(
  windows: readonly T[],
  zone: string,
  nowMs: number,
): { window: T; fromMs: number; toMs: number } | null {
  let date = localDateAt(zone, nowMs - DAY_MS);
  let first: { window: T; fromMs: number; toMs: number } | null = null;
  for (let i = 0; i < 9 && first === null; i++, date = nextDate(date)) {
    const weekday = weekdayOf(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
    for (const window of windows) {
      if (!window.days.includes(weekday)) continue;
      const opening = listLocalHours(zone, date).find(({ hour }) => hour === window.from % HOURS);
      if (opening === undefined) continue;
      const toMs = opening.startMs + window.lengthHours * HOUR_MS;
      if (toMs <= nowMs || (first !== null && first.fromMs <= opening.startMs)) continue;
      first = { window, fromMs: opening.startMs, toMs };
    }
  }
  return first;
}
