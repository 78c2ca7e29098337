import type { PlanWindow } from "./plan-document.ts";
import { type WallTime, WEEKDAYS } from "./zone-clock.ts";

/** @returns minutes since midnight of `HH:MM`, at most `24:00`; `null` of anything else */
export function parseMinute(text: string): number | null {
  const match = /^(\d{2}):(\d{2})$/.exec(text);
  if (match === null) return null;
  const minute = Number(match[1]) * 60 + Number(match[2]);
  return Number(match[2]) < 60 && minute <= 1_440 ? minute : null;
}

/**
 * Whether the clock on the wall stands within the window: from its start, to before its end. One that ends at or before
 * its start goes on past midnight and belongs to the day on which it opened. An hour that a change of clocks repeats is
 * within both times; one that is skipped never comes.
 */
export function isWithin({ days, from, to }: PlanWindow, { day, minute }: WallTime): boolean {
  const [start, end] = [parseMinute(from), parseMinute(to)];
  if (start === null || end === null) return false;
  const opens = (on: number) => {
    const name = WEEKDAYS[on];
    return days === undefined || (name !== undefined && days.includes(name));
  };
  if (start < end) return opens(day) && start <= minute && minute < end;
  return (opens(day) && start <= minute) || (opens((day + 6) % 7) && minute < end);
}
