import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coverHours, isWholeHours, toWindows } from "./week-hours.ts";
import { HOURS_PER_WEEK } from "./zone.ts";

const at = (day: number, hour: number) => day * 24 + hour;
const coverAll = (windows: ReturnType<typeof toWindows>) =>
  new Set(windows.flatMap((window) => [...coverHours(window).whole]));

describe("hours of the week", () => {
  it("become windows that cover exactly them", () => {
    const hours = fc.uniqueArray(fc.integer({ min: 0, max: HOURS_PER_WEEK - 1 }));
    fc.assert(
      fc.property(hours, (some) => {
        const windows = toWindows(new Set(some));
        expect([...coverAll(windows)].sort((a, b) => a - b)).toEqual(some.sort((a, b) => a - b));
        expect(windows.every(isWholeHours)).toBe(true);
      }),
    );
  });

  it("are told as people would tell them", () => {
    const afternoons = [0, 1, 2, 3, 4].flatMap((day) => [at(day, 13), at(day, 14)]);
    expect(toWindows(new Set(afternoons))).toEqual([
      { days: ["mon", "tue", "wed", "thu", "fri"], from: "13:00", to: "15:00" },
    ]);
    expect(toWindows(new Set([at(6, 23), at(0, 0)]))).toEqual([
      { days: ["sun"], from: "23:00", to: "01:00" },
    ]);
    expect(toWindows(new Set([at(2, 23)]))).toEqual([{ days: ["wed"], from: "23:00", to: "24:00" }]);
    const weekend = Array.from({ length: 30 }, (_, i) => at(5, 0) + i);
    expect(toWindows(new Set(weekend))).toEqual([
      { days: ["sat"], from: "00:00", to: "24:00" },
      { days: ["sun"], from: "00:00", to: "06:00" },
    ]);
    expect(toWindows(new Set(Array.from({ length: HOURS_PER_WEEK }, (_, i) => i)))).toEqual([
      { from: "00:00", to: "24:00" },
    ]);
  });

  it("that a window covers in part are told apart", () => {
    const { whole, part } = coverHours({ days: ["mon"], from: "09:30", to: "11:15" });
    expect([[...whole], [...part]]).toEqual([[10], [9, 11]]);
    expect([...coverHours({ days: ["sun"], from: "23:30", to: "00:30" }).part]).toEqual([167, 0]);
  });
});
