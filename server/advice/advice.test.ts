import { describe, expect, it } from "vitest";
import { type DayHour, weekdayOf } from "../profile/day-hours.ts";
import { adviseAny } from "./advise-any.ts";
import { adviseTarget } from "./advise-target.ts";
import { backtestWindows } from "./backtest.ts";
import { ALL_DAYS, bestWindow, chooseDailyWindows, hoursOf } from "./choose-window.ts";
import { formatWeek } from "./format.ts";
import { nextWindow } from "./next-window.ts";
import { createHistories } from "./target-history.ts";

/** A Monday. */
const START = Date.UTC(2026, 6, 6) / 86_400_000;
const WISH = { lengthHours: 3, allowed: () => true };

function hoursOfShare(days: number, shareAt: (day: number, hour: number) => number, n = 50): DayHour[] {
  return Array.from({ length: days * 24 }, (_, i): DayHour => {
    const [day, hour] = [START + Math.floor(i / 24), i % 24];
    return { day, hour, n, k: Math.round(n * shareAt(day, hour)) };
  });
}

function historyOf(days: number, shareAt: (day: number, hour: number) => number, n = 50) {
  const hours = hoursOfShare(days, shareAt, n);
  const [history] = createHistories([{ provider: "acme", model: "large", endpoint: "", hours }]);
  if (history === undefined) throw new Error("one history was asked for");
  return history;
}

const goodNights = (_: number, hour: number) => (hour >= 2 && hour < 6 ? 0.02 : 0.12);

describe("windows", () => {
  it("cross midnight and the end of the week", () => {
    expect(hoursOf({ days: [6], from: 22, lengthHours: 4 })).toEqual([166, 167, 0, 1]);
  });

  it("lie within the allowed hours wholly, and are none where these are too short", () => {
    const profile = historyOf(28, goodNights).profileOn(START + 28);
    const within = (from: number, to: number) => (hour: number) => hour >= from && hour < to;
    expect(bestWindow(profile, ALL_DAYS, { lengthHours: 3, allowed: within(8, 20) })?.from).toBeGreaterThan(
      7,
    );
    expect(bestWindow(profile, ALL_DAYS, { lengthHours: 3, allowed: within(3, 6) })?.from).toBe(3);
    expect(bestWindow(profile, ALL_DAYS, { lengthHours: 3, allowed: within(3, 5) })).toBeNull();
  });

  it("are one for all days, unless weekends are another matter", () => {
    const alike = historyOf(28, goodNights).profileOn(START + 28);
    expect(chooseDailyWindows(alike, WISH).map(({ days }) => days)).toEqual([ALL_DAYS]);
    const unlike = historyOf(28, (day, hour) =>
      weekdayOf(day) < 5 ? goodNights(day, hour) : hour >= 12 && hour < 18 ? 0.001 : 0.2,
    ).profileOn(START + 28);
    const days = chooseDailyWindows(unlike, WISH).map((window) => window.days);
    expect(days.flat().sort()).toEqual(ALL_DAYS);
    expect(days).toHaveLength(2);
  });
});

describe("a verdict", () => {
  it("is advice with its evidence where hours repeat", () => {
    const advice = adviseTarget(historyOf(42, goodNights), START + 42, WISH);
    expect(advice).toMatchObject({ verdict: "advise", moreDays: 0 });
    expect(advice.windows).toHaveLength(1);
    const [window] = advice.windows;
    expect([2, 3]).toContain(window?.from);
    expect(window?.expected).toBeLessThan(0.04);
    expect(window?.low).toBeLessThanOrEqual(0.02);
    expect(window?.high).toBeGreaterThanOrEqual(0.02);
    expect(window?.usual).toBeCloseTo(0.103, 1);
    expect(window?.worst).toBeGreaterThan(0.1);
    expect(window?.n).toBe(42 * 3 * 50);
    // Weeks with two weeks before them, newest first.
    expect(advice.backtest.map(({ monday }) => monday - START)).toEqual([35, 28, 21, 14]);
    for (const week of advice.backtest) {
      expect(week).toMatchObject({ inWindow: 0.02, oracle: 0.02 });
      expect(week.usual).toBeCloseTo((4 * 0.02 + 20 * 0.12) / 24);
    }
  });

  it("is to wait for more days, about how many", () => {
    expect(adviseTarget(historyOf(9, goodNights), START + 9, WISH)).toMatchObject({
      verdict: "tooLittleData",
      moreDays: 5,
      windows: [],
    });
    expect(adviseTarget(historyOf(0, goodNights), START, WISH)).toMatchObject({ moreDays: 14 });
  });

  it("is that there is nothing to gain where calls hardly fail, or fail at all hours", () => {
    const rare = historyOf(28, (_, hour) => (hour === 12 ? 0.002 : 0), 1000);
    expect(adviseTarget(rare, START + 28, WISH).verdict).toBe("noGain");
  });

  it("is that there is no pattern where bad hours wander", () => {
    const wandering = historyOf(28, (day, hour) => ((hour + 7 * (day - START)) % 24 < 6 ? 0.2 : 0.02));
    expect(adviseTarget(wandering, START + 28, WISH)).toMatchObject({ verdict: "noPattern", windows: [] });
  });

  it("is made of nothing that came later", () => {
    const until = START + 28;
    const before = historyOf(28, goodNights);
    const after = historyOf(60, (day, hour) =>
      day < until ? goodNights(day, hour) : hour % 2 === 0 ? 0.9 : 0,
    );
    expect(adviseTarget(after, until, WISH)).toEqual(adviseTarget(before, until, WISH));
    expect(backtestWindows(after, until, WISH)).toEqual(backtestWindows(before, until, WISH));
  });
});

describe("for any of several targets", () => {
  const historiesOf = (...shares: ((day: number, hour: number) => number)[]) =>
    createHistories(
      shares.map((shareAt, i) => ({
        provider: "acme",
        model: `m${i}`,
        endpoint: "",
        hours: hoursOfShare(42, shareAt),
      })),
    );
  const evening = (_: number, hour: number) => (hour >= 18 && hour < 22 ? 0.001 : 0.08);

  it("the hours are those in which one of them has most room, and it is named", () => {
    const any = adviseAny(historiesOf(goodNights, evening), START + 42, WISH);
    expect(any).toMatchObject({ verdict: "advise", use: [1] });
    expect([18, 19]).toContain(any?.windows[0]?.from);
    // Without choice nights leave 0.02 at best, and in hindsight evenings leave nothing.
    for (const week of any?.backtest ?? []) {
      expect(week.inWindow).toBeLessThan(0.01);
      // Each hour counts as the one with most room has it: four at 0.02, four at 0.001, sixteen at 0.08.
      expect(week.usual).toBeCloseTo((4 * 0.02 + 16 * 0.08) / 24, 1);
    }
    expect(any?.backtest).toHaveLength(4);
  });

  it("nothing is said of one alone, or of those that are hardly called", () => {
    expect(adviseAny(historiesOf(goodNights), START + 42, WISH)).toBeNull();
    expect(adviseAny(historiesOf(goodNights, evening), START + 5, WISH)).toBeNull();
  });
});

it("what runs once a week runs on its best day", () => {
  const advice = adviseTarget(
    historyOf(42, (day, hour) =>
      weekdayOf(day) === 6 && hour >= 2 && hour < 6 ? 0 : goodNights(day, hour) + 0.05,
    ),
    START + 42,
    WISH,
  );
  expect(advice.weekly?.days).toEqual([6]);
  expect(advice.weekly?.expected).toBeLessThan(advice.windows[0]?.expected ?? 0);
});

describe("the next window", () => {
  const windows = [
    { days: [0, 1, 2, 3, 4], from: 22, lengthHours: 4 },
    { days: [5, 6], from: 10, lengthHours: 3 },
  ];
  const at = (iso: string) => nextWindow(windows, "Europe/Berlin", Date.parse(iso));

  it("is the one that is open, also when it opened the day before", () => {
    expect(at("2026-07-07T23:30:00Z")).toMatchObject({
      fromMs: Date.parse("2026-07-07T20:00:00Z"),
      toMs: Date.parse("2026-07-08T00:00:00Z"),
    });
  });

  it("is the first to come, else", () => {
    expect(at("2026-07-11T06:00:00Z")).toMatchObject({ fromMs: Date.parse("2026-07-11T08:00:00Z") });
    expect(nextWindow([], "UTC", 0)).toBeNull();
  });

  it("passes over a day on which clocks skip its hour", () => {
    const night = [{ days: ALL_DAYS, from: 2, lengthHours: 1 }];
    expect(nextWindow(night, "Europe/Berlin", Date.parse("2026-03-29T00:30:00Z"))).toMatchObject({
      fromMs: Date.parse("2026-03-30T00:00:00Z"),
    });
  });
});

describe("ISO weeks", () => {
  it("belong to the year of their Thursday", () => {
    const week = (date: string) => formatWeek(Date.parse(date) / 86_400_000);
    expect([week("2026-08-03"), week("2025-12-29"), week("2026-12-28"), week("2027-01-04")]).toEqual([
      "2026-W32",
      "2026-W01",
      "2026-W53",
      "2027-W01",
    ]);
  });
});
