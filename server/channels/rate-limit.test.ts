import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KINDS } from "./kinds/kinds.ts";
import { refill, roomFor, waitMs } from "./rate-limit.ts";

const limit = { burst: 4, perMinute: 60 };

describe("a token bucket", () => {
  it("is full when it was never used, and fills up to its burst", () => {
    expect(refill({ tokens: null, atMs: null }, limit, 0)).toBe(4);
    expect(refill({ tokens: 0, atMs: 0 }, limit, 1_500)).toBe(1.5);
    expect(refill({ tokens: 0, atMs: 0 }, limit, 3_600_000)).toBe(4);
  });

  it("neither gives nor takes when the clock is set back", () => {
    expect(refill({ tokens: 2, atMs: 10_000 }, limit, 0)).toBe(2);
  });

  it("says how long one waits for a token", () => {
    expect([waitMs(1, limit), waitMs(0.25, limit), waitMs(0, { burst: 1, perMinute: 10 })]).toEqual([
      0, 750, 6_000,
    ]);
  });

  it("leaves room for what passes within a minute, and not for more than ten", () => {
    expect(roomFor(4, limit)).toBe(10);
    expect(roomFor(0, { burst: 1, perMinute: 3 })).toBe(3);
    expect(roomFor(0, { burst: 1, perMinute: 0.5 })).toBe(1);
  });
});

/** What receivers publish: so many within so long. */
const PUBLISHED: Readonly<Record<string, readonly (readonly [most: number, windowMs: number])[]>> = {
  // One a second, "short bursts" aside.
  slack: [
    [4, 1_000],
    [63, 60_000],
  ],
  discord: [
    [5, 2_000],
    [30, 60_000],
  ],
  teams: [
    [4, 1_000],
    [60, 30_000],
    [100, 3_600_000],
  ],
  feishu: [
    [5, 1_000],
    [100, 60_000],
  ],
  dingtalk: [[20, 60_000]],
  wecom: [[20, 60_000]],
};

describe("whatever comes when", () => {
  for (const [kind, limits] of Object.entries(PUBLISHED)) {
    it(`no more is sent to ${kind} than it takes`, () => {
      const { limit } = KINDS.find((one) => one.kind === kind) ?? { limit: { burst: 0, perMinute: 0 } };
      fc.assert(
        fc.property(fc.array(fc.nat(60_000), { minLength: 1, maxLength: 400 }), (gaps) => {
          let bucket: { tokens: number | null; atMs: number | null } = { tokens: null, atMs: null };
          const sent: number[] = [];
          let nowMs = 0;
          for (const gap of gaps) {
            nowMs += gap % 7 === 0 ? gap : gap % 900;
            const tokens = refill(bucket, limit, nowMs);
            if (tokens < 1) continue;
            bucket = { tokens: tokens - 1, atMs: nowMs };
            sent.push(nowMs);
          }
          for (const [most, windowMs] of limits) {
            for (const from of sent)
              expect(sent.filter((at) => at >= from && at < from + windowMs).length).toBeLessThanOrEqual(
                most,
              );
          }
        }),
        { numRuns: 60 },
      );
    });
  }
});
