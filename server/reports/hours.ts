import { formatClock, formatDays } from "../advice/format.ts";
import { ENOUGH_CALLS, toCell } from "../capacity/cell.ts";
import type { AdvisedWindow } from "../contract/advice.ts";
import type { ReportDocument } from "../contract/report.ts";
import type { Cell } from "../contract/share.ts";
import { type DayHour, HOURS, weekdayOf } from "../profile/day-hours.ts";

const STRETCH = 3;

type HourFigures = NonNullable<ReportDocument["bestHours"]>;

/** The three hours of the day with least and with most want of room; `null` while too few stretches have calls. */
export function findHours(hours: readonly DayHour[]): {
  best: HourFigures | null;
  worst: HourFigures | null;
} {
  const stretches = Array.from({ length: HOURS }, (_, from): HourFigures => {
    const own = hours.filter(({ hour }) => (hour - from + HOURS) % HOURS < STRETCH);
    return {
      from: formatClock(from),
      to: formatClock((from + STRETCH) % HOURS),
      capacity: countOf(own),
    };
  }).filter(({ capacity }) => capacity.n >= ENOUGH_CALLS);
  const byRate = [...stretches].sort((a, b) => (a.capacity.rate ?? 0) - (b.capacity.rate ?? 0));
  const [best, worst] = [byRate[0], byRate.at(-1)];
  if (best === undefined || worst === undefined || best.capacity.rate === worst.capacity.rate)
    return { best: null, worst: null };
  return { best, worst };
}

function countOf(hours: readonly DayHour[]): Cell {
  return toCell(
    hours.reduce((sum, { k }) => sum + k, 0),
    hours.reduce((sum, { n }) => sum + n, 0),
  );
}

type Window = Pick<AdvisedWindow, "days" | "from" | "to">;

export interface Followed {
  readonly inside: Cell;
  readonly outside: Cell;
  /** Of all attempts. */
  readonly shareInside: number | null;
}

/** How a target's attempts lie to windows that were advised. */
export function followWindows(hours: readonly DayHour[], windows: readonly Window[]): Followed {
  const isInside = ({ day, hour }: DayHour) => windows.some((window) => isOpen(window, day, hour));
  const [inside, outside] = [
    countOf(hours.filter(isInside)),
    countOf(hours.filter((hour) => !isInside(hour))),
  ];
  const all = inside.n + outside.n;
  return { inside, outside, shareInside: all === 0 ? null : inside.n / all };
}

/** Whether a window covers an hour; one that crosses midnight belongs to the day on which it opens. */
function isOpen({ days, from, to }: Window, day: number, hour: number): boolean {
  const [start, end] = [Number.parseInt(from, 10), Number.parseInt(to, 10)];
  const length = (end - start + HOURS) % HOURS || HOURS;
  const since = (hour - start + HOURS) % HOURS;
  if (since >= length) return false;
  const openedOn = hour >= start ? day : day - 1;
  return formatDays([weekdayOf(openedOn)]).some((name) => days.includes(name));
}
