import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeEpisode } from "./describe-episode.ts";
import { reconcile } from "./reconcile.ts";
import { isProviderWide, medianTries, summariseRecovery } from "./summarise.ts";
import {
  DEFAULT_STATES,
  drift,
  findStretches,
  followStretches,
  type Minute,
  statesFor,
} from "./two-states.ts";

const MINUTE = 60_000;

/** A call a minute and more: `n` calls in each minute, of which `shareAt` fail. */
function minutes(count: number, shareAt: (minute: number) => number, n = 10): Minute[] {
  return Array.from({ length: count }, (_, i) => ({
    startMs: i * MINUTE,
    n,
    k: Math.round(n * shareAt(i)),
  }));
}

const short = (from: number, to: number) => (minute: number) => (minute >= from && minute < to ? 0.5 : 0);

describe("two states", () => {
  it("drift to what is usual when nothing is seen", () => {
    expect(drift(0.9, 0)).toBe(0.9);
    expect(drift(0.9, 1e6)).toBeCloseTo(1 / 11);
    // By hand: 1/11 + (0.9 − 1/11) e^(−27.27 · 0.03667).
    expect(drift(0.9, 300 / 11)).toBeCloseTo(1 / 11 + (0.9 - 1 / 11) * Math.exp(-1));
  });

  it("take what is normal for a target as normal", () => {
    expect(statesFor(0)).toEqual(DEFAULT_STATES);
    expect(statesFor(0.1)).toEqual({ normal: 0.1, busy: 0.5 });
    expect(statesFor(0.9)).toEqual({ normal: 0.12, busy: 0.6 });
    const tenPercent = minutes(300, () => 0.1);
    expect(followStretches(tenPercent, statesFor(0.1), 300 * MINUTE)).toEqual([]);
    expect(findStretches(tenPercent, statesFor(0.1))).toEqual([]);
  });

  it("find a stretch to the minute where calls are many", () => {
    const seen = minutes(120, short(40, 70));
    const exact = { fromMs: 40 * MINUTE, toMs: 70 * MINUTE, isOpen: false };
    expect(findStretches(seen, DEFAULT_STATES)).toEqual([exact]);
    const [live] = followStretches(seen, DEFAULT_STATES, 120 * MINUTE);
    expect(live?.fromMs).toBe(40 * MINUTE);
    expect(live?.isOpen).toBe(false);
  });

  it("know whether it goes on, and let silence end it", () => {
    const seen = minutes(60, short(40, 60));
    expect(followStretches(seen, DEFAULT_STATES, 61 * MINUTE)).toEqual([
      { fromMs: 40 * MINUTE, toMs: 60 * MINUTE, isOpen: true },
    ]);
    expect(followStretches(seen, DEFAULT_STATES, 240 * MINUTE)).toEqual([
      { fromMs: 40 * MINUTE, toMs: 60 * MINUTE, isOpen: false },
    ]);
    expect(findStretches(seen, DEFAULT_STATES)).toEqual([
      { fromMs: 40 * MINUTE, toMs: 60 * MINUTE, isOpen: true },
    ]);
  });

  it("do not join what a night without calls lies between", () => {
    const evening = minutes(20, () => 0.5);
    const morning = evening.map((minute) => ({ ...minute, startMs: minute.startMs + 600 * MINUTE }));
    const both = [...evening, ...morning];
    expect(followStretches(both, DEFAULT_STATES, 620 * MINUTE)).toHaveLength(2);
    expect(followStretches(both, DEFAULT_STATES, 620 * MINUTE)[0]).toMatchObject({ toMs: 20 * MINUTE });
    expect(findStretches(both, DEFAULT_STATES)).toHaveLength(2);
  });

  it("make ascending stretches within what was seen, whatever it was", () => {
    const any = fc.array(
      fc.record({
        gap: fc.integer({ min: 1, max: 300 }),
        n: fc.integer({ min: 1, max: 5000 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 100 },
    );
    fc.assert(
      fc.property(any, (raw) => {
        let at = 0;
        const seen = raw.map(({ gap, n, share }) => {
          at += gap;
          return { startMs: at * MINUTE, n, k: Math.round(n * share) };
        });
        const end = (at + 1) * MINUTE;
        for (const found of [
          followStretches(seen, DEFAULT_STATES, end),
          findStretches(seen, DEFAULT_STATES),
        ]) {
          let last = -1;
          for (const { fromMs, toMs, isOpen } of found) {
            expect(fromMs).toBeGreaterThanOrEqual(last);
            expect(toMs).toBeGreaterThan(fromMs);
            expect(toMs).toBeLessThanOrEqual(end);
            if (isOpen) expect(found.at(-1)?.fromMs).toBe(fromMs);
            last = toMs;
          }
        }
      }),
    );
  });
});

describe("an episode", () => {
  it("counts its calls and its worst ten minutes", () => {
    const seen = minutes(60, (minute) => (minute >= 30 && minute < 40 ? 0.8 : minute >= 20 ? 0.4 : 0));
    expect(describeEpisode(seen, { fromMs: 20 * MINUTE, toMs: 50 * MINUTE, isOpen: false })).toEqual({
      attempts: 300,
      errors: 4 * 20 + 8 * 10,
      peakShare: 0.8,
    });
  });

  it("has its whole share for a peak where ten minutes never had five calls", () => {
    const thin = [0, 20, 40].map((minute, i) => ({ startMs: minute * MINUTE, n: 2, k: i }));
    expect(describeEpisode(thin, { fromMs: 0, toMs: 41 * MINUTE, isOpen: true }).peakShare).toBe(0.5);
  });

  it("stays the same one when its ends move", () => {
    const stored = [
      { id: 1, fromMs: 10, toMs: 20 },
      { id: 2, fromMs: 30, toMs: 40 },
      { id: 3, fromMs: 50, toMs: 60 },
    ];
    const found = [
      { fromMs: 8, toMs: 19 },
      { fromMs: 55, toMs: 70 },
      { fromMs: 90, toMs: 95 },
    ];
    expect(reconcile(stored, found)).toEqual({
      changed: [
        { old: stored[0], found: found[0] },
        { old: stored[2], found: found[1] },
      ],
      added: [found[2]],
      removed: [stored[1]],
    });
  });
});

describe("what is usual", () => {
  it("is how long it takes to recover", () => {
    const lengths = [4, 12, 25, 70].map((length) => ({ fromMs: 0, toMs: length * MINUTE }));
    expect(summariseRecovery(lengths)).toEqual({
      minutesP50: 12,
      minutesP90: 70,
      stillBusy: [
        { afterMinutes: 5, share: 0.75 },
        { afterMinutes: 10, share: 0.75 },
        { afterMinutes: 20, share: 0.5 },
        { afterMinutes: 30, share: 0.25 },
        { afterMinutes: 60, share: 0.25 },
        { afterMinutes: 120, share: 0 },
      ],
    });
    expect(summariseRecovery([])).toBeNull();
  });

  it("is how many tries answered half of the requests", () => {
    const counts = [
      { tries: 3, answered: 1 },
      { tries: 1, answered: 0 },
      { tries: 2, answered: 3 },
    ];
    expect(medianTries(counts)).toBe(2);
    expect(medianTries([{ tries: 1, answered: 0 }])).toBeNull();
  });

  it("is the whole provider's when half of its models are short at once", () => {
    const at = (model: string, fromMs: number, provider = "acme") => ({
      provider,
      model,
      endpoint: "",
      fromMs,
      toMs: fromMs + 10,
    });
    const all = [at("a", 0), at("b", 5), at("c", 50), at("x", 0, "other")];
    const models = new Map([["acme", 4]]);
    expect(isProviderWide(all[0] as (typeof all)[0], all, models)).toBe(true);
    expect(isProviderWide(all[2] as (typeof all)[0], all, models)).toBe(false);
    expect(isProviderWide(all[0] as (typeof all)[0], all, new Map([["acme", 5]]))).toBe(false);
    expect(isProviderWide(all[3] as (typeof all)[0], all, new Map([["other", 1]]))).toBe(false);
  });
});
