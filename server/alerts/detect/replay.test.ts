import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alertRuleInput } from "../../contract/alert-rule.ts";
import { DEFAULT_RULES } from "../default-rules.ts";
import { REOPEN_MS } from "./life.ts";
import { replayRule } from "./replay.ts";
import { SLOT_MS, type Slot } from "./types.ts";

const START = Date.UTC(2026, 5, 1);
const HOUR = 3_600_000;
const LEARNT = { condition: { kind: "learnt" }, pendingMinutes: 0, remindHours: null } as const;
const usualAt = () => ({ share: 0.02, n: 5_000 });

/** Six hours of calm, an incident of so many slots, and calm again. */
function world(incident: number, k = 15, calmAfter = 100): Slot[] {
  const kAt = (at: number) => (at >= 72 && at < 72 + incident ? k : at % 3 === 0 ? 1 : 0);
  return Array.from({ length: 72 + incident + calmAfter }, (_, at) => ({
    startMs: START + at * SLOT_MS,
    k: kAt(at),
    n: 30,
  }));
}

const range = (slots: readonly Slot[]) => ({
  fromMs: START,
  toMs: (slots.at(-1)?.startMs ?? START) + SLOT_MS,
});

describe("a replay", () => {
  it("tells of one incident once, with its ends", () => {
    const slots = world(24);
    const [firing, ...others] = replayRule(LEARNT, slots, usualAt, range(slots));
    expect(others).toEqual([]);
    expect(firing?.sinceMs).toBe(START + 72 * SLOT_MS);
    expect(firing?.firedMs).toBeLessThanOrEqual(START + 74 * SLOT_MS);
    expect(firing?.endedMs).toBeGreaterThan(START + 96 * SLOT_MS);
    expect((firing?.resolvedMs ?? 0) - (firing?.endedMs ?? 0)).toBe(30 * 60_000);
    expect(firing?.usual).toBe(0.02);
  });

  it("leaves open what goes on at the end", () => {
    const slots = world(24, 15, 0);
    expect(replayRule(LEARNT, slots, usualAt, range(slots))).toMatchObject([
      { resolvedMs: null, endedMs: null },
    ]);
  });

  it("learns from slots before its range and tells nothing of them", () => {
    const slots = world(24);
    const late = { fromMs: START + 150 * SLOT_MS, toMs: range(slots).toMs };
    expect(replayRule(LEARNT, slots, usualAt, late)).toEqual([]);
    const within = { fromMs: START + 80 * SLOT_MS, toMs: range(slots).toMs };
    expect(replayRule(LEARNT, slots, usualAt, within)).toMatchObject([
      { sinceMs: START + 72 * SLOT_MS, firedMs: START + 81 * SLOT_MS },
    ]);
  });

  it("has nothing to tell of no calls", () => {
    expect(replayRule(LEARNT, [], () => null, { fromMs: START, toMs: START + 24 * HOUR })).toEqual([]);
  });

  it("never tells of two at once, nor of one within half an hour of the last, by any rule", () => {
    const raw = fc.array(
      fc.record({
        length: fc.integer({ min: 1, max: 40 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
        n: fc.integer({ min: 0, max: 60 }),
      }),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(raw, fc.constantFrom(...DEFAULT_RULES), (runs, rule) => {
        const slots = runs
          .flatMap(({ length, share, n }) => new Array(length).fill({ k: Math.round(share * n), n }))
          .map(({ k, n }, at) => ({ startMs: START + at * SLOT_MS, k, n }));
        let lastMs = Number.NEGATIVE_INFINITY;
        for (const { sinceMs, firedMs, resolvedMs } of replayRule(rule, slots, usualAt, range(slots))) {
          expect(sinceMs).toBeLessThanOrEqual(firedMs);
          expect(firedMs - lastMs).toBeGreaterThanOrEqual(REOPEN_MS);
          lastMs = resolvedMs ?? Number.POSITIVE_INFINITY;
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("the default rules", () => {
  it("are rules as people write them, each with a name of its own", () => {
    for (const rule of DEFAULT_RULES) expect(alertRuleInput.parse(rule)).toEqual(rule);
    expect(new Set(DEFAULT_RULES.map(({ name }) => name)).size).toBe(DEFAULT_RULES.length);
  });
});
