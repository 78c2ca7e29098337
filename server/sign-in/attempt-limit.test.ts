import { expect, it } from "vitest";
import { createAttemptLimit } from "./attempt-limit.ts";

const clock = { nowMs: 0 };
const create = () => createAttemptLimit({ most: 3, withinMs: 1_000 }, () => clock.nowMs);

it("takes so many failures, then none until their time is over", () => {
  const limit = create();
  clock.nowMs = 0;
  for (let i = 0; i < 3; i++) {
    expect(limit.waitMs("a")).toBe(0);
    limit.fail("a");
  }
  clock.nowMs = 400;
  expect([limit.waitMs("a"), limit.waitMs("b")]).toEqual([600, 0]);
  clock.nowMs = 1_000;
  expect(limit.waitMs("a")).toBe(0);
  limit.fail("a");
  expect(limit.waitMs("a")).toBe(0);
});

it("forgets the failures of who succeeded", () => {
  const limit = create();
  for (let i = 0; i < 3; i++) limit.fail("a");
  limit.forget("a");
  expect(limit.waitMs("a")).toBe(0);
});

it("takes a failure back", () => {
  const limit = create();
  for (let i = 0; i < 3; i++) limit.fail("a");
  limit.undo("a");
  limit.undo("nobody");
  expect(limit.waitMs("a")).toBe(0);
});

it("remembers a bounded number of names, the latest ones", () => {
  const limit = create();
  clock.nowMs = 0;
  for (let i = 0; i < 3; i++) limit.fail("early");
  for (let i = 0; i < 20_000; i++) limit.fail(`name ${i}`);
  for (let i = 0; i < 3; i++) limit.fail("late");
  expect([limit.waitMs("early"), limit.waitMs("late")]).toEqual([0, 1_000]);
});
