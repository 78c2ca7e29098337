import { describe, expect, it } from "vitest";
import { hourOfWeekAt, isTimeZone, wallHourAt } from "./zone.ts";

describe("wallHourAt", () => {
  it("counts the week from Monday 00:00 of the zone", () => {
    const monday = Date.parse("2026-11-30T00:00:00Z");
    expect(hourOfWeekAt(monday, "UTC")).toBe(0);
    expect(hourOfWeekAt(monday - 1, "UTC")).toBe(167);
    expect(hourOfWeekAt(monday, "Asia/Shanghai")).toBe(8);
    expect(hourOfWeekAt(monday, "America/New_York")).toBe(163);
  });

  it("gives the same wall hour twice where clocks go back", () => {
    const first = wallHourAt(Date.parse("2026-10-25T00:30:00Z"), "Europe/Berlin");
    const second = wallHourAt(Date.parse("2026-10-25T01:30:00Z"), "Europe/Berlin");
    expect(first).toEqual({ date: "2026-10-25", weekday: 6, hour: 2 });
    expect(second).toEqual(first);
  });
});

describe("isTimeZone", () => {
  it("knows zones from words", () => {
    expect(isTimeZone("Europe/Berlin")).toBe(true);
    expect(isTimeZone("Middle Earth")).toBe(false);
  });
});
