import { HOURS_PER_WEEK } from "./zone.ts";

export const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Day = (typeof DAYS)[number];
export const HOURS_PER_DAY = 24;

/** Times on the wall, on some days or all; at or before its start it ends on the day after. */
export interface DayWindow {
  readonly days?: readonly string[] | undefined;
  readonly from: string;
  readonly to: string;
}

const MINUTES_PER_DAY = 1_440;

function toMinutes(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(":").map(Number);
  return hours * 60 + minutes;
}

/** Minutes of the week, from Monday 00:00, at which the window opens and closes; past the end of the week it wraps. */
function listSpans({ days, from, to }: DayWindow): (readonly [from: number, to: number])[] {
  const [start, end] = [toMinutes(from), toMinutes(to)];
  const length = end > start ? end - start : end + MINUTES_PER_DAY - start;
  return DAYS.flatMap((day, at) => {
    if (days !== undefined && !days.includes(day)) return [];
    const opens = at * MINUTES_PER_DAY + start;
    return [[opens, opens + length] as const];
  });
}

/** Hours of the week, 0 = Monday 00:00, in which the window is open: all of the hour, or a part of it. */
export function coverHours(window: DayWindow): { readonly whole: Set<number>; readonly part: Set<number> } {
  const whole = new Set<number>();
  const part = new Set<number>();
  for (const [from, to] of listSpans(window)) {
    for (let hour = Math.floor(from / 60); hour * 60 < to; hour++) {
      const isWhole = hour * 60 >= from && (hour + 1) * 60 <= to;
      (isWhole ? whole : part).add(hour % HOURS_PER_WEEK);
    }
  }
  for (const hour of whole) part.delete(hour);
  return { whole, part };
}

/** Whether it opens and closes on the hour, so that hours say all of it. */
export function isWholeHours({ from, to }: DayWindow): boolean {
  return from.endsWith(":00") && to.endsWith(":00");
}

const clock = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

/**
 * As few windows as say that these hours of the week are open: hours in a row are one window, past midnight too, and
 * the days on which the same window opens are told together.
 */
export function toWindows(hours: ReadonlySet<number>): { days?: Day[]; from: string; to: string }[] {
  if (hours.size >= HOURS_PER_WEEK) return [{ from: "00:00", to: "24:00" }];
  const days = new Map<string, Day[]>();
  const add = (start: number, length: number) => {
    const end = (start % HOURS_PER_DAY) + length;
    const key = `${clock(start % HOURS_PER_DAY)} ${clock(end > HOURS_PER_DAY ? end - HOURS_PER_DAY : end)}`;
    const day = DAYS[Math.floor(start / HOURS_PER_DAY) % DAYS.length];
    if (day !== undefined) days.set(key, [...(days.get(key) ?? []), day]);
  };
  for (const start of hours) {
    if (hours.has((start + HOURS_PER_WEEK - 1) % HOURS_PER_WEEK)) continue;
    let length = 1;
    while (hours.has((start + length) % HOURS_PER_WEEK)) length++;
    for (const [at, size] of cutAtMidnight(start, length)) add(at, size);
  }
  return [...days]
    .map(([key, open]) => {
      const [from = "", to = ""] = key.split(" ");
      const ordered = DAYS.filter((day) => open.includes(day));
      return { ...(ordered.length === DAYS.length ? {} : { days: ordered }), from, to };
    })
    .sort((a, b) => DAYS.indexOf(a.days?.[0] ?? "mon") - DAYS.indexOf(b.days?.[0] ?? "mon") || compare(a, b));
}

const compare = (a: DayWindow, b: DayWindow) => toMinutes(a.from) - toMinutes(b.from);

/** A stretch of at most a day is one window; a longer one is its days. */
function* cutAtMidnight(start: number, length: number): Generator<readonly [start: number, length: number]> {
  if (length <= HOURS_PER_DAY) return yield [start, length];
  for (let at = start, left = length; left > 0; ) {
    const size = Math.min(left, HOURS_PER_DAY - (at % HOURS_PER_DAY));
    yield [at, size];
    at += size;
    left -= size;
  }
}
