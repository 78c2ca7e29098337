import { describe, expect, it } from "vitest";
import {
  decideGate,
  type GateBefore,
  type GateQuestion,
  type LearntTarget,
  type Present,
} from "./decide-gate.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6];
/** Monday. */
const NOON = Date.parse("2026-11-30T12:00:00Z");
const windowAt = (from: number, expected = 0.008) => ({ days: ALL_DAYS, from, lengthHours: 3, expected });
const advised = (from: number, expected?: number): LearntTarget => ({
  verdict: "advise",
  windows: [windowAt(from, expected)],
});
const unknown: LearntTarget = { verdict: "tooLittleData", windows: [] };
const well: Present = { state: "silent", rate: null, hasEpisode: false };
const shut: GateBefore = { isOpen: false, reason: "beforeWindow", perMinute: null, calmSinceMs: null };
const ask = (parts: Partial<GateQuestion> & { targets: GateQuestion["targets"] }) =>
  decideGate({ mode: "window", zone: "UTC", before: shut, waiting: 1_000, nowMs: NOON, ...parts });

describe("a gate", () => {
  it("is shut until the next window of its target, and open until its end", () => {
    const targets = [{ learnt: advised(2), present: well }];
    const opensMs = Date.parse("2026-12-01T02:00:00Z");
    const window = { fromMs: opensMs, toMs: opensMs + 3 * HOUR, expected: 0.008 };
    expect(ask({ targets })).toEqual({
      isOpen: false,
      reason: "beforeWindow",
      untilMs: opensMs,
      window,
      perMinute: null,
      calmSinceMs: null,
    });
    expect(ask({ targets, nowMs: opensMs - 1 }).isOpen).toBe(false);
    expect(ask({ targets, nowMs: opensMs })).toMatchObject({
      isOpen: true,
      reason: "inWindow",
      untilMs: opensMs + 3 * HOUR,
      window,
    });
    expect(ask({ targets, nowMs: opensMs + 3 * HOUR - 1 }).isOpen).toBe(true);
    expect(ask({ targets, nowMs: opensMs + 3 * HOUR })).toMatchObject({
      isOpen: false,
      untilMs: opensMs + 24 * HOUR,
    });
  });

  it("goes by the wall of its zone where clocks change: a skipped hour opens nothing, one that comes twice opens once", () => {
    const zone = "Europe/Berlin";
    const targets = [{ learnt: advised(2), present: well }];
    // On 2027-03-28 there is no 02:00 in Berlin: the next window is a day later.
    const spring = ask({ targets, zone, nowMs: Date.parse("2027-03-28T00:00:00Z") });
    expect(spring.untilMs).toBe(Date.parse("2027-03-29T00:00:00Z"));
    // On 2026-10-25 02:00 comes twice: it opens at the first one, for three hours that pass.
    const opensMs = Date.parse("2026-10-25T00:00:00Z");
    expect(ask({ targets, zone, nowMs: opensMs - 1 })).toMatchObject({ isOpen: false, untilMs: opensMs });
    for (const hours of [0, 1, 2.99])
      expect(ask({ targets, zone, nowMs: opensMs + hours * HOUR }).isOpen).toBe(true);
    expect(ask({ targets, zone, nowMs: opensMs + 3 * HOUR }).isOpen).toBe(false);
  });

  it("is held by an episode and by a short hour in a good window, and opens only when it is well again", () => {
    const nowMs = Date.parse("2026-12-01T03:00:00Z");
    const at = (present: Partial<Present>, before: GateBefore) =>
      ask({ targets: [{ learnt: advised(2), present: { ...well, ...present } }], nowMs, before });
    const open: GateBefore = { ...shut, isOpen: true, reason: "inWindow" };
    expect(at({ hasEpisode: true }, open)).toMatchObject({ isOpen: false, reason: "episode", untilMs: null });
    expect(at({ state: "short", rate: 0.2 }, open)).toMatchObject({ isOpen: false, reason: "short" });
    expect(at({ state: "tight", rate: 0.03 }, open)).toMatchObject({ isOpen: true });
    expect(at({ state: "tight", rate: 0.03 }, { ...shut, reason: "short" })).toMatchObject({ isOpen: false });
    expect(at({ state: "tight", rate: 0.03 }, { ...shut, reason: "episode" })).toMatchObject({
      isOpen: false,
    });
    expect(at({ state: "room", rate: 0.01 }, { ...shut, reason: "short" })).toMatchObject({ isOpen: true });
  });

  it("is open where nothing is learnt, says why, and is shut by trouble", () => {
    const why = (verdict: LearntTarget["verdict"], present: Partial<Present> = {}) => {
      const { isOpen, reason } = ask({
        targets: [{ learnt: { verdict, windows: [] }, present: { ...well, ...present } }],
      });
      return [isOpen, reason];
    };
    expect(why("tooLittleData")).toEqual([true, "nothingLearnt"]);
    expect(why("noPattern")).toEqual([true, "noPattern"]);
    expect(why("noGain")).toEqual([true, "noBetterHour"]);
    expect(why("tooLittleData", { hasEpisode: true })).toEqual([false, "episode"]);
    expect(ask({ targets: [] })).toMatchObject({ isOpen: true, reason: "noTarget" });
  });

  it("of a chain is open in a window of any target, and tells the first of those that come", () => {
    const targets = [
      { learnt: advised(2), present: well },
      { learnt: advised(20), present: well },
      { learnt: unknown, present: well },
    ];
    expect(ask({ targets })).toMatchObject({ isOpen: false, untilMs: Date.parse("2026-11-30T20:00:00Z") });
    expect(ask({ targets, nowMs: Date.parse("2026-11-30T21:00:00Z") })).toMatchObject({
      isOpen: true,
      reason: "inWindow",
    });
    // One target in trouble leaves the other.
    const troubled = [
      { learnt: advised(12), present: { ...well, hasEpisode: true } },
      { learnt: advised(20), present: well },
    ];
    expect(ask({ targets: troubled })).toMatchObject({ isOpen: false, reason: "beforeWindow" });
  });

  it("lets some go when it is calm out of season for a quarter of an hour, more with each minute, and stops at once", () => {
    const calm = { state: "room", rate: 0.012, hasEpisode: false } as const;
    const targets = [{ learnt: advised(2), present: calm }];
    let before = shut;
    const paces: (number | null)[] = [];
    for (let minute = 0; minute <= 25; minute++) {
      const verdict = ask({ targets, before, nowMs: NOON + minute * MINUTE, waiting: 2_000 });
      paces.push(verdict.perMinute);
      before = verdict;
    }
    expect(paces.slice(0, 15)).toEqual(Array(15).fill(null));
    expect(paces.slice(15, 20)).toEqual([10, 13, 17, 22, 28]);
    expect(Math.max(...paces.map((pace) => pace ?? 0))).toBeLessThanOrEqual(100);
    const busy = [{ learnt: advised(2), present: { ...calm, rate: 0.019 } }];
    expect(ask({ targets: busy, before, nowMs: NOON + HOUR })).toMatchObject({
      isOpen: false,
      reason: "beforeWindow",
      calmSinceMs: null,
    });
  });

  it("for jobs without a window before their latest time is open while it is calm", () => {
    const at = (present: Partial<Present>, before = shut) => {
      const { isOpen, reason } = ask({
        mode: "calm",
        targets: [{ learnt: advised(2), present: { ...well, ...present } }],
        before,
      });
      return [isOpen, reason];
    };
    expect(at({})).toEqual([true, "calm"]);
    expect(at({ state: "short", rate: 0.3 })).toEqual([false, "short"]);
    expect(at({ hasEpisode: true })).toEqual([false, "episode"]);
  });
});
