import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Life, type LifeSettings, lifeSettings, NEW_LIFE, REOPEN_MS, stepLife } from "./life.ts";
import type { Verdict } from "./types.ts";

const MINUTE = 60_000;
const SETTINGS = lifeSettings({ pendingMinutes: 10, remindHours: 2 });

/** One verdict a minute: what is told, with the minute. */
function play(verdicts: readonly Verdict[], settings: LifeSettings = SETTINGS): [number, string][] {
  let life: Life = NEW_LIFE;
  return verdicts.flatMap((verdict, minute): [number, string][] => {
    const sinceMs = verdict === "clear" ? null : minute * MINUTE;
    const step = stepLife(life, { verdict, sinceMs }, settings, minute * MINUTE);
    life = step.life;
    return step.event === null ? [] : [[minute, step.event]];
  });
}

const times = (count: number, verdict: Verdict) => new Array<Verdict>(count).fill(verdict);

describe("an alert's life", () => {
  it("is told once it has held for so long, and resolved after half an hour of calm", () => {
    expect(play([...times(5, "clear"), ...times(60, "fires"), ...times(60, "clear")])).toEqual([
      [15, "firing"],
      [95, "resolved"],
    ]);
  });

  it("is never told of what does not hold, and begins anew after it", () => {
    expect(play([...times(9, "fires"), "clear", ...times(9, "fires"), ...times(40, "clear")])).toEqual([]);
  });

  it("holds between the thresholds: neither begins nor ends there", () => {
    expect(play(times(100, "holds"))).toEqual([]);
    expect(play([...times(11, "fires"), ...times(100, "holds")])).toEqual([[10, "firing"]]);
    expect(play([...times(5, "fires"), ...times(20, "holds"), "fires"])).toEqual([[25, "firing"]]);
  });

  it("is told again every two hours while it goes on, not while it is calm", () => {
    expect(play(times(260, "fires"))).toEqual([
      [10, "firing"],
      [130, "reminder"],
      [250, "reminder"],
    ]);
    expect(play([...times(125, "fires"), ...times(20, "clear")])).toEqual([[10, "firing"]]);
    expect(play(times(300, "fires"), { ...SETTINGS, remindMs: null })).toEqual([[10, "firing"]]);
  });

  it("stays on for a quarter of an hour at least", () => {
    const quick = { ...SETTINGS, pendingMs: 0, clearMs: 0 };
    expect(play(["fires", ...times(20, "clear")], quick)).toEqual([
      [0, "firing"],
      [15, "resolved"],
    ]);
  });

  it("remembers since when it was, and when it was over", () => {
    let life = NEW_LIFE;
    const step = (verdict: Verdict, minute: number, sinceMs: number | null = null) => {
      life = stepLife(life, { verdict, sinceMs }, { ...SETTINGS, pendingMs: 0 }, minute * MINUTE).life;
      return life;
    };
    expect(step("fires", 20, 5 * MINUTE)).toMatchObject({ phase: "firing", sinceMs: 5 * MINUTE });
    step("clear", 40);
    expect(step("clear", 70)).toMatchObject({ phase: "quiet", clearSinceMs: 40 * MINUTE });
  });

  it("tells in turn, and never of a new one within half an hour of the last", () => {
    const verdicts = fc.array(
      fc.tuple(fc.constantFrom<Verdict>("fires", "holds", "clear"), fc.integer({ min: 1, max: 60 })),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(verdicts, fc.integer({ min: 0, max: 30 }), (runs, pendingMinutes) => {
        const settings = lifeSettings({ pendingMinutes, remindHours: 1 });
        const told = play(
          runs.flatMap(([verdict, count]) => times(count, verdict)),
          settings,
        );
        let [isOn, lastMinute] = [false, Number.NEGATIVE_INFINITY];
        for (const [minute, event] of told) {
          expect(event === "firing").toBe(!isOn);
          if (event === "firing") expect((minute - lastMinute) * MINUTE).toBeGreaterThanOrEqual(REOPEN_MS);
          isOn = event !== "resolved";
          if (event === "resolved") lastMinute = minute;
        }
      }),
    );
  });

  it("goes on after a restart as if there had been none", () => {
    const verdicts: Verdict[] = [...times(40, "fires"), ...times(50, "clear"), ...times(90, "fires")];
    let [life, stored] = [NEW_LIFE, NEW_LIFE];
    verdicts.forEach((verdict, minute) => {
      const judgement = { verdict, sinceMs: null };
      const plain = stepLife(life, judgement, SETTINGS, minute * MINUTE);
      const restarted = stepLife(JSON.parse(JSON.stringify(stored)), judgement, SETTINGS, minute * MINUTE);
      expect(restarted).toEqual(plain);
      [life, stored] = [plain.life, restarted.life];
    });
  });
});
