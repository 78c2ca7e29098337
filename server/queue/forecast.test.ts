import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ForecastGroup, forecastHours } from "./forecast.ts";

const none = () => Array<number>(24).fill(0);
const at = (hour: number, count: number) => none().map((_, i) => (i === hour ? count : 0));
const opensAt = (...hours: number[]) => Array.from({ length: 24 }, (_, i) => hours.includes(i));
const group = (parts: Partial<ForecastGroup>): ForecastGroup => ({
  gate: null,
  free: 0,
  delayed: none(),
  due: none(),
  ...parts,
});
const totals = (groups: ForecastGroup[], perHour: number | null = null, first = 1) =>
  forecastHours(groups, perHour, first).flatMap(({ ready, held, scheduled, due }, hour) =>
    ready + held + scheduled + due > 0 ? [{ hour, ready, held, scheduled, due }] : [],
  );

describe("what will run when", () => {
  it("is what is free at once, what waits for its time then, and what is held in the next window", () => {
    expect(
      totals([
        group({ free: 5, delayed: at(3, 7) }),
        group({ gate: { isOpen: false, opens: opensAt(14, 15) }, free: 40, due: at(9, 4) }),
      ]),
    ).toEqual([
      { hour: 0, ready: 5, held: 0, scheduled: 0, due: 0 },
      { hour: 3, ready: 0, held: 0, scheduled: 7, due: 0 },
      { hour: 9, ready: 0, held: 0, scheduled: 0, due: 4 },
      { hour: 14, ready: 0, held: 36, scheduled: 0, due: 0 },
    ]);
  });

  it("is spread by what workers can do, and held again when the window is over", () => {
    const gate = { isOpen: false, opens: opensAt(2, 3, 20) };
    expect(totals([group({ gate, free: 100 })], 40, 0.5)).toEqual([
      { hour: 2, ready: 0, held: 40, scheduled: 0, due: 0 },
      { hour: 3, ready: 0, held: 40, scheduled: 0, due: 0 },
      { hour: 20, ready: 0, held: 20, scheduled: 0, due: 0 },
    ]);
    expect(totals([group({ free: 50 })], 40, 0.5)).toEqual([
      { hour: 0, ready: 20, held: 0, scheduled: 0, due: 0 },
      { hour: 1, ready: 30, held: 0, scheduled: 0, due: 0 },
    ]);
  });

  it("never names a job twice", () => {
    const aCount = fc.integer({ min: 0, max: 100 });
    const hours = fc.array(aCount, { minLength: 24, maxLength: 24 });
    const aGroup = fc.record({
      gate: fc.option(
        fc.record({ isOpen: fc.boolean(), opens: fc.array(fc.boolean(), { minLength: 24, maxLength: 24 }) }),
      ),
      free: aCount,
      delayed: hours,
      due: hours,
    });
    fc.assert(
      fc.property(fc.array(aGroup, { maxLength: 5 }), fc.option(aCount), (groups, perHour) => {
        const runs = forecastHours(groups, perHour, 1).reduce(
          (sum, { ready, held, scheduled, due }) => sum + ready + held + scheduled + due,
          0,
        );
        const there = groups.reduce(
          (sum, { free, delayed }) => sum + free + delayed.reduce((a, b) => a + b, 0),
          0,
        );
        return runs <= there;
      }),
    );
  });
});
