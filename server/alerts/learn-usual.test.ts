import { describe, expect, it } from "vitest";
import type { Quarter } from "../profile/day-hours.ts";
import { learnUsual } from "./learn-usual.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** A Monday. */
const FIRST_DAY = Date.parse("2026-11-02T00:00:00Z") / DAY;
const END_DAY = FIRST_DAY + 28;

/** Four weeks of 40 calls a quarter-hour; `shareAt` of them find no room. */
function history(shareAt: (day: number, hour: number) => number): Quarter[] {
  return Array.from({ length: 28 * 96 }, (_, i) => {
    const [day, quarter] = [Math.floor(i / 96), i % 96];
    const k = Math.round(40 * shareAt(day, quarter / 4));
    return { startMs: (FIRST_DAY + day) * DAY + quarter * 900_000, k, n: 40 };
  });
}

const spanOf = (day: number, fromHour: number, toHour: number) => ({
  fromMs: (FIRST_DAY + day) * DAY + fromHour * HOUR,
  toMs: (FIRST_DAY + day) * DAY + toHour * HOUR,
});
const at = (weekday: number, hour: number) => weekday * 24 + hour;
const learn = (quarters: Quarter[], episodes: ReturnType<typeof spanOf>[]) => {
  const week = learnUsual(quarters, episodes, "UTC", END_DAY);
  if (week === null) throw new Error("nothing was learnt");
  return week;
};

describe("what is usual", () => {
  it("is the share at the hour of the week, and how many calls say so", () => {
    const { shares, calls } = learn(
      history((_, hour) => (hour >= 10 && hour < 12 ? 0.2 : 0.025)),
      [],
    );
    expect(shares).toHaveLength(168);
    expect(shares[at(2, 10)]).toBeGreaterThan(0.12);
    expect(shares[at(2, 3)]).toBeLessThan(0.05);
    expect(calls[at(2, 10)]).toBe(4 * 4 * 40);
  });

  it("leaves out last week's outage", () => {
    const outage = (day: number, hour: number) => day >= 21 && day < 23 && hour >= 8 && hour < 20;
    const quarters = history((day, hour) => (outage(day, hour) ? 0.75 : 0.025));
    const episodes = [spanOf(21, 8, 20), spanOf(22, 8, 20)];
    expect(learn(quarters, []).shares[at(0, 12)]).toBeGreaterThan(0.08);
    expect(learn(quarters, episodes).shares[at(0, 12)]).toBeLessThan(0.04);
  });

  it("keeps all episodes where a quarter of the days have one, at whatever hour", () => {
    const hourOf = (day: number) => (day * 7) % 24;
    const isShort = (day: number, hour: number) => day % 4 === 0 && Math.floor(hour) === hourOf(day);
    const quarters = history((day, hour) => (isShort(day, hour) ? 0.75 : 0.025));
    const days = [0, 4, 8, 12, 16, 20, 24];
    const spans = days.map((day) => spanOf(day, hourOf(day), hourOf(day) + 1));
    const meanOf = (episodes: typeof spans) =>
      learn(quarters, episodes).shares.reduce((sum, share) => sum + share / 168, 0);
    expect(meanOf(spans)).toBe(meanOf([]));
    expect(meanOf(spans.slice(0, 6))).toBeLessThan(meanOf([]));
  });

  it("keeps a rush that is an episode every weekday, and one every Monday", () => {
    const isRush = (day: number, hour: number) => day % 7 < 5 && hour >= 10 && hour < 12;
    const daily = Array.from({ length: 28 }, (_, day) => day).filter((day) => day % 7 < 5);
    const rush = learn(
      history((day, hour) => (isRush(day, hour) ? 0.25 : 0.025)),
      daily.map((day) => spanOf(day, 10, 12)),
    );
    expect(rush.shares[at(3, 11)]).toBeGreaterThan(0.15);

    const mondays = [0, 7, 14, 21];
    const weekly = history((day, hour) => (mondays.includes(day) && hour >= 10 && hour < 12 ? 0.25 : 0.025));
    const kept = learn(
      weekly,
      mondays.map((day) => spanOf(day, 10, 12)),
    );
    expect(kept.shares[at(0, 11)]).toBeGreaterThan(0.08);
    expect(kept.shares[at(0, 11)]).toBe(learn(weekly, []).shares[at(0, 11)]);
  });

  it("is of days before, on the wall of the zone", () => {
    const quarters = history((day) => (day === 27 ? 0.5 : 0.025));
    const before = learnUsual(quarters, [], "UTC", FIRST_DAY + 27);
    expect(Math.max(...(before?.shares ?? []))).toBeLessThan(0.04);
    const kolkata = learnUsual(
      history((_, hour) => (hour === 10 ? 0.25 : 0)),
      [],
      "Asia/Kolkata",
      END_DAY,
    );
    // 10:00 UTC is 15:30 there.
    const [best] = (kolkata?.shares ?? []).map((share, i) => [share, i] as const).sort((a, b) => b[0] - a[0]);
    expect((best?.[1] ?? 0) % 24).toBe(15);
  });

  it("is unknown without a call", () => {
    expect(learnUsual([], [], "UTC", END_DAY)).toBeNull();
  });
});
