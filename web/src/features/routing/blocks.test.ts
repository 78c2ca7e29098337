import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOURS_PER_WEEK } from "../../time/zone.ts";
import {
  avoidedHours,
  blockPerHour,
  listBlocks,
  paintAvoid,
  paintOrder,
  type ScheduleEntry,
} from "./blocks.ts";

const day: ScheduleEntry = { days: ["mon"], from: "10:00", to: "16:00", order: ["b", "a"], why: "full" };
const night: ScheduleEntry = { from: "22:00", to: "02:00", order: ["c"] };
const hoursOf = (...hours: number[]) => new Set(hours);

describe("painting orders onto the week", () => {
  it("gives each hour to one order, and changes no other hour", () => {
    const order = fc.constantFrom(null, ["b", "a"], ["c"], ["a", "c"]);
    const hour = fc.integer({ min: 0, max: HOURS_PER_WEEK - 1 });
    const orderPerHour = (schedule: readonly ScheduleEntry[]) => {
      const blocks = listBlocks(schedule);
      return blockPerHour(schedule).map((block) => blocks[block]?.order ?? null);
    };
    fc.assert(
      fc.property(fc.array(fc.tuple(order, fc.uniqueArray(hour))), (strokes) => {
        let schedule: ScheduleEntry[] = [day, night];
        const wanted = orderPerHour(schedule);
        for (const [one, hours] of strokes) {
          schedule = paintOrder(schedule, one, new Set(hours));
          for (const painted of hours) wanted[painted] = one;
        }
        expect(orderPerHour(schedule)).toEqual(wanted);
      }),
    );
  });

  it("keeps the reasons of windows that it leaves alone", () => {
    expect(paintOrder([day, night], ["c"], hoursOf(100))[0]).toBe(day);
    expect(paintOrder([day, night], null, hoursOf(12)).slice(0, 2)).toEqual([
      { days: ["mon"], from: "10:00", to: "12:00", order: ["b", "a"] },
      { days: ["mon"], from: "13:00", to: "16:00", order: ["b", "a"] },
    ]);
  });

  it("leaves windows with minutes as they are", () => {
    const odd: ScheduleEntry = { days: ["tue"], from: "09:30", to: "10:00", order: ["b", "a"] };
    expect(paintOrder([odd], ["b", "a"], hoursOf(0))).toEqual([
      odd,
      { days: ["mon"], from: "00:00", to: "01:00", order: ["b", "a"] },
    ]);
  });
});

describe("hours to avoid", () => {
  it("are added to a target and taken from it", () => {
    const added = paintAvoid([], "a", hoursOf(13, 14), true);
    expect(added).toEqual([{ target: "a", windows: [{ days: ["mon"], from: "13:00", to: "15:00" }] }]);
    expect([...avoidedHours(added, "a")]).toEqual([13, 14]);
    expect(paintAvoid(added, "a", hoursOf(13, 14), false)).toEqual([]);
    expect(paintAvoid(added, "b", hoursOf(1), true)).toHaveLength(2);
  });
});
