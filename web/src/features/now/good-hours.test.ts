import { describe, expect, it } from "vitest";
import { findOutlook } from "./good-hours.ts";

const at = (rate: number | null, n = 100) => ({
  n: rate === null ? 0 : n,
  k: 0,
  rate,
  low: rate,
  high: rate,
  state: rate === null ? ("none" as const) : n < 20 ? ("few" as const) : ("enough" as const),
});
/** A week whose hours of the day 0–23 are all alike. */
const week = (rate: (hour: number) => number | null, n = 100) =>
  Array.from({ length: 168 }, (_, i) => at(rate(i % 24), n));

describe("findOutlook", () => {
  it("finds the runs of good hours ahead, over midnight too", () => {
    const cells = week((hour) => (hour >= 21 || hour < 2 ? 0.001 : 0.08));
    expect(findOutlook(cells, 17)).toEqual({
      kind: "good",
      isNow: false,
      runs: [{ fromHourOfWeek: 21, toHourOfWeek: 26 }],
    });
    expect(findOutlook(cells, 167)).toMatchObject({
      isNow: true,
      runs: [
        { fromHourOfWeek: 167, toHourOfWeek: 170 },
        { fromHourOfWeek: 189, toHourOfWeek: 191 },
      ],
    });
  });

  it("leaves lonely hours out where there are longer runs", () => {
    const cells = week((hour) => (hour === 3 || hour === 10 || hour === 11 ? 0 : 0.5));
    expect(findOutlook(cells, 0)).toMatchObject({ runs: [{ fromHourOfWeek: 10, toHourOfWeek: 12 }] });
  });

  it("names the least busy hour when none is good", () => {
    expect(
      findOutlook(
        week((hour) => (hour === 4 ? 0.03 : 0.2)),
        20,
      ),
    ).toEqual({
      kind: "none",
      leastBusy: 4,
      rate: 0.03,
    });
  });

  it("says nothing of thin or absent data", () => {
    expect(
      findOutlook(
        week(() => 0, 19),
        0,
      ),
    ).toEqual({ kind: "unknown" });
    expect(
      findOutlook(
        week(() => null),
        0,
      ),
    ).toEqual({ kind: "unknown" });
    expect(findOutlook([], 0)).toEqual({ kind: "unknown" });
  });

  it("says so when every hour is good", () => {
    expect(
      findOutlook(
        week(() => 0.01),
        5,
      ),
    ).toEqual({ kind: "allGood" });
  });
});
