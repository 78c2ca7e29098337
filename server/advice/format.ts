import { WEEKDAYS } from "../contract/plan.ts";

const DAY_MS = 86_400_000;

export type DayName = (typeof WEEKDAYS)[number];

export function formatDays(days: readonly number[]): DayName[] {
  return days.flatMap((day) => WEEKDAYS[day] ?? []);
}

/** `03:00` */
export function formatClock(hour: number): string {
  return `${String(hour).padStart(2, "0")}:00`;
}

/** The ISO week that a Monday opens, like `2026-W32`: the year is that of its Thursday. */
export function formatWeek(monday: number): string {
  const thursday = monday + 3;
  const year = new Date(thursday * DAY_MS).getUTCFullYear();
  const firstDay = Date.UTC(year, 0, 1) / DAY_MS;
  return `${year}-W${String(1 + Math.floor((thursday - firstDay) / 7)).padStart(2, "0")}`;
}
