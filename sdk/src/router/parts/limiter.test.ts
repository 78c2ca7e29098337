import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdaptiveLimit, MOST } from "./limiter.ts";

/** Five results of a window in use, with that many failures among them. */
function window(limit: AdaptiveLimit, at: number, failures: number, isTimeout = false): void {
  const inUse = limit.allowed() - 1;
  for (let i = 0; i < 5; i++) {
    const nowMs = (at + 1) * 6_000 + i;
    if (i < failures) limit.failure(nowMs, inUse, isTimeout);
    else limit.success(nowMs, inUse);
  }
}

function grown(): AdaptiveLimit {
  const limit = new AdaptiveLimit();
  for (let i = 0; i < 17; i++) limit.success(0, limit.allowed());
  limit.success(6_000, 0);
  return limit;
}

describe("the limit of own calls at a target", () => {
  it("begins at 3 and grows by one a success while half of it is in use", () => {
    const limit = new AdaptiveLimit();
    expect(limit.allowed()).toBe(3);
    limit.success(0, 2);
    expect(limit.allowed()).toBe(4);
    limit.success(0, 0);
    expect(limit.allowed()).toBe(4);
  });

  it("stays as it is between a fifth and 35 % of failures", () => {
    const limit = grown();
    window(limit, 1, 2);
    const afterCut = limit.allowed();
    for (let i = 0; i < 100; i++) {
      const nowMs = 12_600 + i * 600;
      if ([1, 4, 7].includes(i % 10)) limit.failure(nowMs, afterCut, false);
      else limit.success(nowMs, afterCut);
    }
    expect(limit.allowed()).toBe(afterCut);
  });

  it("shrinks by three tenths a bad window, and grows by two a good one from then on", () => {
    const limit = grown();
    const before = limit.allowed();
    window(limit, 1, 5);
    expect(limit.allowed()).toBe(Math.floor(before * 0.7));
    window(limit, 2, 0);
    expect(limit.allowed()).toBe(Math.floor(before * 0.7) + 2);
  });

  it("falls to 1 at a provider with one slot, where fewer calls help", () => {
    const limit = new AdaptiveLimit();
    for (let at = 1; at < 20; at++) {
      const inFlight = limit.allowed();
      for (let i = 0; i < 6; i++) {
        const nowMs = at * 6_000 + i;
        if (i % inFlight === 0) limit.success(nowMs, inFlight - 1, 3);
        else limit.failure(nowMs, inFlight - 1, false, 3);
      }
      if (limit.allowed() === 1) return;
    }
    expect.unreachable("it never found the one slot");
  });

  it("takes cuts back that do not help, for the room is taken by others", () => {
    const limit = grown();
    const before = limit.allowed();
    for (let at = 1; at <= 3; at++) window(limit, at, 3);
    expect(limit.allowed()).toBeGreaterThanOrEqual(before);
  });

  it("goes on cutting while calls time out, since a queue answers late", () => {
    const limit = grown();
    for (let at = 1; at <= 12; at++) window(limit, at, 5, true);
    expect(limit.allowed()).toBeLessThanOrEqual(2);
  });

  it("is not cut for failures that came while little of it was in use", () => {
    const limit = grown();
    const before = limit.allowed();
    for (let i = 0; i < 20; i++) limit.failure(i * 6_000, 0, false);
    expect(limit.allowed()).toBe(before);
  });

  it("comes back at half of what it was when its target went away", () => {
    const limit = grown();
    limit.opened();
    for (let at = 1; at <= 9; at++) window(limit, at, 5, true);
    limit.restored();
    expect(limit.allowed()).toBe(10);
  });

  it("lies between 1 and the most allowed, whatever comes", () => {
    const result = fc.record({
      isOk: fc.boolean(),
      isTimeout: fc.boolean(),
      afterMs: fc.nat(5_000),
      inFlight: fc.nat(300),
    });
    fc.assert(
      fc.property(
        fc.array(result, { maxLength: 300 }),
        fc.integer({ min: 1, max: MOST }),
        (results, most) => {
          const limit = new AdaptiveLimit();
          let nowMs = 0;
          for (const { isOk, isTimeout, afterMs, inFlight } of results) {
            nowMs += afterMs;
            if (isOk) limit.success(nowMs, inFlight, most);
            else limit.failure(nowMs, inFlight, isTimeout, most);
            expect(limit.allowed(most)).toBeGreaterThanOrEqual(1);
            expect(limit.allowed(most)).toBeLessThanOrEqual(most);
          }
        },
      ),
    );
  });
});
