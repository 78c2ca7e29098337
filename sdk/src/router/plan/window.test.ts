import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWithin, parseMinute } from "./window.ts";
import { getWallTime, isTimeZone, WEEKDAYS } from "./zone-clock.ts";

const at = (iso: string, timeZone: string) => getWallTime(Date.parse(iso), timeZone);
const work = { days: ["mon", "tue", "wed", "thu", "fri"], from: "10:00", to: "16:00" } as const;
const night = { days: ["fri"], from: "22:00", to: "06:00" } as const;

describe("a window of a plan", () => {
  it.each([
    ["2026-08-03T01:59:59Z", false],
    ["2026-08-03T02:00:00Z", true],
    ["2026-08-03T07:59:59Z", true],
    ["2026-08-03T08:00:00Z", false],
    ["2026-08-08T04:00:00Z", false],
  ])("is half open and read in its zone: Shanghai at %s", (iso, isIn) => {
    expect(isWithin(work, at(iso, "Asia/Shanghai"))).toBe(isIn);
  });

  it.each([
    ["Friday 21:59", "2026-08-07T21:59:00Z", false],
    ["Friday 22:00", "2026-08-07T22:00:00Z", true],
    ["Saturday 05:59", "2026-08-08T05:59:00Z", true],
    ["Saturday 06:00", "2026-08-08T06:00:00Z", false],
    ["Friday 03:00", "2026-08-07T03:00:00Z", false],
    ["Saturday 23:00", "2026-08-08T23:00:00Z", false],
  ])("past midnight belongs to the day that it opens: %s", (_, iso, isIn) => {
    expect(isWithin(night, at(iso, "UTC"))).toBe(isIn);
  });

  it("over Sunday's midnight goes on into Monday", () => {
    const sunday = { days: ["sun"], from: "23:00", to: "01:00" } as const;
    expect(isWithin(sunday, at("2026-08-10T00:30:00Z", "UTC"))).toBe(true);
  });

  it("of equal ends is a whole day, and one without days is every day", () => {
    expect(isWithin({ days: ["mon"], from: "09:00", to: "09:00" }, at("2026-08-04T08:59:00Z", "UTC"))).toBe(
      true,
    );
    expect(isWithin({ days: ["mon"], from: "09:00", to: "09:00" }, at("2026-08-04T09:00:00Z", "UTC"))).toBe(
      false,
    );
    expect(isWithin({ from: "00:00", to: "24:00" }, at("2026-08-09T12:00:00Z", "UTC"))).toBe(true);
  });

  it.each([
    // Berlin goes from 02:00 to 03:00 on 29 March and from 03:00 back to 02:00 on 25 October 2026.
    ["before the skipped hour", "2026-03-29T00:59:00Z", "01:00", "02:30", true],
    ["after the skipped hour it is 03:00", "2026-03-29T01:00:00Z", "01:00", "02:30", false],
    ["in the hour that comes twice, first", "2026-10-25T00:30:00Z", "02:00", "03:00", true],
    ["in the hour that comes twice, second", "2026-10-25T01:30:00Z", "02:00", "03:00", true],
    ["after both", "2026-10-25T02:00:00Z", "02:00", "03:00", false],
  ])("knows days of 23 and 25 hours: %s", (_, iso, from, to, isIn) => {
    expect(isWithin({ days: ["sun"], from, to }, at(iso, "Europe/Berlin"))).toBe(isIn);
  });

  it("is read in zones that are off by quarters of an hour", () => {
    expect(getWallTime(Date.parse("2026-08-03T00:00:00Z"), "Asia/Kathmandu")).toEqual({
      day: 0,
      minute: 345,
    });
  });

  it("and its complement share the week between them", () => {
    const minute = fc.integer({ min: 0, max: 1_439 });
    const format = (value: number) =>
      `${String(Math.floor(value / 60)).padStart(2, "0")}:${String(value % 60).padStart(2, "0")}`;
    fc.assert(
      fc.property(minute, minute, minute, fc.integer({ min: 0, max: 6 }), (from, to, now, day) => {
        fc.pre(from !== to);
        const time = { day, minute: now };
        const isIn = isWithin({ from: format(from), to: format(to) }, time);
        expect(isWithin({ from: format(to), to: format(from) }, time)).toBe(!isIn);
      }),
    );
  });
});

describe("times of day", () => {
  it.each([
    ["00:00", 0],
    ["09:05", 545],
    ["24:00", 1_440],
    ["24:01", null],
    ["9:00", null],
    ["12:60", null],
    ["", null],
  ])("%s", (text, minute) => {
    expect(parseMinute(text)).toBe(minute);
  });

  it("begin with Monday, and unknown zones are known to be", () => {
    expect(WEEKDAYS[0]).toBe("mon");
    expect(isTimeZone("Europe/Berlin")).toBe(true);
    expect(isTimeZone("Europe/Atlantis")).toBe(false);
  });
});
