import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGlobalBudget, EARN_PER_REQUEST, EARN_PER_SUCCESS } from "./retry-budget.ts";

describe("the retry budget", () => {
  it("pays for ten repetitions at the start, and no more without a success", () => {
    const budget = createGlobalBudget();
    let paid = 0;
    for (; budget.canSpend; paid++) budget.spend();
    expect(paid).toBe(10);
    for (let request = 0; request < 9; request++) budget.earn(EARN_PER_REQUEST);
    expect(budget.canSpend).toBe(false);
    budget.earn(EARN_PER_SUCCESS);
    expect(budget.canSpend).toBe(true);
  });

  it("in any stretch pays for no more than successes + 0.1 · requests + 20", () => {
    const step = fc.constantFrom("request", "success", "repeat");
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), fc.nat(200), (steps, from) => {
        const budget = createGlobalBudget();
        let [requests, successes, repeats] = [0, 0, 0];
        for (const [at, kind] of steps.entries()) {
          const isCounted = at >= from;
          if (kind === "request") budget.earn(EARN_PER_REQUEST);
          else if (kind === "success") budget.earn(EARN_PER_SUCCESS);
          else if (!budget.canSpend) continue;
          else budget.spend();
          if (!isCounted) continue;
          if (kind === "request") requests++;
          else if (kind === "success") successes++;
          else repeats++;
        }
        expect(repeats).toBeLessThanOrEqual(successes + 0.1 * requests + 20 + 1e-9);
      }),
    );
  });

  it("is scarce by the part that is missing of what it began with", () => {
    const budget = createGlobalBudget();
    const scarcityAfter = (spent: number) => {
      for (let i = 0; i < spent; i++) budget.spend();
      return budget.scarcity;
    };
    expect([scarcityAfter(0), scarcityAfter(5), scarcityAfter(5)]).toEqual([0, 0.5, 1]);
    budget.earn(100);
    expect(budget.scarcity).toBe(0);
  });
});
