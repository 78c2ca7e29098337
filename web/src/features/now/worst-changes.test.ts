import { describe, expect, it } from "vitest";
import type { OverviewTarget } from "../../../../server/contract/share.ts";
import { canCompare, listWorstChanges } from "./worst-changes.ts";

const cell = (rate: number, n = 100, spread = 0.01) => ({
  n,
  k: rate * n,
  rate,
  low: Math.max(0, rate - spread),
  high: rate + spread,
  state: n < 20 ? ("few" as const) : ("enough" as const),
});

function target(model: string, now: ReturnType<typeof cell>, before: ReturnType<typeof cell> | null) {
  const figures = (capacity: typeof now) => ({ capacity, requestCapacity: cell(0) });
  return {
    provider: "acme",
    model,
    endpoint: "",
    ...figures(now),
    before: before === null ? null : figures(before),
  } as unknown as OverviewTarget;
}

describe("listWorstChanges", () => {
  it("lists what rose, worst first, at most as many as asked for", () => {
    const targets = [
      target("a", cell(0.05), cell(0.02)),
      target("b", cell(0.09), cell(0.02)),
      target("better", cell(0.01), cell(0.2)),
      target("same", cell(0.01), cell(0.01)),
      target("c", cell(0.03), cell(0.025)),
    ];
    expect(listWorstChanges(targets, "attempts").map(({ model, isClear }) => [model, isClear])).toEqual([
      ["b", true],
      ["a", true],
      ["c", false],
    ]);
    expect(listWorstChanges(targets, "attempts", 1)).toHaveLength(1);
    expect(listWorstChanges(targets, "requests")).toEqual([]);
  });

  it("leaves out what is thin on either side or was not there", () => {
    const targets = [
      target("thin now", cell(0.5, 19), cell(0)),
      target("thin then", cell(0.5), cell(0, 19)),
      target("new", cell(0.5), null),
    ];
    expect(listWorstChanges(targets, "attempts")).toEqual([]);
  });
});

describe("canCompare", () => {
  it("needs one target with enough calls in both weeks", () => {
    expect(
      canCompare([target("a", cell(0.05), cell(0.02, 19)), target("b", cell(0.1), null)], "attempts"),
    ).toBe(false);
    expect(canCompare([target("a", cell(0.05), cell(0.2))], "attempts")).toBe(true);
    expect(canCompare([], "attempts")).toBe(false);
  });
});
