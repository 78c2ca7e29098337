import { describe, expect, it } from "vitest";
import { createDetector } from "./detector.ts";
import { evidenceOf, expect as expectOf } from "./expectation.ts";
import { type Judgement, SLOT_MS, type Slot, type Usual } from "./types.ts";

const START = Date.UTC(2026, 5, 1);
const HOUR = 3_600_000;
const usually = (share: number): Usual => ({ share, n: 5_000 });

/** Slots in a row: so many failures of so many calls. */
function row(
  counts: readonly (readonly [k: number, n: number])[],
  firstMs = START,
  stepMs = SLOT_MS,
): Slot[] {
  return counts.map(([k, n], at) => ({ startMs: firstMs + at * stepMs, k, n }));
}

const times = (count: number, k: number, n: number) =>
  Array.from({ length: count }, (): [number, number] => [k, n]);

function play(kind: "learnt" | "fastRise", slots: readonly Slot[], usual: Usual | null): Judgement[] {
  const detector = createDetector({ kind });
  let state = detector.start;
  return slots.map((slot) => {
    state = detector.advance(state, slot, usual);
    return detector.judge(state, null, usual, slot.startMs + SLOT_MS);
  });
}

const firstFire = (judgements: readonly Judgement[]) =>
  judgements.findIndex(({ verdict }) => verdict === "fires");

describe("evidence", () => {
  it("is for the usual where calls are as usual, and against it where they are not", () => {
    const about = expectOf(usually(0.02));
    // Odds of 0.02 times five.
    expect(about.raised).toBeCloseTo(0.0926, 4);
    // By hand: ln(0.0926 / 0.02) and ln(0.9074 / 0.98), the first call of its hour.
    expect(evidenceOf({ k: 1, n: 1 }, about, 1)).toBeCloseTo(1.5325, 3);
    expect(evidenceOf({ k: 0, n: 1 }, about, 1)).toBeCloseTo(-0.077, 3);
    // 51 calls of an hour say as much as half of them.
    expect(evidenceOf({ k: 1, n: 1 }, about, 51)).toBeCloseTo(1.5325 / 2, 3);
  });

  it("takes 5 % for usual where nothing is known", () => {
    expect(expectOf(null).usual).toBe(0.05);
    expect(expectOf({ share: 0, n: 10 }).usual).toBe(0.008);
    expect(expectOf({ share: 0.9, n: 10 })).toMatchObject({ usual: 0.3, share: 0.9 });
  });
});

describe("learnt", () => {
  it("tells of 15 % where 2 % is usual, once, since when it began, and that it is over", () => {
    const told = play(
      "learnt",
      row([...times(24, 1, 50), ...times(48, 8, 50), ...times(60, 1, 50)]),
      usually(0.02),
    );
    const at = firstFire(told);
    expect(at).toBeGreaterThanOrEqual(24 + 5);
    expect(at).toBeLessThanOrEqual(24 + 12);
    expect(told[at]?.sinceMs).toBe(START + 24 * SLOT_MS);
    expect(told[at]?.usual).toBe(0.02);
    const last = told.findLastIndex(({ verdict }) => verdict === "fires");
    expect(last).toBeGreaterThanOrEqual(71);
    expect(last).toBeLessThan(71 + 36);
    const runs = told.filter(({ verdict }, i) => verdict === "fires" && told[i - 1]?.verdict !== "fires");
    expect(runs).toHaveLength(1);
  });

  it("does not tell of the same 15 % at an hour at which it is usual, but shows it", () => {
    const told = play("learnt", row(times(100, 8, 50)), usually(0.16));
    expect(firstFire(told)).toBe(-1);
    expect(told.at(-1)).toMatchObject({ value: 0.16, usual: 0.16 });
  });

  it("does not tell of a single bad moment, even where its calls lie in two slots", () => {
    const before = row(times(20, 0, 20), START, 3 * SLOT_MS);
    const moment = row(
      [
        [12, 17],
        [3, 3],
      ],
      START + 60 * SLOT_MS,
    );
    const after = row(times(6, 0, 20), START + 63 * SLOT_MS, 3 * SLOT_MS);
    expect(firstFire(play("learnt", [...before, ...moment, ...after], usually(0.02)))).toBe(-1);
  });

  it("does not tell of two bad readings with a good one between them", () => {
    const readings = row([...times(20, 0, 20), [12, 20], [0, 20], [12, 20]], START, 3 * SLOT_MS);
    expect(firstFire(play("learnt", readings, usually(0.02)))).toBe(-1);
  });

  it("tells of three bad readings in a row where one comes every quarter of an hour", () => {
    const told = play(
      "learnt",
      row([...times(20, 0, 20), ...times(4, 5, 20)], START, 3 * SLOT_MS),
      usually(0.02),
    );
    expect(firstFire(told)).toBe(22);
  });

  it("changes nothing where there are no calls, never with fewer than three errors", () => {
    const detector = createDetector({ kind: "learnt" });
    const [slot] = row([[0, 0]]) as [Slot];
    expect(detector.advance(detector.start, slot, null)).toBe(detector.start);
    expect(
      firstFire(
        play("learnt", row(times(10, 2, 2).map(([k, n], i) => (i === 0 ? [k, n] : [0, 1]))), usually(0.02)),
      ),
    ).toBe(-1);
  });

  it("forgets after a day without a call, in an alarm or before it", () => {
    const detector = createDetector({ kind: "learnt" });
    let state = detector.start;
    for (const slot of row(times(12, 20, 20))) state = detector.advance(state, slot, usually(0.02));
    const lastMs = START + 12 * SLOT_MS;
    expect(detector.judge(state, null, null, lastMs + 23 * HOUR).verdict).toBe("fires");
    expect(detector.judge(state, null, null, lastMs + 25 * HOUR).verdict).toBe("clear");
    const next: Slot = { startMs: lastMs + 25 * HOUR, k: 1, n: 1 };
    expect(detector.judge(state, next, null, next.startMs + 1).verdict).toBe("clear");
  });

  it("is over sooner where it was worse", () => {
    const lengthAfter = (k: number) => {
      const told = play("learnt", row([...times(12, k, 50), ...times(100, 0, 50)]), usually(0.02));
      return told.findLastIndex(({ verdict }) => verdict === "fires") - 11;
    };
    expect(lengthAfter(45)).toBeLessThan(lengthAfter(9));
  });
});

describe("fast rise", () => {
  const calm = times(24, 0, 17);

  it("tells of most calls failing within the first minutes", () => {
    expect(firstFire(play("fastRise", row([...calm, [9, 17]]), usually(0.02)))).toBe(24);
    const detector = createDetector({ kind: "fastRise" });
    let state = detector.start;
    for (const slot of row(calm)) state = detector.advance(state, slot, usually(0.02));
    const running: Slot = { startMs: START + 24 * SLOT_MS, k: 6, n: 9 };
    expect(detector.judge(state, running, usually(0.02), running.startMs + 180_000).verdict).toBe("fires");
    expect(detector.judge(state, { ...running, k: 5, n: 8 }, usually(0.02), running.startMs).verdict).toBe(
      "clear",
    );
  });

  it("needs more than six times what is usual", () => {
    expect(firstFire(play("fastRise", row([...calm, [9, 17]]), usually(0.12)))).toBe(-1);
  });

  it("takes the end of a usual rush for none, but sees what begins right after it", () => {
    const detector = createDetector({ kind: "fastRise" });
    let state = detector.start;
    for (const slot of row(times(24, 50, 100))) state = detector.advance(state, slot, usually(0.5));
    const judge = (k: number, n: number) =>
      detector.judge(state, { startMs: START + 24 * SLOT_MS, k, n }, usually(0.02), START + 2 * HOUR + 1)
        .verdict;
    expect(judge(3, 12)).toBe("clear");
    expect(judge(9, 100)).toBe("clear");
    expect(judge(95, 100)).toBe("fires");
  });

  it("takes two moments where such minutes are no news, or calls too few", () => {
    const weekly = row([...calm, [12, 17], ...times(60, 0, 17), [10, 17], [0, 17], [0, 17]]);
    const told = play("fastRise", weekly, usually(0.02));
    expect(told[24]?.verdict).toBe("fires");
    expect(told[85]?.verdict).toBe("clear");
    const lasting = row([...calm, [12, 17], ...times(60, 0, 17), ...times(4, 10, 17)]);
    expect(play("fastRise", lasting, usually(0.02))[88]?.verdict).toBe("fires");
    const rare = row([...times(20, 0, 20), [15, 20], [16, 20]], START, 3 * SLOT_MS);
    expect(firstFire(play("fastRise", rare, usually(0.02)))).toBe(21);
  });

  it("remembers the worst moment of a day for four weeks", () => {
    const detector = createDetector({ kind: "fastRise" });
    let state = detector.start;
    for (let day = 0; day < 40; day++) {
      for (const slot of row([[12, 17]], START + day * 24 * HOUR))
        state = detector.advance(state, slot, usually(0.02));
    }
    expect(state.kind === "chart" && state.worst.length).toBe(28);
  });
});
