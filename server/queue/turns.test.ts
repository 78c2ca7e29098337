import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTurns } from "./turns.ts";

/** Gives one job a time to whoever is next and has some; how many each had got when the others had none left. */
function play(has: Record<string, number>, order: readonly string[], count: number): string[] {
  const turns = createTurns();
  const given: string[] = [];
  for (let i = 0; i < count; i++) {
    const places = turns.order(order);
    const [next] = order
      .filter((name) => (has[name] ?? 0) > 0)
      .sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
    if (next === undefined) break;
    has[next] = (has[next] ?? 0) - 1;
    given.push(next);
    turns.served(new Map([[next, 1]]), order);
  }
  return given;
}

describe("turns", () => {
  it("let each submitter have as much as the others as long as it has some", () => {
    const given = play({ many: 100_000, few: 10 }, ["many", "few"], 20);
    expect(given.filter((name) => name === "few")).toHaveLength(10);
  });

  it("owe nothing to one that was away or is new", () => {
    const turns = createTurns();
    for (let i = 0; i < 1_000; i++) turns.served(new Map([["a", 1]]), ["a", "b"]);
    // `b` had nothing all the time; now both have.
    const given: string[] = [];
    for (let i = 0; i < 10; i++) {
      const places = turns.order(["a", "b", "c"]);
      const next = ["a", "b", "c"].sort((x, y) => (places.get(x) ?? 0) - (places.get(y) ?? 0))[0] as string;
      given.push(next);
      turns.served(new Map([[next, 1]]), ["a", "b", "c"]);
    }
    expect(given.filter((name) => name === "a").length).toBeGreaterThanOrEqual(2);
  });

  it("never let the gap between two that have jobs grow", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 50, max: 500 }), { minLength: 2, maxLength: 6 }), (sizes) => {
        const names = sizes.map((_, i) => `s${i}`);
        const has = Object.fromEntries(names.map((name, i) => [name, sizes[i] as number]));
        const given = play(has, names, 50);
        const counts = names.map((name) => given.filter((one) => one === name).length);
        return Math.max(...counts) - Math.min(...counts) <= 1;
      }),
    );
  });

  it("say that one job in eight is to be the oldest", () => {
    const turns = createTurns();
    let oldest = 0;
    for (let i = 0; i < 80; i++) {
      oldest += turns.oldestOf(1);
      turns.served(new Map([["a", 1]]), ["a"]);
    }
    expect(oldest).toBe(10);
    expect(turns.oldestOf(16)).toBe(2);
  });
});
