import { describe, expect, it } from "vitest";
import type { PlanChain } from "../../../../../server/contract/plan.ts";
import { dropTarget, move, putTarget, setField } from "./draft.ts";

const chain: PlanChain = {
  targets: [
    { id: "a", provider: "p", model: "m" },
    { id: "b", provider: "p", model: "n", tier: "light" },
  ],
  floor: "b",
  schedule: [
    { from: "10:00", to: "16:00", order: ["b", "a"] },
    { from: "01:00", to: "02:00", order: ["b"] },
  ],
  avoid: [{ target: "b", windows: [{ from: "13:00", to: "15:00" }] }],
};

describe("a chain that is edited", () => {
  it("speaks of a target by its new id everywhere", () => {
    const renamed = putTarget(chain, { id: "c", provider: "p", model: "n" }, "b");
    expect(renamed.floor).toBe("c");
    expect(renamed.schedule?.map(({ order }) => order)).toEqual([["c", "a"], ["c"]]);
    expect(renamed.avoid?.[0]?.target).toBe("c");
    expect(putTarget(chain, { id: "c", provider: "p", model: "n" }, null).targets).toHaveLength(3);
  });

  it("forgets a target that is taken out, and fields that say nothing any more", () => {
    expect(dropTarget(chain, "b")).toEqual({
      targets: [{ id: "a", provider: "p", model: "m" }],
      schedule: [{ from: "10:00", to: "16:00", order: ["a"] }],
    });
    expect(setField(chain, "floor", undefined)).not.toHaveProperty("floor");
  });

  it("moves within its ends", () => {
    expect(move(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
    expect(move(["a", "b", "c"], 2, -1)).toEqual(["c", "a", "b"]);
    expect(move(["a", "b", "c"], 0, 9)).toEqual(["b", "c", "a"]);
    expect(move(["a"], 3, 0)).toEqual(["a"]);
  });
});
