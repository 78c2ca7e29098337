import { describe, expect, it } from "vitest";
import { toCell } from "../capacity/cell.ts";
import type { Heatmap } from "../contract/share.ts";
import { formatHeatmap } from "./heatmap-text.ts";

/** Counts by hour of week; hours that are not named had no calls. */
function aHeatmap(counts: Readonly<Record<number, readonly [k: number, n: number]>>): Heatmap {
  return {
    zone: "Asia/Kolkata",
    range: { from: "2026-11-02T00:00:00.000Z", to: "2026-11-30T01:15:00.000Z" },
    count: "attempts",
    outcome: "capacity",
    cells: Array.from({ length: 168 }, (_, hourOfWeek) => {
      const [k, n] = counts[hourOfWeek] ?? [0, 0];
      return { hourOfWeek, ...toCell(k, n) };
    }),
  };
}

const plain = { of: "model gpt-5", isColored: false };

describe("formatHeatmap", () => {
  it("shows numbers where there are enough calls, marks elsewhere, and counts of the fullest hours", () => {
    const heatmap = aHeatmap({ 0: [0, 40], 1: [1, 1], 2: [1, 400], 24: [0, 3], 38: [60, 400], 167: [1, 20] });
    expect(formatHeatmap(heatmap, plain)).toBe(`Capacity errors, percent of attempts, model gpt-5
2026-11-02 05:30 to 2026-11-30 06:45, Asia/Kolkata

      0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
Mon   0  ? <1  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
Tue   ?  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  · 15  ·  ·  ·  ·  ·  ·  ·  ·  ·
Wed   ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
Thu   ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
Fri   ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
Sat   ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·
Sun   ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  ·  5

    ? fewer than 20 attempts: too few to say   · none

Hours with capacity errors. In all 63 of 864 attempts.
  Tue 14:00–15:00  60 of 400   15.0 % (95 % between 11.8 and 18.8)
  Sun 23:00–24:00    1 of 20    5.0 % (95 % between 0.9 and 23.6)
  Mon 02:00–03:00   1 of 400    0.3 % (95 % between 0.0 and 1.4)
  Mon 01:00–02:00     1 of 1  too few to say
`);
  });

  it("shows the five fullest hours of many, and says when there is none", () => {
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, hour) => [hour, [hour + 1, 100] as const]));
    const lines = formatHeatmap(aHeatmap(many), plain).split("\n");
    expect(lines.slice(-7)).toEqual([
      "Fullest hours. In all 45 of 900 attempts.",
      ...[8, 7, 6, 5, 4].map((hour) => expect.stringContaining(`Mon 0${hour}:00`)),
      "",
    ]);
    expect(formatHeatmap(aHeatmap({ 5: [0, 30] }), plain)).toMatch(
      /\nNo hour had capacity errors\. In all 0 of 30 attempts\.\n$/,
    );
  });

  it("fits 80 columns, and makes room for a hundred percent", () => {
    const widest = (text: string) => Math.max(...text.split("\n").map((line) => line.length));
    expect(widest(formatHeatmap(aHeatmap({ 0: [10, 100] }), plain))).toBeLessThanOrEqual(80);
    expect(formatHeatmap(aHeatmap({ 0: [50, 50], 1: [9, 20] }), plain)).toContain("\nMon  100  45   ·");
  });

  it("shades what has enough calls, the fuller the redder, and nothing without colour", () => {
    const heatmap = aHeatmap({ 0: [30, 50], 1: [1, 1], 2: [2, 100], 3: [0, 100] });
    const monday = (isColored: boolean) =>
      formatHeatmap(heatmap, { ...plain, isColored })
        .split("\n")
        .find((line) => line.startsWith("Mon"));
    expect(monday(true)).toContain(
      "Mon \u001b[48;5;160;38;5;231m 60\u001b[0m  ?\u001b[48;5;224;38;5;16m  2\u001b[0m  0  ·",
    );
    expect(monday(false)).toContain("Mon  60  ?  2  0  ·");
  });
});
