import { describe, expect, it } from "vitest";
import type { Point } from "../../../../server/contract/share.ts";
import { en } from "../../messages/en.ts";
import { hasValues, toCapacityChart, toChartTable, toOutcomeChart, toQuantileChart } from "./chart-series.ts";

const cell = (k: number, n: number) => ({
  n,
  k,
  rate: n === 0 ? null : k / n,
  low: null,
  high: null,
  state: n === 0 ? ("none" as const) : n < 20 ? ("few" as const) : ("enough" as const),
});

function aPoint(parts: Partial<Point> = {}): Point {
  const quantiles = { p50: null, p95: null, p99: null };
  return {
    start: "2026-11-29T10:00:00.000Z",
    attempts: 0,
    requests: 0,
    degraded: 0,
    retries: 0,
    outcomes: {},
    requestOutcomes: {},
    capacity: cell(0, 0),
    requestCapacity: cell(0, 0),
    latencyMs: quantiles,
    firstTokenMs: quantiles,
    inputTokens: 0,
    outputTokens: 0,
    isOpen: false,
    ...parts,
  };
}

describe("toOutcomeChart", () => {
  const points = [
    aPoint({ outcomes: { ok: 90, capacity: 3 } }),
    aPoint({ outcomes: { ok: 10, timeout: 1 }, isOpen: true }),
  ];

  it("stacks what came up, in the order of the outcomes, each in its own colour", () => {
    const { series, openFrom } = toOutcomeChart(points, ["a", "b"], true, en);
    expect(series).toEqual([
      { name: "ok", color: "--outcome-ok", values: [90, 10] },
      { name: "capacity error", color: "--outcome-capacity", values: [3, 0] },
      { name: "timeout", color: "--outcome-timeout", values: [0, 1] },
    ]);
    expect(openFrom).toBe(1);
  });

  it("leaves successes out unless they are asked for", () => {
    expect(toOutcomeChart(points, [], false, en).series.map(({ name }) => name)).toEqual([
      "capacity error",
      "timeout",
    ]);
  });

  it("knows when there is nothing to draw", () => {
    expect(hasValues(toOutcomeChart([aPoint({ outcomes: { ok: 5 } })], [""], false, en))).toBe(false);
  });
});

describe("toCapacityChart", () => {
  it("leaves a gap where calls were few or none, and keeps zero", () => {
    const points = [cell(0, 0), cell(5, 10), cell(0, 40), cell(4, 40)].map((capacity) =>
      aPoint({ capacity }),
    );
    const { series, openFrom } = toCapacityChart(points, null, [], "attempts", en);
    expect(series[0]?.values).toEqual([null, null, 0, 0.1]);
    expect(openFrom).toBe(-1);
  });

  it("puts an earlier time behind, as long as the range", () => {
    const points = [aPoint({ capacity: cell(4, 40) }), aPoint({ capacity: cell(2, 40) })];
    const { series } = toCapacityChart(points, [aPoint({ capacity: cell(1, 40) })], [], "attempts", en);
    expect(series.map(({ isEarlier, values }) => [isEarlier ?? false, values])).toEqual([
      [true, [0.025, null]],
      [false, [0.1, 0.05]],
    ]);
  });
});

describe("toQuantileChart", () => {
  it("compares one line only", () => {
    const point = aPoint({ latencyMs: { p50: 1, p95: 2, p99: 3 } });
    const { series } = toQuantileChart([point], [point], [""], ({ latencyMs }) => latencyMs, en);
    expect(series.map(({ values, isEarlier }) => [values[0], isEarlier ?? false])).toEqual([
      [1, false],
      [2, false],
      [3, false],
      [2, true],
    ]);
  });
});

describe("toChartTable", () => {
  it("holds the very values of the chart, and says which bucket is not over", () => {
    const points = [aPoint({ outcomes: { capacity: 2 } }), aPoint({ isOpen: true })];
    const model = toOutcomeChart(points, ["a", "b"], false, en);
    const { columns, rows } = toChartTable("t", [], points, model, en);
    expect(columns).toEqual(["Time", "capacity error"]);
    expect(rows).toEqual([
      ["2026-11-29T10:00:00.000Z", 2],
      ["2026-11-29T10:00:00.000Z (unfinished)", 0],
    ]);
  });
});
