import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RuleCondition } from "../../contract/alert-rule.ts";
import { createDetector } from "./detector.ts";
import { type Judgement, SLOT_MS, type Slot, type Usual } from "./types.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** A Monday. */
const START = Date.UTC(2026, 5, 1);
const USUAL: Usual = { share: 0.02, n: 5_000 };

const CONDITIONS: readonly RuleCondition[] = [
  { kind: "share", above: 0.2, windowMinutes: 30, minCalls: 20 },
  { kind: "count", atLeast: 3, windowMinutes: 60 },
  { kind: "learnt" },
  { kind: "fastRise" },
  { kind: "burnRate", objective: 0.99 },
  { kind: "silent", forMinutes: 60 },
  { kind: "amplification", above: 1.5, windowMinutes: 30, minCalls: 20 },
];

const slotAt = (at: number, k: number, n: number): Slot => ({ startMs: START + at * SLOT_MS, k, n });

/** Closes slots and looks at the end of each. */
function play(condition: RuleCondition, slots: readonly Slot[], usual: Usual | null = USUAL): Judgement[] {
  const detector = createDetector(condition);
  let state = detector.start;
  return slots.map((slot) => {
    state = detector.advance(state, slot, usual);
    return detector.judge(state, null, usual, slot.startMs + SLOT_MS);
  });
}

const verdicts = (judgements: readonly Judgement[]) => judgements.map(({ verdict }) => verdict);
const firstFire = (judgements: readonly Judgement[]) => verdicts(judgements).indexOf("fires");

describe("every detector", () => {
  const anySlots = fc.array(
    fc.record({
      gap: fc.integer({ min: 1, max: 40 }),
      n: fc.integer({ min: 0, max: 400 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { maxLength: 80 },
  );
  const toSlots = (raw: readonly { gap: number; n: number; share: number }[]): Slot[] => {
    let at = 0;
    return raw.map(({ gap, n, share }) => {
      at += gap;
      return slotAt(at, Math.round(n * share), n);
    });
  };

  for (const condition of CONDITIONS) {
    const detector = createDetector(condition);

    it(`${condition.kind}: is clear before anything was counted`, () => {
      for (const open of [null, [], slotAt(0, 0, 0)]) {
        expect(detector.judge(detector.start, open, null, START)).toMatchObject({
          verdict: "clear",
          sinceMs: null,
          value: null,
        });
      }
    });

    it(`${condition.kind}: does the same from stored state, with slots that come twice, and with empty ones`, () => {
      fc.assert(
        fc.property(anySlots, (raw) => {
          let [plain, stored] = [detector.start, detector.start];
          for (const slot of toSlots(raw)) {
            plain = detector.advance(plain, slot, USUAL);
            stored = detector.advance(JSON.parse(JSON.stringify(stored)), slot, USUAL);
            stored = detector.advance(stored, slot, USUAL);
            stored = detector.advance(stored, { startMs: slot.startMs + SLOT_MS / 2, k: 0, n: 0 }, USUAL);
            expect(stored).toEqual(plain);
            const nowMs = slot.startMs + SLOT_MS;
            expect(detector.judge(stored, null, USUAL, nowMs)).toEqual(
              detector.judge(plain, null, USUAL, nowMs),
            );
          }
        }),
        { numRuns: 30 },
      );
    });

    it(`${condition.kind}: leaves out what comes late, and remembers nothing of what is open`, () => {
      fc.assert(
        fc.property(anySlots, (raw) => {
          const slots = toSlots(raw).filter(({ n }) => n > 0);
          let state = detector.start;
          for (const slot of slots) state = detector.advance(state, slot, USUAL);
          const before = JSON.stringify(state);
          const [first] = slots;
          if (first === undefined) return;
          expect(detector.advance(state, { ...first, k: first.n }, USUAL)).toEqual(state);
          detector.judge(state, slotAt(10_000, 50, 50), USUAL, START + 10_001 * SLOT_MS);
          expect(JSON.stringify(state)).toBe(before);
        }),
        { numRuns: 30 },
      );
    });

    // Of silence an open slot says that it is over, a closed one when it was.
    if (condition.kind !== "silent") {
      it(`${condition.kind}: says of an open slot at its end what it says once that is closed`, () => {
        fc.assert(
          fc.property(anySlots, (raw) => {
            let state = detector.start;
            for (const slot of toSlots(raw)) {
              const nowMs = slot.startMs + SLOT_MS;
              const open = detector.judge(state, slot, USUAL, nowMs);
              state = detector.advance(state, slot, USUAL);
              const { sinceMs: _, ...closed } = detector.judge(state, null, USUAL, nowMs);
              expect(open).toMatchObject(closed);
            }
          }),
          { numRuns: 30 },
        );
      });
    }

    it(`${condition.kind}: says since when, within what it saw, and only while it does not say clear`, () => {
      fc.assert(
        fc.property(anySlots, (raw) => {
          let lastMs = START;
          for (const [i, judgement] of play(condition, toSlots(raw)).entries()) {
            const { verdict, sinceMs } = judgement;
            lastMs = toSlots(raw)[i]?.startMs ?? lastMs;
            if (verdict === "clear") expect(sinceMs).toBeNull();
            else {
              expect(sinceMs).toBeGreaterThanOrEqual(START);
              expect(sinceMs).toBeLessThanOrEqual(lastMs + SLOT_MS);
            }
          }
        }),
        { numRuns: 30 },
      );
    });
  }
});

describe("share", () => {
  const condition: RuleCondition = { kind: "share", above: 0.2, windowMinutes: 10, minCalls: 20 };

  it("fires from the threshold on, holds to four fifths of it, and then is clear", () => {
    const told = play(
      condition,
      [10, 4, 4, 4, 3, 3, 3].map((k, at) => slotAt(at, k, 20)),
    );
    // 10 of 20, then 14, 8, 8, 7, 6 and 6 of 40.
    expect(verdicts(told)).toEqual(["fires", "fires", "fires", "fires", "holds", "clear", "clear"]);
    expect(told[1]).toMatchObject({ k: 14, n: 40, value: 0.35, sinceMs: START, usual: null });
  });

  it("needs volume, and ends when there is next to none", () => {
    expect(verdicts(play(condition, [slotAt(0, 9, 9), slotAt(1, 1, 10), slotAt(2, 9, 10)]))).toEqual([
      "clear",
      "holds",
      "fires",
    ]);
    const detector = createDetector(condition);
    const state = detector.advance(detector.start, slotAt(0, 20, 20), null);
    expect(detector.judge(state, null, null, START + HOUR).verdict).toBe("clear");
  });

  it("judges the open slots with the closed ones, as one or as several", () => {
    const detector = createDetector(condition);
    const state = detector.advance(detector.start, slotAt(0, 1, 15), null);
    const [second, third] = [slotAt(1, 2, 5), slotAt(2, 3, 5)];
    expect(detector.judge(state, second, null, third.startMs)).toMatchObject({ k: 3, n: 20 });
    expect(detector.judge(state, [second, third], null, third.startMs + 1)).toMatchObject({ k: 6, n: 25 });
  });
});

describe("count", () => {
  it("fires at the first event and lasts as long as its window", () => {
    const condition: RuleCondition = { kind: "count", atLeast: 1, windowMinutes: 60 };
    const told = play(
      condition,
      Array.from({ length: 15 }, (_, at) => slotAt(at, at === 0 ? 1 : 0, 10)),
    );
    expect(told[0]).toMatchObject({ verdict: "fires", k: 1, n: 10, sinceMs: START });
    expect(verdicts(told).lastIndexOf("fires")).toBe(11);
    expect(told[13]?.verdict).toBe("clear");
  });
});

describe("burn rate", () => {
  const condition: RuleCondition = { kind: "burnRate", objective: 0.99 };

  it("fires where an hour and its last minutes burn 14.4 times too fast, and ends soon after", () => {
    // Three days of calm before it: else the hour is much of all that was seen.
    const slots = Array.from({ length: 960 }, (_, at) => slotAt(at, at >= 900 && at < 912 ? 20 : 0, 100));
    const told = verdicts(play(condition, slots));
    expect(told.indexOf("fires")).toBeGreaterThanOrEqual(900);
    expect(told.indexOf("fires")).toBeLessThanOrEqual(909);
    expect(told[911]).toBe("fires");
    expect(told.lastIndexOf("fires")).toBeLessThanOrEqual(918);
  });

  it("sees a slow leak over three days, and not one within the budget", () => {
    const leak = (k: number) => Array.from({ length: 900 }, (_, at) => slotAt(at, k, 100));
    expect(firstFire(play(condition, leak(2)))).toBeGreaterThanOrEqual(0);
    expect(firstFire(play({ kind: "burnRate", objective: 0.98 }, leak(1)))).toBe(-1);
  });

  it("does not fire on a few unlucky calls", () => {
    expect(verdicts(play(condition, [slotAt(0, 4, 4)]))).toEqual(["clear"]);
  });
});

describe("amplification", () => {
  it("is attempts per request, of which 1 is none", () => {
    const condition: RuleCondition = { kind: "amplification", above: 2, windowMinutes: 10, minCalls: 20 };
    expect(verdicts(play(condition, [slotAt(0, 60, 30)]))).toEqual(["fires"]);
    expect(verdicts(play(condition, [slotAt(0, 55, 30)]))).toEqual(["holds"]);
    expect(verdicts(play(condition, [slotAt(0, 50, 30)]))).toEqual(["clear"]);
  });
});
