import { describe, expect, it } from "vitest";
import { readWeek, weekAt, weekBefore } from "./week.ts";

const at = (text: string) => Date.parse(text);
const iso = ({ name, fromMs, toMs }: { name: string; fromMs: number; toMs: number }) => [
  name,
  new Date(fromMs).toISOString(),
  new Date(toMs).toISOString(),
];

describe("a week", () => {
  it("begins on Monday at midnight on the wall of the zone", () => {
    expect(iso(weekAt("Asia/Shanghai", at("2026-11-29T15:59:59Z")))).toEqual([
      "2026-W48",
      "2026-11-22T16:00:00.000Z",
      "2026-11-29T16:00:00.000Z",
    ]);
    expect(weekAt("Asia/Shanghai", at("2026-11-29T16:00:00Z")).name).toBe("2026-W49");
  });

  it("has an hour more or less where clocks change", () => {
    const autumn = weekAt("Europe/Berlin", at("2026-10-25T12:00:00Z"));
    expect((autumn.toMs - autumn.fromMs) / 3_600_000).toBe(169);
    const spring = weekAt("Europe/Berlin", at("2026-03-29T12:00:00Z"));
    expect((spring.toMs - spring.fromMs) / 3_600_000).toBe(167);
  });

  it("is found again by its name, also around New Year; what is none is not", () => {
    for (let ms = at("2019-12-20T00:00:00Z"); ms < at("2027-02-01T00:00:00Z"); ms += 7 * 86_400_000) {
      const week = weekAt("America/New_York", ms);
      expect(readWeek("America/New_York", week.name)).toEqual(week);
      expect(weekBefore("America/New_York", week).toMs).toBe(week.fromMs);
    }
    expect(readWeek("UTC", "2020-W53")?.name).toBe("2020-W53");
    for (const name of ["2026-W00", "2026-W54", "2021-W53", "2026-48", "W48"])
      expect(readWeek("UTC", name)).toBeNull();
  });
});
