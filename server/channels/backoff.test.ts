import { describe, expect, it } from "vitest";
import { pauseAfter } from "./backoff.ts";

describe("the pause after a failure", () => {
  it("doubles from try to try, up to ten minutes", () => {
    const pauses = [1, 2, 3, 4, 8, 9, 10_000].map((tries) => pauseAfter(tries, 5_000, 0));
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 600_000, 600_000, 600_000]);
  });

  it("is shorter by up to a fifth", () => {
    expect(pauseAfter(1, 10_000, 0.5)).toBe(9_000);
    expect(pauseAfter(30, 10_000, 0.999_999)).toBe(480_000);
  });
});
