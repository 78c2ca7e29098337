import { createHistories, LOOKBACK_DAYS } from "../../advice/target-history.ts";
import {
  createWall,
  dayAt,
  HOURS,
  type Quarter,
  toDayHours,
  WEEK_HOURS,
  weekdayOf,
} from "../../profile/day-hours.ts";
import { DAY_MS, HOUR_MS, QUARTER_MS } from "../../rollup/levels.ts";
import { judgeLevel, levelOfShare } from "./level.ts";
import { GAP } from "./quarter-levels.ts";

/** What is usual of a component by hour of week, on the wall of the zone in which it was looked at. */
export interface UsualWeek {
  /** Expected share of calls that find no room: 168 values, Monday 00:00 first. */
  readonly rates: readonly number[];
  /** Calls that were seen, and those of them that found no room, by the same hours. */
  readonly calls: readonly number[];
  readonly errors: readonly number[];
  /** Days of which there are calls. */
  readonly days: number;
  /** The hours of days that the estimate had not seen were as it said. */
  readonly repeats: boolean;
}

/** The same by hour of day on a reader's wall: levels of 24 hours, `GAP` where too little is known. */
export interface UsualHours extends Pick<UsualWeek, "days" | "repeats"> {
  readonly weekdays: readonly number[];
  readonly weekend: readonly number[];
}

/** How far back busy hours are looked for: a day more at each end, for zones. */
export const BUSY_HOURS_MS = (LOOKBACK_DAYS + 2) * DAY_MS;
const WEEKDAYS = [0, 1, 2, 3, 4];
const WEEKEND = [5, 6];

/**
 * When a component is usually busy, by the profile that advice is made of.
 *
 * @param quarters its calls and those that found no room, in order of time
 * @see docs/formulas.md#profile
 */
export function findUsualWeek(quarters: readonly Quarter[], zone: string, nowMs: number): UsualWeek {
  const wallMsAt = createWall(zone);
  const hours = toDayHours(quarters, wallMsAt);
  const endDay = dayAt(wallMsAt(Math.floor(nowMs / QUARTER_MS) * QUARTER_MS));
  const [history] = createHistories([{ provider: "", model: "", endpoint: "", hours }]);
  if (history === undefined) throw new Error("a history was lost");
  const { rates } = history.profileOn(endDay);
  const calls = new Array<number>(WEEK_HOURS).fill(0);
  const errors = new Array<number>(WEEK_HOURS).fill(0);
  for (const { day, hour, k, n } of hours) {
    const at = weekdayOf(day) * HOURS + hour;
    calls[at] = (calls[at] ?? 0) + n;
    errors[at] = (errors[at] ?? 0) + k;
  }
  return {
    rates,
    calls,
    errors,
    days: new Set(hours.filter(({ day }) => day < endDay).map(({ day }) => day)).size,
    repeats: history.repeatabilityOn(endDay).repeats,
  };
}

/**
 * A week as it is on another wall, so that the dear estimate is made once for readers of all zones. An hour is as busy as
 * both say: the profile, which a few bad days do not decide, and what was seen, whose edges are sharp.
 *
 * @param shiftMs the reader's local time minus that of the week's zone, now; half-hours take part of two hours
 */
export function toUsualHours(
  { rates, calls, errors, days, repeats }: UsualWeek,
  shiftMs: number,
): UsualHours {
  const whole = Math.floor(shiftMs / HOUR_MS);
  const part = shiftMs / HOUR_MS - whole;
  const at = (hourOfWeek: number) => (((hourOfWeek - whole) % WEEK_HOURS) + WEEK_HOURS) % WEEK_HOURS;
  const mixed = (values: (hour: number) => number, hourOfWeek: number) =>
    (1 - part) * values(at(hourOfWeek)) + part * values(at(hourOfWeek - 1));
  const callsAt = (hour: number) => calls[hour] ?? 0;
  const expectedAt = (hour: number) => callsAt(hour) * (rates[hour] ?? 0);
  const row = (ofDays: readonly number[]) =>
    Array.from({ length: HOURS }, (_, hour) => {
      const sum = (values: (hour: number) => number) =>
        ofDays.reduce((total, day) => total + mixed(values, day * HOURS + hour), 0);
      const n = sum(callsAt);
      const seen = judgeLevel(
        sum((one) => errors[one] ?? 0),
        n,
      );
      return seen === null ? GAP : Math.min(seen, levelOfShare(sum(expectedAt) / n));
    });
  return { weekdays: row(WEEKDAYS), weekend: row(WEEKEND), days, repeats };
}

/** Hours in a row that are busy: [from, to) of the day, `to` up to 24 + `from` where they go past midnight. */
export interface BusySpan {
  readonly from: number;
  readonly to: number;
}

/** Runs of busy hours on the ring of a day, by their start. */
export function listBusySpans(levels: readonly number[]): BusySpan[] {
  const isBusy = (hour: number) => (levels[((hour % HOURS) + HOURS) % HOURS] ?? GAP) >= 1;
  if (levels.every((_, hour) => isBusy(hour))) return [{ from: 0, to: HOURS }];
  const spans: BusySpan[] = [];
  for (let from = 0; from < HOURS; from++) {
    if (!isBusy(from) || isBusy(from - 1)) continue;
    let to = from + 1;
    while (isBusy(to)) to++;
    spans.push({ from, to });
  }
  return spans;
}
