import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS, GRAINS, MINUTE_MS, QUARTER_MS } from "../rollup/levels.ts";
import { listLocalHours, offsetMsAt } from "../time/zone.ts";
import { toCell, wilsonInterval } from "./cell.ts";
import { toHeatmapCells } from "./heatmap.ts";
import { listStarts } from "./points.ts";
import { planReading } from "./segments.ts";
import { countShare, defineShare } from "./share.ts";

describe("the Wilson interval", () => {
  it("matches published values", () => {
    // 81 of 263 (Newcombe 1998, method 3): 0.2553 to 0.3662.
    const { low, high } = wilsonInterval(81, 263);
    expect([low, high].map((value) => value.toFixed(4))).toEqual(["0.2553", "0.3662"]);
    expect(wilsonInterval(0, 20).high.toFixed(4)).toBe("0.1611");
  });

  it("holds the rate, stays within 0 and 1, and narrows with more calls", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000 }),
        fc.float({ min: 0, max: 1, noNaN: true }),
        (n, share) => {
          const k = Math.round(n * share);
          const { low, high } = wilsonInterval(k, n);
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
          expect(low).toBeLessThanOrEqual(k / n + 1e-12);
          expect(high).toBeGreaterThanOrEqual(k / n - 1e-12);
          const wider = wilsonInterval(k * 4, n * 4);
          expect(wider.high - wider.low).toBeLessThanOrEqual(high - low + 1e-12);
        },
      ),
    );
  });

  it("tells no calls from no errors", () => {
    expect(toCell(0, 0)).toMatchObject({ rate: null, low: null, state: "none" });
    expect(toCell(0, 19)).toMatchObject({ rate: 0, low: 0, state: "few" });
    expect(toCell(0, 20)).toMatchObject({ rate: 0, state: "enough" });
  });
});

describe("the share", () => {
  const counts: Partial<Record<Outcome, number>> = Object.fromEntries(
    OUTCOMES.map((outcome) => [outcome, 10]),
  );

  it("of capacity leaves out cancelled calls and the caller's own faults", () => {
    // ok, capacity, rate_limit, timeout, network, server_error, unknown
    expect(countShare(counts, "capacity")).toEqual({ k: 10, n: 70 });
    expect(countShare(counts, "timeout")).toEqual({ k: 10, n: 70 });
  });

  it("of a caller's own fault counts those as well, of cancelled calls all", () => {
    expect(countShare(counts, "auth")).toEqual({ k: 10, n: 150 });
    expect(countShare(counts, "cancelled")).toEqual({ k: 10, n: 160 });
  });

  it("never has more in k than in n", () => {
    for (const outcome of OUTCOMES) {
      const share = defineShare(outcome);
      for (const code of share.inK) expect(share.inN).toContain(code);
    }
  });

  it("adds up hours of week in any order", () => {
    const cells = toHeatmapCells([
      { hourOfWeek: 167, k: 2, n: 2 },
      { hourOfWeek: 0, k: 0, n: 30 },
      { hourOfWeek: 167, k: 1, n: 2 },
    ]);
    expect(cells).toHaveLength(168);
    expect(cells[167]).toMatchObject({ hourOfWeek: 167, k: 3, n: 4 });
    expect(cells[0]).toMatchObject({ k: 0, n: 30 });
  });
});

describe("planReading", () => {
  const NOW_MS = Date.parse("2026-11-29T12:07:30Z");
  const minute = fc.integer({ min: -60 * 1440, max: 60 }).map((minutes) => NOW_MS + minutes * MINUTE_MS + 17);

  it("covers the range once, without gaps, by buckets that lie on their grid", () => {
    const widths = Object.fromEntries(GRAINS.map(({ level, lengthMs }) => [level, lengthMs]));
    fc.assert(
      fc.property(
        minute,
        minute,
        fc.constantFrom("15m" as const, "1h" as const, "1d" as const),
        (a, b, coarsest) => {
          fc.pre(a !== b);
          const range = { fromMs: Math.min(a, b), toMs: Math.max(a, b) };
          const { segments, fromMs } = planReading(range, NOW_MS, coarsest);
          let at = fromMs;
          for (const { level, fromMs: start, toMs: end } of segments) {
            expect(start).toBe(at);
            expect(end).toBeGreaterThan(start);
            expect(start % (widths[level] ?? 0)).toBe(0);
            expect(end % (widths[level] ?? 0)).toBe(0);
            if (level === "1m") expect(start).toBeGreaterThanOrEqual(NOW_MS - 15 * DAY_MS);
            if (level === "1d") expect(end).toBeLessThanOrEqual(NOW_MS);
            at = end;
          }
          // Each grain is left and entered at most once.
          expect(segments.length).toBeLessThanOrEqual(7);
          expect(fromMs).toBeLessThanOrEqual(range.fromMs);
          expect(at).toBeGreaterThanOrEqual(range.toMs);
          expect(at - range.toMs).toBeLessThan(QUARTER_MS);
          expect(range.fromMs - fromMs).toBeLessThan(QUARTER_MS);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe("local hours", () => {
  const names = (zone: string, date: string) => listLocalHours(zone, date).map(({ hour }) => hour);

  it("are 24, 23 or 25", () => {
    expect(names("Europe/Berlin", "2026-11-29")).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
    expect(names("Europe/Berlin", "2026-03-29")).toHaveLength(23);
    expect(names("Europe/Berlin", "2026-10-25").slice(1, 5)).toEqual([1, 2, 2, 3]);
    expect(names("America/New_York", "2026-03-08").slice(0, 4)).toEqual([0, 1, 3, 4]);
  });

  it("are cut where clocks change by half an hour", () => {
    const hours = listLocalHours("Australia/Lord_Howe", "2026-10-04");
    const [one, two, three] = hours.slice(1, 4);
    expect([one?.hour, two?.hour, three?.hour]).toEqual([1, 2, 3]);
    expect((three?.startMs ?? 0) - (two?.startMs ?? 0)).toBe(30 * MINUTE_MS);
  });

  it("begin where the day really begins: no midnight on the day clocks change in Beirut", () => {
    expect(names("Asia/Beirut", "2026-03-29")[0]).toBe(1);
  });

  it("follow one another without a gap where clocks change in a year, in zones of every kind", () => {
    for (const zone of [
      "America/St_Johns",
      "Asia/Kathmandu",
      "Pacific/Chatham",
      "Africa/Casablanca",
      "America/Santiago",
    ]) {
      const from = Date.parse("2026-01-01T12:00:00Z");
      const days = Array.from({ length: 366 }, (_, day) => from + day * DAY_MS);
      const changing = days.filter((ms) => offsetMsAt(zone, ms) !== offsetMsAt(zone, ms + DAY_MS));
      expect(changing.length).toBe(zone === "Asia/Kathmandu" ? 0 : 2);
      for (const ms of [from, ...changing]) {
        const starts = listStarts(ms - DAY_MS, ms + 2 * DAY_MS, "1h", zone);
        for (let i = 1; i < starts.length; i++) {
          expect([15, 30, 45, 60]).toContain(((starts[i] ?? 0) - (starts[i - 1] ?? 0)) / MINUTE_MS);
        }
        expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(2.9 * DAY_MS);
      }
    }
  });
});
