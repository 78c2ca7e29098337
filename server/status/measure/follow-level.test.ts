import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { followLevel, SLOT_MS, type Slot } from "./follow-level.ts";
import {
  AVAILABLE,
  BUSY,
  judgeLevel,
  judgeNext,
  type Level,
  levelOfShare,
  UNAVAILABLE,
  VERY_BUSY,
} from "./level.ts";

describe("judgeLevel", () => {
  it("says nothing of fewer than 20 calls", () => {
    expect(judgeLevel(19, 19)).toBeNull();
    expect(judgeLevel(20, 20)).toBe(UNAVAILABLE);
  });

  it("begins each level at its share, when the interval's lower end bears it out", () => {
    expect(judgeLevel(19, 1000)).toBe(AVAILABLE);
    expect(judgeLevel(20, 1000)).toBe(BUSY);
    expect(judgeLevel(99, 1000)).toBe(BUSY);
    expect(judgeLevel(100, 1000)).toBe(VERY_BUSY);
    expect(judgeLevel(499, 1000)).toBe(VERY_BUSY);
    expect(judgeLevel(500, 1000)).toBe(UNAVAILABLE);
    // One of 20 is 5 %, and may well be chance; so may two of 20 of more than busy.
    expect(judgeLevel(1, 20)).toBe(AVAILABLE);
    expect(judgeLevel(2, 20)).toBe(BUSY);
  });

  it("holds a level down to six tenths of the share at which it begins", () => {
    expect(judgeNext(BUSY, 12, 1000)).toBe(BUSY);
    expect(judgeNext(BUSY, 11, 1000)).toBe(AVAILABLE);
    expect(judgeNext(VERY_BUSY, 60, 1000)).toBe(VERY_BUSY);
    expect(judgeNext(VERY_BUSY, 59, 1000)).toBe(BUSY);
    expect(judgeNext(UNAVAILABLE, 300, 1000)).toBe(UNAVAILABLE);
    expect(judgeNext(UNAVAILABLE, 299, 1000)).toBe(VERY_BUSY);
    expect(judgeNext(UNAVAILABLE, 0, 1000)).toBe(AVAILABLE);
  });

  it("names what is usual by its share", () => {
    expect([0.019, 0.02, 0.1, 0.5].map(levelOfShare)).toEqual([0, 1, 2, 3]);
  });
});

/** Slots of 100 calls with these failures, from 0 on; `null`: no calls. */
const slotsOf = (failures: readonly (number | null)[], n = 100): Slot[] =>
  failures.flatMap((k, i) => (k === null ? [] : [{ startMs: i * SLOT_MS, k, n }]));
const follow = (failures: readonly (number | null)[], n = 100) =>
  followLevel(slotsOf(failures, n), 0, failures.length * SLOT_MS);

describe("followLevel", () => {
  it("tells of trouble within two slots, and of bad trouble within one", () => {
    expect(follow([0, 0, 0, 8]).level).toBe(AVAILABLE);
    expect(follow([0, 0, 0, 8, 8])).toEqual({ level: BUSY, isThin: false, sinceMs: 5 * SLOT_MS });
    expect(follow([0, 0, 0, 100])).toEqual({ level: UNAVAILABLE, isThin: false, sinceMs: 4 * SLOT_MS });
  });

  it("tells of a return when it has lasted a quarter of an hour", () => {
    const trouble = [0, 0, 100, 100, 100];
    expect(follow([...trouble, 0]).level).toBe(UNAVAILABLE);
    expect(follow([...trouble, 0, 0, 0]).level).not.toBe(AVAILABLE);
    expect(follow([...trouble, 0, 0, 0, 0, 0, 0, 0]).level).toBe(AVAILABLE);
  });

  it("does not tell of what one slot alone shows", () => {
    expect(follow([0, 0, 4, 0, 0, 0, 4, 0, 0]).level).toBe(AVAILABLE);
  });

  it("says that it does not know before it does, and when calls stop", () => {
    expect(follow([])).toEqual({ level: AVAILABLE, isThin: true, sinceMs: null });
    const silent = follow([0, 0, ...new Array(37).fill(null)]);
    expect([silent.isThin, silent.level]).toEqual([true, AVAILABLE]);
    expect(follow([0, 0, ...new Array(20).fill(null)]).isThin).toBe(false);
  });

  it("keeps the last level in a silence, for those who must name one", () => {
    expect(follow([50, 50, ...new Array(40).fill(null)])).toMatchObject({ level: UNAVAILABLE, isThin: true });
  });

  it("does not flicker at the edge of having enough calls", () => {
    // Between 12 and 19 calls in three hours: what it was it stays.
    const calls = [20, ...new Array(35).fill(0), 12, ...new Array(20).fill(0)];
    const slots = calls.map((n, i) => ({ startMs: i * SLOT_MS, k: 0, n }));
    let changes = 0;
    let before = true;
    for (let at = 1; at <= calls.length; at++) {
      const { isThin } = followLevel(slots, 0, at * SLOT_MS);
      if (isThin !== before) changes++;
      before = isThin;
    }
    expect(changes).toBe(1);
  });

  it("hardly ever changes its mind while the share stays at the edge of a level", () => {
    const shares = [0.02, 0.1, 0.5];
    fc.assert(
      fc.property(fc.constantFrom(...shares), fc.integer({ min: 1, max: 2 ** 31 - 1 }), (share, seed) => {
        const random = mulberry(seed);
        const slots = Array.from({ length: 288 }, (_, i) => {
          let k = 0;
          for (let call = 0; call < 60; call++) if (random() < share) k++;
          return { startMs: i * SLOT_MS, k, n: 60 };
        });
        const changes: Level[] = [];
        let naive = 0;
        let plain: Level | null = null;
        for (let at = 1; at <= slots.length; at++) {
          const { level } = followLevel(slots.slice(0, at), 0, at * SLOT_MS);
          if (changes.at(-1) !== level) changes.push(level);
          const one = slots[at - 1];
          const alone = one === undefined ? null : judgeLevel(one.k, one.n);
          if (alone !== plain) naive++;
          plain = alone;
        }
        // A day at the very edge, where each slot by itself would change its mind some hundred times.
        expect(naive).toBeGreaterThan(40);
        expect(changes.length).toBeLessThan(naive / 4);
      }),
      { numRuns: 12, seed: 7 },
    );
  });
});

function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
