import { describe, expect, it } from "vitest";
import { toUuid } from "../ingest/event-id.ts";
import {
  createRandom,
  drawBetween,
  drawLogNormal,
  drawNoise,
  drawPoisson,
  drawUnit,
  drawUuid,
} from "./random.ts";

const many = <T>(draw: () => T): T[] => Array.from({ length: 20_000 }, draw);
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("createRandom", () => {
  it("gives the same numbers for the same keys, and others when any key differs", () => {
    const five = (...keys: (number | string)[]) => Array.from({ length: 5 }, createRandom(...keys));
    expect(five(1, "a", 3_600_000)).toEqual(five(1, "a", 3_600_000));
    const starts = new Set<number | undefined>();
    for (let seed = 0; seed < 10; seed++) {
      for (const name of ["a", "b", "ab"]) {
        for (let hour = 495_000; hour < 495_100; hour++) starts.add(five(seed, name, hour * 3_600_000)[0]);
      }
    }
    expect(starts.size).toBeGreaterThan(2_990);
  });

  it("stays the same from version to version: the ids of a demo hang on it", () => {
    expect(Array.from({ length: 3 }, createRandom(7, "flow", 1_783_512_000_000))).toMatchInlineSnapshot(`
      [
        63535191,
        3849580149,
        2159330564,
      ]
    `);
  });

  it("is even", () => {
    const random = createRandom(1);
    const units = many(() => drawUnit(random));
    expect(meanOf(units)).toBeCloseTo(0.5, 1);
    for (let tenth = 0; tenth < 10; tenth++) {
      const share = units.filter((unit) => Math.floor(unit * 10) === tenth).length / units.length;
      expect(share).toBeGreaterThan(0.09);
      expect(share).toBeLessThan(0.11);
    }
  });
});

describe("draws", () => {
  it("keeps the bounds of a range", () => {
    const random = createRandom(2);
    const values = many(() => drawBetween(random, 20, 90));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(20);
    expect(Math.max(...values)).toBeLessThan(90);
  });

  it.each([0, 0.1, 3, 29, 31, 200])("draws Poisson counts with mean and variance %d", (mean) => {
    const random = createRandom(3, mean * 10);
    const counts = many(() => drawPoisson(random, mean));
    expect(counts.every((count) => Number.isInteger(count) && count >= 0)).toBe(true);
    expect(meanOf(counts)).toBeGreaterThanOrEqual(mean * 0.93);
    expect(meanOf(counts)).toBeLessThanOrEqual(mean * 1.07);
    const variance = meanOf(counts.map((count) => (count - mean) ** 2));
    expect(variance).toBeGreaterThanOrEqual(mean * 0.9);
    expect(variance).toBeLessThanOrEqual(mean * 1.1);
  });

  it("draws log-normal numbers around their median, and noise around 1", () => {
    const random = createRandom(4);
    const sorted = many(() => drawLogNormal(random, 800, 0.5)).sort((a, b) => a - b);
    expect(sorted[10_000]).toBeGreaterThan(780);
    expect(sorted[10_000]).toBeLessThan(820);
    expect(meanOf(many(() => drawNoise(random, 0.6)))).toBeCloseTo(1, 1);
  });

  it("draws UUIDv7 that sort by their time", () => {
    const random = createRandom(5);
    const ids = many(() => 0).map((_, i) => drawUuid(random, 1_783_512_000_000 + i));
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.every((id) => toUuid(id) === id)).toBe(true);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids.map((id) => id.slice(14))).size).toBe(ids.length);
  });
});
