import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS, QUARTER_MS } from "../../rollup/levels.ts";
import { availableShare, makeGrid, toBars } from "./bars.ts";
import { continueLevels, GAP, judgeQuarters, MAINTENANCE, overlay } from "./quarter-levels.ts";

const DAY = Date.parse("2026-11-25T00:00:00Z");
const at = (quarters: number) => DAY + quarters * QUARTER_MS;
const calls = (quarter: number, k: number, n = 100) => ({ startMs: at(quarter), k, n });

describe("judgeQuarters", () => {
  it("judges each by its own calls, and knows nothing where there are none", () => {
    const { levels } = judgeQuarters([calls(0, 0), calls(1, 5), calls(3, 60)], DAY, at(16));
    expect([...levels.slice(0, 4)]).toEqual([0, 1, GAP, 3]);
    expect([...levels.slice(12)]).toEqual([GAP, GAP, GAP, GAP]);
  });

  it("judges thin ones with their hour, and thinner ones with three hours", () => {
    const thin = [0, 1, 2, 3].map((quarter) => calls(quarter, 5, 6));
    expect([...judgeQuarters(thin, DAY, at(12)).levels.slice(0, 4)]).toEqual([3, 3, 3, 3]);
    const thinner = [0, 4, 8].map((quarter) => calls(quarter, 0, 7));
    expect([...judgeQuarters(thinner, DAY, at(12)).levels]).toEqual(new Array(12).fill(0));
    expect([...judgeQuarters(thinner.slice(1), DAY, at(12)).levels]).toEqual(new Array(12).fill(GAP));
  });

  it("goes on where older ones end", () => {
    const before = judgeQuarters([calls(0, 0), calls(12, 60)], DAY, at(12));
    const after = judgeQuarters([calls(12, 5)], at(12), at(14));
    const { fromMs, levels } = continueLevels(before, after);
    expect([fromMs, levels.length, levels[0], levels[12]]).toEqual([DAY, 14, 0, 1]);
  });

  it("lays what was said over what was measured, the worse of the two", () => {
    const measured = judgeQuarters([calls(0, 60), calls(1, 0), calls(2, 0)], DAY, at(4));
    const said = [
      { fromMs: at(0), toMs: at(2), level: 1 },
      { fromMs: at(2), toMs: at(3), level: MAINTENANCE },
    ];
    expect([...overlay(measured, said).levels].slice(0, 3)).toEqual([3, 1, 4]);
  });
});

describe("bars", () => {
  const level = (value: number, quarters: number) => new Array<number>(quarters).fill(value);

  it("say how long each level held, so that a bad minute does not make a bad day", () => {
    const levels = Int8Array.from([...level(0, 90), ...level(2, 1), ...level(GAP, 5), ...level(0, 96)]);
    const grid = {
      range: "90d" as const,
      edgesMs: [DAY, DAY + DAY_MS, DAY + 2 * DAY_MS],
      nowMs: DAY + 2 * DAY_MS,
    };
    const [first, second] = toBars({ fromMs: DAY, levels }, grid);
    expect(first).toEqual({
      fromMs: DAY,
      toMs: DAY + DAY_MS,
      levelMs: [90 * QUARTER_MS, 0, QUARTER_MS, 0, 0],
      gapMs: 5 * QUARTER_MS,
      isOpen: false,
    });
    expect(second?.levelMs[0]).toBe(DAY_MS);
  });

  it("end now, and what is not known yet is no gap", () => {
    const nowMs = DAY + 7 * MINUTE_MS;
    const [bar] = toBars(
      { fromMs: DAY, levels: Int8Array.from([0]) },
      { range: "24h", edgesMs: [DAY, DAY + 2 * QUARTER_MS], nowMs },
    );
    expect(bar).toMatchObject({ levelMs: [7 * MINUTE_MS, 0, 0, 0, 0], gapMs: 0, isOpen: true });
  });

  it("are gaps before anything was measured", () => {
    const [bar] = toBars(
      { fromMs: DAY, levels: new Int8Array() },
      { range: "24h", edgesMs: [DAY - HOUR_MS, DAY], nowMs: DAY },
    );
    expect(bar).toMatchObject({ gapMs: HOUR_MS, levelMs: [0, 0, 0, 0, 0] });
  });

  it("are days on the reader's wall, of 23 or 25 hours where clocks change", () => {
    const { edgesMs } = makeGrid("90d", "Europe/Berlin", Date.parse("2026-11-25T18:30:00Z"));
    const hours = edgesMs.slice(1).map((end, i) => (end - (edgesMs[i] ?? 0)) / HOUR_MS);
    expect(edgesMs).toHaveLength(91);
    expect(hours.filter((length) => length === 25)).toHaveLength(1);
    expect(new Date(edgesMs.at(-1) ?? 0).toISOString()).toBe("2026-11-25T23:00:00.000Z");
  });

  it("are half-hours and two hours on that wall, the last one going on", () => {
    const nowMs = Date.parse("2026-11-25T18:40:00Z");
    const day = makeGrid("24h", "Asia/Kathmandu", nowMs);
    expect([day.edgesMs.length, new Date(day.edgesMs.at(-2) ?? 0).toISOString()]).toEqual([
      49,
      "2026-11-25T18:15:00.000Z",
    ]);
    const week = makeGrid("7d", "Asia/Tokyo", nowMs);
    expect([week.edgesMs.length, new Date(week.edgesMs.at(-1) ?? 0).toISOString()]).toEqual([
      85,
      "2026-11-25T19:00:00.000Z",
    ]);
  });

  it("give the share of the known time, maintenance left out", () => {
    const bar = { fromMs: 0, toMs: 0, levelMs: [900, 50, 50, 0, 5_000], gapMs: 7_000, isOpen: false };
    expect(availableShare([bar])).toBe(0.9);
    expect(availableShare([{ ...bar, levelMs: [0, 0, 0, 0, 1] }])).toBeNull();
  });
});
