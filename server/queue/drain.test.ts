import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUCKET_MS, findDrainBefore } from "./drain.ts";

const MINUTE = 60_000;

describe("what must be let go early", () => {
  it("is nothing where there is time, or nobody to do it", () => {
    expect(findDrainBefore([], 10, 0)).toBeNull();
    expect(findDrainBefore([{ atMs: 60 * MINUTE, count: 100 }], 10, 0)).toBeNull();
    expect(findDrainBefore([{ atMs: 1, count: 100_000 }], 0, 0)).toBeNull();
  });

  it("is what needs the time that is left, and what is before it", () => {
    // At 10 a minute, of which 8 are counted on, 480 jobs need an hour.
    const dues = [{ atMs: 60 * MINUTE, count: 480 }];
    expect(findDrainBefore(dues, 10, -1)).toBeNull();
    expect(findDrainBefore(dues, 10, 0)).toBe(60 * MINUTE + BUCKET_MS);
    const two = [
      { atMs: 30 * MINUTE, count: 10 },
      { atMs: 60 * MINUTE, count: 470 },
      { atMs: 600 * MINUTE, count: 1 },
    ];
    expect(findDrainBefore(two, 10, 0)).toBe(60 * MINUTE + BUCKET_MS);
    // What is late already lets nobody else go.
    const late = [
      { atMs: -1, count: 1 },
      { atMs: 1, count: 0 },
      { atMs: 120 * MINUTE, count: 10 },
    ];
    expect(findDrainBefore(late, 10, 0)).toBe(MINUTE * 5 + 1);
  });

  it("lets all begin in time at that pace, whatever they are", () => {
    const aDue = fc.record({
      atMs: fc.integer({ min: 1, max: 24 * 60 }),
      count: fc.integer({ min: 1, max: 500 }),
    });
    fc.assert(
      fc.property(
        fc.array(aDue, { minLength: 1, maxLength: 30 }),
        fc.integer({ min: 1, max: 50 }),
        (made, pace) => {
          const dues = made
            .map(({ atMs, count }) => ({ atMs: atMs * MINUTE, count }))
            .sort((a, b) => a.atMs - b.atMs);
          const waiting = dues.map((due) => ({ ...due }));
          // Those that could not be in time if they had begun at once are none of its matter.
          let sum = 0;
          const possible = dues.every(({ atMs, count }) => {
            sum += count;
            return (sum / (pace * 0.8)) * MINUTE <= atMs - MINUTE;
          });
          fc.pre(possible);
          for (let now = 0; waiting.some(({ count }) => count > 0); now += MINUTE) {
            const before = findDrainBefore(
              waiting.filter(({ count }) => count > 0),
              pace,
              now,
            );
            let room = pace;
            for (const due of waiting) {
              const isReady = due.atMs <= now || (before !== null && due.atMs <= before);
              if (due.count > 0 && due.atMs < now - MINUTE) return false;
              if (!isReady) continue;
              const taken = Math.min(room, due.count);
              due.count -= taken;
              room -= taken;
            }
          }
          return true;
        },
      ),
    );
  });
});
