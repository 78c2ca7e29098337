import { describe, expect, it } from "vitest";
import { levelAt } from "./curves.ts";
import { findMonday, getLocalHour, resolveMoment } from "./local-hour.ts";

const at = (iso: string) => Date.parse(iso);
const NEW_YORK = "America/New_York";

describe("getLocalHour", () => {
  it("follows the zone's offset through summer time", () => {
    expect(getLocalHour(at("2026-03-08T06:59:59Z"), NEW_YORK)).toEqual({
      hour: 1,
      dayOfWeek: 7,
      date: "2026-03-08",
    });
    expect(getLocalHour(at("2026-03-08T07:00:00Z"), NEW_YORK).hour).toBe(3);
    expect(getLocalHour(at("2026-11-01T05:30:00Z"), NEW_YORK).hour).toBe(1);
    expect(getLocalHour(at("2026-11-01T06:30:00Z"), NEW_YORK).hour).toBe(1);
  });

  it("knows days that begin elsewhere and offsets of half an hour", () => {
    expect(getLocalHour(at("2026-07-05T16:00:00Z"), "Asia/Shanghai")).toEqual({
      hour: 0,
      dayOfWeek: 1,
      date: "2026-07-06",
    });
    expect(getLocalHour(at("2026-07-05T16:10:00Z"), "Asia/Kolkata").hour).toBe(21.5);
  });
});

describe("resolveMoment", () => {
  const anchorMs = at("2026-07-08T03:00:00Z"); // Tuesday the 7th, 23:00 in New York

  it("counts days back from the anchor's own local day", () => {
    const moment = { daysAgo: 2, hour: 19, minute: 20 };
    expect(resolveMoment(moment, anchorMs, NEW_YORK)).toBe(at("2026-07-05T19:20:00-04:00"));
  });

  it("moves a weekend back to Friday when it is asked to", () => {
    const moment = { daysAgo: 2, hour: 19, isOnWorkday: true };
    expect(resolveMoment(moment, anchorMs, NEW_YORK)).toBe(at("2026-07-03T19:00:00-04:00"));
    expect(resolveMoment({ ...moment, daysAgo: 1 }, anchorMs, NEW_YORK)).toBe(
      at("2026-07-06T19:00:00-04:00"),
    );
  });

  it("finds the Monday of a week, which may be the day itself", () => {
    expect(findMonday(1, anchorMs, NEW_YORK)).toBe("2026-07-06");
    expect(findMonday(2, anchorMs, NEW_YORK)).toBe("2026-06-29");
  });
});

describe("levelAt", () => {
  const curve = [0, 1, ...new Array<number>(21).fill(0), 0.5];

  it("runs straight between full hours, past midnight too", () => {
    expect(levelAt(curve, 1)).toBe(1);
    expect(levelAt(curve, 1.25)).toBe(0.75);
    expect(levelAt(curve, 23.5)).toBe(0.25);
    expect(levelAt(curve, 24.5)).toBe(0.5);
  });
});
