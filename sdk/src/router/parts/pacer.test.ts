import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Pacer } from "./pacer.ts";

describe("pacing below a known limit", () => {
  it("lets a sixth of a minute's calls go at once, and then one after the other", () => {
    const pacer = new Pacer(60, 0);
    for (let i = 0; i < 10; i++) {
      expect(pacer.readyAt(0)).toBe(0);
      pacer.take(0);
    }
    expect(pacer.readyAt(0)).toBe(1_000);
  });

  it("in no minute lets more go than the limit and its burst", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        fc.array(fc.nat(2_000), { maxLength: 300 }),
        (perMinute, waits) => {
          const pacer = new Pacer(perMinute, 0);
          const taken: number[] = [];
          let nowMs = 0;
          for (const wait of waits) {
            nowMs += wait;
            if (pacer.readyAt(nowMs) > nowMs) continue;
            pacer.take(nowMs);
            taken.push(nowMs);
          }
          for (const from of taken) {
            const within = taken.filter((at) => at >= from && at < from + 60_000).length;
            expect(within).toBeLessThanOrEqual(perMinute + Math.max(1, perMinute / 6) + 1);
          }
        },
      ),
    );
  });

  it("starts anew when the provider says that it was too much", () => {
    const pacer = new Pacer(60, 0);
    pacer.empty();
    expect(pacer.readyAt(0)).toBe(1_000);
  });
});
