import { describe, expect, it } from "vitest";
import { findSpan, isUnderWay, type Recurrence } from "./maintenance.ts";

const NIGHTLY: Recurrence = {
  zone: "Europe/Berlin",
  days: ["sun"],
  at: "02:30",
  lengthMinutes: 120,
};

const spanAt = (recurrence: Recurrence, at: string) => {
  const span = findSpan(recurrence, Date.parse(at));
  return span && [new Date(span.fromMs).toISOString(), new Date(span.toMs).toISOString()];
};

describe("a maintenance window", () => {
  it("is the one under way, from its start up to its end", () => {
    const winter = ["2026-11-29T01:30:00.000Z", "2026-11-29T03:30:00.000Z"];
    expect(spanAt(NIGHTLY, "2026-11-29T01:30:00Z")).toEqual(winter);
    expect(spanAt(NIGHTLY, "2026-11-29T03:29:59Z")).toEqual(winter);
    expect(
      isUnderWay(findSpan(NIGHTLY, Date.parse("2026-11-29T01:30:00Z")), Date.parse("2026-11-29T01:29:59Z")),
    ).toBe(false);
  });

  it("is else the next one", () => {
    expect(spanAt(NIGHTLY, "2026-11-29T03:30:00Z")?.[0]).toBe("2026-12-06T01:30:00.000Z");
    expect(spanAt(NIGHTLY, "2026-11-30T12:00:00Z")?.[0]).toBe("2026-12-06T01:30:00.000Z");
  });

  it("keeps its length where clocks go back within it, and begins the first time that its hour comes", () => {
    // 25 October 2026: 03:00 summer time becomes 02:00.
    expect(spanAt(NIGHTLY, "2026-10-25T00:00:00Z")).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-25T02:30:00.000Z",
    ]);
  });

  it("begins when clocks go on where they skip its start", () => {
    // 29 March 2026: 02:00 becomes 03:00.
    expect(spanAt(NIGHTLY, "2026-03-29T00:00:00Z")).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-29T03:00:00.000Z",
    ]);
  });

  it("goes on past midnight into a day that it does not begin on", () => {
    const late = { zone: "Asia/Kolkata", days: ["mon"], at: "23:00", lengthMinutes: 180 };
    expect(spanAt(late, "2026-11-30T20:29:00Z")).toEqual([
      "2026-11-30T17:30:00.000Z",
      "2026-11-30T20:30:00.000Z",
    ]);
  });

  it("of a whole day follows upon itself without a gap", () => {
    const always = { zone: "UTC", days: ["mon", "tue"], at: "00:00", lengthMinutes: 1440 };
    expect(spanAt(always, "2026-12-01T00:00:00Z")?.[0]).toBe("2026-12-01T00:00:00.000Z");
  });
});
