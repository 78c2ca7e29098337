import { expect, it } from "vitest";
import type { OverviewTarget } from "../contract/share.ts";
import { toCell } from "./cell.ts";
import { describeOverview } from "./sentence.ts";

function aTarget(k: number, n: number, parts: Partial<OverviewTarget> = {}): OverviewTarget {
  const none = toCell(0, 0);
  const times = { p50: null, p95: null, p99: null };
  return {
    provider: "acme",
    model: "large",
    endpoint: "",
    attempts: n,
    requests: n,
    degraded: 0,
    retries: 0,
    outcomes: {},
    requestOutcomes: {},
    capacity: toCell(k, n),
    requestCapacity: none,
    success: none,
    latencyMs: times,
    firstTokenMs: times,
    before: null,
    ...parts,
  };
}

it("says whether models were short, and which one most", () => {
  expect(describeOverview([aTarget(1, 100), aTarget(0, 50, { model: "small" })])).toBe(
    "None of 2 models was short of capacity.",
  );
  expect(describeOverview([aTarget(6, 100), aTarget(10, 100, { model: "small" })])).toBe(
    "2 of 2 models were short of capacity, most of all small: 10.0 % of calls (10 of 100).",
  );
  expect(describeOverview([aTarget(1, 100)])).toBe("large was not short of capacity.");
});

it("counts endpoints, and names them, where a model has several", () => {
  const targets = [aTarget(6, 100, { endpoint: "eu" }), aTarget(0, 100, { endpoint: "us" })];
  expect(describeOverview(targets)).toBe(
    "1 of 2 model endpoints was short of capacity, most of all large at eu: 6.0 % of calls (6 of 100).",
  );
});

it("names the provider where that alone tells two apart", () => {
  expect(describeOverview([aTarget(6, 100), aTarget(0, 100, { provider: "other" })])).toBe(
    "1 of 2 model endpoints was short of capacity, most of all large of acme: 6.0 % of calls (6 of 100).",
  );
});

it("claims nothing of few calls or none", () => {
  expect(describeOverview([])).toBe("No calls in this range.");
  expect(describeOverview([aTarget(19, 19)])).toBe(
    "Only 19 calls in this range: too few to say how busy any model is.",
  );
});
