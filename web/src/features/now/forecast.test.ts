import { describe, expect, it } from "vitest";
import { forecastEnough } from "./forecast.ts";

const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;
const NOW = Date.parse("2026-11-25T12:00:00Z");
/** Wednesday 12:00. */
const NOW_HOUR = 60;
const cell = (n: number) => ({
  n,
  k: 0,
  rate: n === 0 ? null : 0,
  low: null,
  high: null,
  state: n === 0 ? ("none" as const) : n < 20 ? ("few" as const) : ("enough" as const),
});
const forecast = (ns: (hour: number) => number, sinceMs: number, rangeMs = 4 * WEEK_MS) =>
  forecastEnough(
    Array.from({ length: 168 }, (_, hour) => cell(ns(hour))),
    NOW - sinceMs,
    rangeMs,
    NOW_HOUR,
    NOW,
  );

describe("when there is enough data", () => {
  it("is now, when half of the hours have twenty calls", () => {
    expect(forecast((hour) => (hour < 84 ? 20 : 0), 4 * WEEK_MS)).toEqual({ kind: "enough" });
  });

  it("is when the hours that have not come yet have come, at the pace so far", () => {
    // Twelve hours of 30 calls: enough at once in each hour that comes; 72 more make half of the week.
    const answer = forecast((hour) => (hour > 48 && hour <= 60 ? 30 : 0), 12 * HOUR_MS);
    expect(answer).toEqual({ kind: "by", atMs: NOW + (72 + 1) * HOUR_MS, perHour: 30 });
  });

  it("waits for as many weeks as an hour needs", () => {
    // Ten calls each time, two weeks of it: nineteen now, the third time makes it.
    const answer = forecast(() => 19, 2 * WEEK_MS);
    expect(answer).toMatchObject({ kind: "by" });
    // Hour 61 comes in an hour and is over in two; half of them are over 84 hours later.
    expect(answer.kind === "by" && (answer.atMs - NOW) / HOUR_MS).toBe(85);
  });

  it("is never, where too few calls come for the range, and sooner in a longer one", () => {
    // Two calls an hour need ten weeks.
    expect(forecast(() => 4, 2 * WEEK_MS)).toEqual({ kind: "never", reachable: 0, perHour: 2 });
    expect(forecast(() => 4, 2 * WEEK_MS, 13 * WEEK_MS)).toMatchObject({ kind: "by" });
    expect(forecast(() => 0, WEEK_MS)).toMatchObject({ kind: "never", reachable: 0, perHour: 0 });
  });

  it("counts the hours that ever get enough, where only working hours are called", () => {
    const answer = forecast((hour) => (hour % 24 >= 9 && hour % 24 < 12 ? 15 : 0), WEEK_MS);
    expect(answer).toMatchObject({ kind: "never", reachable: 21 });
  });
});
