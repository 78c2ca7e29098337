import { expect, it } from "vitest";
import type { Overview, OverviewTarget, TargetFigures } from "../../../../server/contract/share.ts";
import { spread, sumByTarget, sumOutcomes } from "./sum-hours.ts";

const cell = (k: number, n: number) => ({ k, n, rate: k / n, low: 0, high: 1, state: "enough" as const });

function anHour(outcomes: TargetFigures["outcomes"], targets: readonly [string, number, number][]): Overview {
  return {
    total: { outcomes, requestOutcomes: { ok: 1 } },
    targets: targets.map(([model, k, n]) => ({
      provider: "acme",
      model,
      endpoint: "",
      capacity: cell(k, n),
      requestCapacity: cell(0, n),
    })) as unknown as OverviewTarget[],
  } as unknown as Overview;
}

const hours = [
  anHour({ ok: 6, capacity: 2 }, [
    ["large", 2, 8],
    ["small", 0, 3],
  ]),
  anHour({ ok: 1, capacity: 1, timeout: 10 }, [["large", 1, 12]]),
];

it("adds up how calls ended, most frequent first", () => {
  expect(sumOutcomes(hours, "attempts")).toEqual([
    { outcome: "timeout", count: 10, part: 0.5 },
    { outcome: "ok", count: 7, part: 0.35 },
    { outcome: "capacity", count: 3, part: 0.15 },
  ]);
  expect(sumOutcomes(hours, "requests")).toEqual([{ outcome: "ok", count: 2, part: 1 }]);
  expect(sumOutcomes([], "attempts")).toEqual([]);
});

it("adds up where there was no room, and leaves out what always had some", () => {
  expect(sumByTarget(hours, "attempts", 5)).toEqual([
    { provider: "acme", model: "large", endpoint: "", k: 3, n: 20 },
  ]);
  expect(sumByTarget(hours, "requests", 5)).toEqual([]);
});

it("tells the spread of waits", () => {
  expect(spread([30, 2, 5, 10])).toEqual({ min: 2, median: 5, max: 30 });
  expect(spread([])).toBeNull();
});
