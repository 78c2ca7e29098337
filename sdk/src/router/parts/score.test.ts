import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HALF_LIFE_MS, PRIOR, Score } from "./score.ts";

const feed = (score: Score, results: readonly boolean[], everyMs = 1_000) => {
  for (const [i, isOk] of results.entries()) {
    if (isOk) score.success(i * everyMs);
    else score.failure(i * everyMs);
  }
  return results.length * everyMs;
};

describe("the score of a target", () => {
  it("begins with the belief, and a first failure leaves most of it", () => {
    const score = new Score();
    expect(score.expect(0)).toBe(PRIOR);
    score.failure(0);
    expect(score.expect(0)).toBeCloseTo(4.75 / 6);
  });

  it("forgets half in a minute", () => {
    const score = new Score();
    score.failure(0);
    score.failure(0);
    expect(score.weight(HALF_LIFE_MS)).toBeCloseTo(1);
    expect(score.expect(HALF_LIFE_MS)).toBeCloseTo(4.75 / 6);
  });

  it("lies between 0 and 1; a success never lowers it, a failure never raises it, and silence leads back", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { maxLength: 200 }),
        fc.integer({ min: 1, max: 600_000 }),
        (results, silence) => {
          const score = new Score();
          const now = feed(score, results);
          const before = score.expect(now);
          expect(before).toBeGreaterThan(0);
          expect(before).toBeLessThan(1);
          const later = score.expect(now + silence);
          expect(Math.abs(later - PRIOR)).toBeLessThanOrEqual(Math.abs(before - PRIOR) + 1e-12);
          score.success(now + silence);
          const lifted = score.expect(now + silence);
          expect(lifted).toBeGreaterThanOrEqual(later);
          score.failure(now + silence);
          expect(score.expect(now + silence)).toBeLessThanOrEqual(lifted);
        },
      ),
    );
  });
});
