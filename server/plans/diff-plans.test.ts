import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlanChain } from "../contract/plan.ts";
import { diffPlans, formatWindow } from "./diff-plans.ts";

const a = { id: "a", provider: "p", model: "m" };
const b = { id: "b", provider: "p", model: "n", tier: "light" };
const c = { id: "c", provider: "q", model: "o" };
const planOf = (chain: object, timeZone = "UTC") => ({ timeZone, chains: { default: chain as PlanChain } });
const changesOf = (before: object, after: object) => diffPlans(planOf(before), planOf(after));

describe("what changes between two plans", () => {
  it("is nothing between equals, whatever the order of their fields", () => {
    expect(
      changesOf(
        { targets: [a], floor: "a" },
        { floor: "a", targets: [{ model: "m", provider: "p", id: "a" }] },
      ),
    ).toEqual([]);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(changesOf({ news: value }, { news: JSON.parse(JSON.stringify(value)) })).toEqual([]);
      }),
    );
  });

  it("is targets, their order, and what of them is other", () => {
    expect(changesOf({ targets: [a, b] }, { targets: [c, { ...b, tier: "best" }, a] })).toEqual([
      { kind: "targetAdded", chain: "default", subject: "c", before: null, after: c },
      {
        kind: "targetChanged",
        chain: "default",
        subject: "b",
        before: { tier: "light" },
        after: { tier: "best" },
      },
      { kind: "order", chain: "default", subject: null, before: ["a", "b"], after: ["c", "b", "a"] },
    ]);
    expect(changesOf({ targets: [a, b] }, { targets: [b] })).toMatchObject([
      { kind: "targetRemoved", subject: "a", after: null },
    ]);
  });

  it("is hours, settings of retries, the floor and the zone", () => {
    const noon = { days: ["mon", "tue", "wed"], from: "10:00", to: "16:00" };
    const before = {
      floor: "a",
      retry: { maxAttempts: 5, capMs: 100 },
      schedule: [{ ...noon, order: ["b", "a"] }],
      avoid: [{ target: "a", windows: [noon, { from: "01:00", to: "02:00" }] }],
    };
    const after = {
      retry: { maxAttempts: 3 },
      schedule: [{ ...noon, order: ["c"] }],
      avoid: [{ target: "a", windows: [noon] }],
    };
    expect(diffPlans(planOf(before), planOf(after, "Asia/Tokyo"))).toEqual([
      { kind: "timeZone", chain: null, subject: null, before: "UTC", after: "Asia/Tokyo" },
      { kind: "floor", chain: "default", subject: null, before: "a", after: null },
      { kind: "retry", chain: "default", subject: "maxAttempts", before: 5, after: 3 },
      { kind: "retry", chain: "default", subject: "capMs", before: 100, after: null },
      {
        kind: "scheduleRemoved",
        chain: "default",
        subject: "mon–wed 10:00–16:00",
        before: ["b", "a"],
        after: null,
      },
      { kind: "scheduleAdded", chain: "default", subject: "mon–wed 10:00–16:00", before: null, after: ["c"] },
      { kind: "avoidRemoved", chain: "default", subject: "daily 01:00–02:00", before: "a", after: null },
    ]);
  });

  it("is the order of windows too, and fields that nobody here knows", () => {
    const [early, late] = ["01:00", "02:00"].map((from) => ({ from, to: "03:00", order: ["a"] }));
    expect(changesOf({ schedule: [early, late] }, { schedule: [late, early], news: 1 })).toMatchObject([
      { kind: "other", subject: "schedule" },
      { kind: "other", subject: "news", before: null, after: 1 },
    ]);
  });

  it("is whole chains", () => {
    expect(diffPlans({ timeZone: "UTC", chains: { a: {} } }, { timeZone: "UTC", chains: { b: {} } })).toEqual(
      [
        { kind: "chainRemoved", chain: "a", subject: null, before: {}, after: null },
        { kind: "chainAdded", chain: "b", subject: null, before: null, after: {} },
      ],
    );
  });
});

it.each([
  [["mon", "tue", "wed", "thu", "fri"], "mon–fri 10:00–16:00"],
  [["sat", "sun"], "sat, sun 10:00–16:00"],
  [["mon", "wed", "fri"], "mon, wed, fri 10:00–16:00"],
  [undefined, "daily 10:00–16:00"],
])("hours in words: %j", (days, words) => {
  expect(formatWindow({ days, from: "10:00", to: "16:00" })).toBe(words);
});
