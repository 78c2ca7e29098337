import { createDetector } from "../../../server/alerts/detect/detector.ts";
import { evidenceOf, expect } from "../../../server/alerts/detect/expectation.ts";
import type { Slot, Usual } from "../../../server/alerts/detect/types.ts";
import { DAY_MS, HOUR_MS } from "./alert-world.ts";

/** Whether its alarm is on after a slot. */
export type Rival = (slot: Slot, usual: Usual | null) => boolean;

const SLOT_MS = 300_000;

/** What else one might do; each is made anew for each world. */
export const RIVALS: readonly (readonly [string, () => Rival])[] = [
  ["yesterday ≥ 5 × its week and ≥ 10 %", compareDays],
  ["last hour > 10 %", lastHour],
  ["burn rates, objective 97 %", burnRates],
  ["plain seasonal CUSUM, h 6", plainCusum],
];

/** The article's: once a day, yesterday's share against the mean of the seven days before. */
function compareDays(): Rival {
  const days: number[] = [];
  let [k, n, isOn] = [0, 0, false];
  return (slot) => {
    k += slot.k;
    n += slot.n;
    if ((slot.startMs + SLOT_MS) % DAY_MS !== 0) return isOn;
    const share = n === 0 ? 0 : k / n;
    const week = days.slice(-7);
    const mean = week.length === 0 ? 1 : week.reduce((sum, one) => sum + one, 0) / week.length;
    isOn = share >= 0.1 && share >= 5 * mean;
    days.push(share);
    [k, n] = [0, 0];
    return isOn;
  };
}

function lastHour(): Rival {
  const last: Slot[] = [];
  return (slot) => {
    last.push(slot);
    while ((last[0]?.startMs ?? 0) <= slot.startMs - HOUR_MS) last.shift();
    const [k, n] = last.reduce(([sumK, sumN], one) => [sumK + one.k, sumN + one.n], [0, 0] as [
      number,
      number,
    ]);
    return n > 0 && k / n > 0.1;
  };
}

function burnRates(): Rival {
  const detector = createDetector({ kind: "burnRate", objective: 0.97 });
  let state = detector.start;
  return (slot) => {
    state = detector.advance(state, slot, null);
    return detector.judge(state, null, null, slot.startMs + SLOT_MS).verdict === "fires";
  };
}

/** The same chart without any discount and without a test of what it adds up to. */
function plainCusum(): Rival {
  const height = 6;
  let [rise, fall, isOn] = [0, 0, false];
  return (slot, usual) => {
    const evidence = evidenceOf(slot, { ...expect(usual), spread: 0 }, 0);
    if (!isOn) {
      rise = Math.max(0, rise + evidence);
      isOn = rise >= height;
      fall = 0;
    } else {
      fall = Math.max(0, fall - evidence);
      if (fall >= height) [isOn, rise] = [false, 0];
    }
    return isOn;
  };
}
