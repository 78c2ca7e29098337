import { formatWeek } from "../advice/format.ts";
import { mondayOf } from "../profile/day-hours.ts";
import { DAY_MS, HOUR_MS } from "../rollup/levels.ts";
import { localDateAt, startOfDate } from "../time/zone.ts";

/** An ISO week on the wall of a zone. */
export interface Week {
  /** Like `2026-W48`. */
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

const WEEK_DAYS = 7;

/** The week that an instant is in. */
export function weekAt(zone: string, timeMs: number): Week {
  return weekOfMonday(zone, mondayOf(Date.parse(`${localDateAt(zone, timeMs)}T00:00:00Z`) / DAY_MS));
}

export function weekBefore(zone: string, { fromMs }: Week): Week {
  return weekAt(zone, fromMs - 12 * HOUR_MS);
}

/** @returns `null` for what is no week of a calendar, such as `2026-W54` */
export function readWeek(zone: string, name: string): Week | null {
  const [, year, number] = (/^(\d{4})-W(\d{2})$/.exec(name) ?? []).map(Number);
  if (year === undefined || number === undefined) return null;
  // January 4th is always in the first week.
  const monday = mondayOf(Date.UTC(year, 0, 4) / DAY_MS) + (number - 1) * WEEK_DAYS;
  const week = weekOfMonday(zone, monday);
  return week.name === name ? week : null;
}

/** @param monday days since 1970-01-01 */
function weekOfMonday(zone: string, monday: number): Week {
  const startOf = (day: number) => startOfDate(zone, new Date(day * DAY_MS).toISOString().slice(0, 10));
  return { name: formatWeek(monday), fromMs: startOf(monday), toMs: startOf(monday + WEEK_DAYS) };
}
