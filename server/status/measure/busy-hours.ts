import { createHistories, LOOKBACK_DAYS } from "../../advice/target-history.ts";
import { ENOUGH_CALLS } from "../../capacity/cell.ts";
import { createWall, dayAt, HOURS, type Quarter, toDayHours } from "../../profile/day-hours.ts";
import { DAY_MS, QUARTER_MS } from "../../rollup/levels.ts";
import { levelOfShare } from "./level.ts";
import { GAP } from "./quarter-levels.ts";

/** What is usual by hour of day on a zone's wall: levels of 24 hours, `GAP` where too little is known. */
export interface BusyHours {
  readonly weekdays: readonly number[];
  readonly weekend: readonly number[];
  /** Days of which there are calls. */
  readonly days: number;
}

export interface UsualHours extends BusyHours {
  readonly repeats: boolean;
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
export function findBusyHours(quarters: readonly Quarter[], zone: string, nowMs: number): BusyHours {
  const { history, hours, endDay } = toHistory(quarters, zone, nowMs);
  const { rates, calls } = history.profileOn(endDay);
  const row = (days: readonly number[]) =>
    Array.from({ length: HOURS }, (_, hour) => {
      const n = days.reduce((sum, day) => sum + (calls[day * HOURS + hour] ?? 0), 0);
      if (n < ENOUGH_CALLS) return GAP;
      const expected = days.reduce(
        (sum, day) => sum + (calls[day * HOURS + hour] ?? 0) * (rates[day * HOURS + hour] ?? 0),
        0,
      );
      return levelOfShare(expected / n);
    });
  return {
    weekdays: row(WEEKDAYS),
    weekend: row(WEEKEND),
    days: new Set(hours.filter(({ day }) => day < endDay).map(({ day }) => day)).size,
  };
}

/** Whether the hours of days that an estimate had not seen were as it said: a question of the calls, not of the reader's zone. */
export function judgeRepeats(quarters: readonly Quarter[], zone: string, nowMs: number): boolean {
  const { history, endDay } = toHistory(quarters, zone, nowMs);
  return history.repeatabilityOn(endDay).repeats;
}

function toHistory(quarters: readonly Quarter[], zone: string, nowMs: number) {
  const wallMsAt = createWall(zone);
  const hours = toDayHours(quarters, wallMsAt);
  const endDay = dayAt(wallMsAt(Math.floor(nowMs / QUARTER_MS) * QUARTER_MS));
  const [history] = createHistories([{ provider: "", model: "", endpoint: "", hours }]);
  if (history === undefined) throw new Error("a history was lost");
  return { history, hours, endDay };
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
