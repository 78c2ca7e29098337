import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FLOOR_MS, getBackoffMs } from "./backoff.ts";

const policy = { baseMs: 1_000, capMs: 10_000 };

describe("the wait before the same target is asked again", () => {
  it.each([
    [0, 1_000],
    [1, 2_000],
    [3, 8_000],
    [4, 10_000],
    [60, 10_000],
  ])("after %i failures has a ceiling of %i ms", (failures, ceiling) => {
    expect(getBackoffMs(failures, policy, () => 0)).toBe(FLOOR_MS);
    expect(getBackoffMs(failures, policy, () => 0.5)).toBe(FLOOR_MS + ceiling / 2);
  });

  it("lies between its floor and the floor and the ceiling together", () => {
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: 0, max: 60_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (failures, baseMs, capMs, chance) => {
          const waitMs = getBackoffMs(failures, { baseMs, capMs }, () => chance);
          expect(waitMs).toBeGreaterThanOrEqual(FLOOR_MS);
          expect(waitMs).toBeLessThanOrEqual(FLOOR_MS + Math.min(capMs, baseMs * 2 ** failures));
        },
      ),
    );
  });
});
