import { describe, expect, it } from "vitest";
import type { CalendarDay } from "../../../../server/contract/share.ts";
import { en } from "../../messages/en.ts";
import { createFormats } from "../../messages/formats.ts";
import { listClockChanges, toCalendarGrid, toCalendarTable } from "./calendar-grid.ts";

const formats = createFormats("en", "Europe/Berlin");
const HOUR_MS = 3_600_000;

/** A day whose hours follow each other from an instant, with the hours that a clock shows. */
function aDay(
  date: string,
  from: string,
  hours: readonly (readonly [hour: number, offset: string])[],
): CalendarDay {
  return {
    date,
    hours: hours.map(([hour, offset], i) => ({
      hour,
      offset,
      start: new Date(Date.parse(from) + i * HOUR_MS).toISOString(),
      n: 100 + i,
      k: i,
      rate: i / (100 + i),
      low: 0,
      high: 1,
      state: "enough",
    })),
  };
}

const summer = "+02:00";
const winter = "+01:00";
const plain = (count: number, skip?: number) =>
  Array.from({ length: count }, (_, hour) => hour).filter((hour) => hour !== skip);
const late = Date.parse("2027-01-01T00:00:00Z");

describe("toCalendarGrid", () => {
  it("shows the hour that comes twice twice, and tells the two apart", () => {
    const hours = [0, 1, 2, 2, ...plain(24).slice(3)].map(
      (hour, i) => [hour, i < 3 ? summer : winter] as const,
    );
    const grid = toCalendarGrid([aDay("2026-10-25", "2026-10-24T22:00:00Z", hours)], late, formats);
    expect(grid.columns).toHaveLength(25);
    expect(grid.columns.slice(2, 5).map(({ label }) => label)).toEqual(["02", "02²", "03"]);
    expect(grid.rows[0]?.cells.slice(2, 4).map((cell) => [cell?.when.slice(-23), cell?.cell.k])).toEqual([
      ["02:00–03:00 (UTC+02:00)", 2],
      ["02:00–03:00 (UTC+01:00)", 3],
    ]);
  });

  it("leaves the hour out that clocks jump over", () => {
    const hours = plain(24, 2).map((hour) => [hour, hour < 2 ? winter : summer] as const);
    const day = aDay("2027-03-28", "2027-03-27T23:00:00Z", hours);
    const grid = toCalendarGrid([day], Date.parse("2027-04-01T00:00:00Z"), formats);
    expect(grid.columns).toHaveLength(24);
    expect(grid.rows[0]?.cells[2]).toBeNull();
    expect(grid.rows[0]?.cells[3]?.cell.k).toBe(2);
    expect(listClockChanges([day])).toEqual(["2027-03-28"]);
  });

  it("puts the newest date first, marks now and leaves the future blank", () => {
    const hours = plain(24).map((hour) => [hour, winter] as const);
    const days = [
      aDay("2026-11-28", "2026-11-27T23:00:00Z", hours),
      aDay("2026-11-29", "2026-11-28T23:00:00Z", hours),
    ];
    const grid = toCalendarGrid(days, Date.parse("2026-11-29T09:30:00Z"), formats);
    expect(grid.rows.map(({ key, isNow }) => [key, isNow])).toEqual([
      ["2026-11-29", true],
      ["2026-11-28", false],
    ]);
    expect(grid.rows[0]?.cells.map((cell) => (cell === null ? "-" : cell.isNow ? "!" : "o")).join("")).toBe(
      "oooooooooo!-------------",
    );
    expect(listClockChanges(days)).toEqual([]);
  });
});

describe("toCalendarTable", () => {
  it("holds the very numbers of the cells", () => {
    const day = aDay("2026-11-29", "2026-11-28T23:00:00Z", [[0, winter]]);
    expect(toCalendarTable({ days: [day] }, [], late, en).rows).toEqual([
      ["2026-11-29", 0, "+01:00", 0, 0, 100, 0, 1, "enough"],
    ]);
  });
});
