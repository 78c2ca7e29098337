import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getDefaultQualities, getIndex } from "./order.ts";

const quick = { meanMs: 1_000, failureMs: 300 };
const index = (quality: number, expected: number, failureMs = 300) =>
  getIndex(quality, expected, { meanMs: 1_000, failureMs }, 60_000);
const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });

describe("the index by which targets are ordered", () => {
  it("lets a flagship give way to one of quality 0.96 only when fewer than seven in ten go well", () => {
    expect(index(1, 0.75)).toBeGreaterThan(index(0.96, 0.95));
    expect(index(1, 0.66)).toBeLessThan(index(0.96, 0.95));
  });

  it("rises with quality and with the expected share, and falls with the time that failures take", () => {
    fc.assert(
      fc.property(share, share, share, (quality, expected, more) => {
        expect(index(quality + 0.01, expected)).toBeGreaterThan(index(quality, expected));
        const higher = expected + (1 - expected) * more;
        expect(index(quality, higher)).toBeGreaterThan(index(quality, expected));
        expect(index(quality, expected, 15_000)).toBeLessThan(index(quality, expected, 300));
      }),
    );
  });

  it("gives the best of all orders of four targets", () => {
    const target = fc.record({
      quality: share,
      expected: share,
      failureMs: fc.integer({ min: 0, max: 60_000 }),
    });
    fc.assert(
      fc.property(fc.array(target, { minLength: 2, maxLength: 4 }), (targets) => {
        const byIndex = [...targets].sort((a, b) => indexOf(b) - indexOf(a));
        expect(worthOf(byIndex)).toBeGreaterThanOrEqual(Math.max(...permute(targets).map(worthOf)) - 1e-9);
      }),
    );
  });

  it("counts failures for more where nothing is left to pay for another attempt", () => {
    const scarce = (quality: number, expected: number) => getIndex(quality, expected, quick, 60_000, 1);
    expect(index(1, 0.6)).toBeGreaterThan(index(0.7, 0.95));
    expect(scarce(1, 0.6)).toBeLessThan(scarce(0.7, 0.95));
  });
});

interface Chance {
  readonly quality: number;
  readonly expected: number;
  readonly failureMs: number;
}

const indexOf = ({ quality, expected, failureMs }: Chance) =>
  getIndex(quality, expected, { meanMs: 0, failureMs }, 60_000);

/** What an order is worth: qualities of those who answer, less what each failure costs. */
function worthOf(order: readonly Chance[]): number {
  let [value, reached] = [0, 1];
  for (const { quality, expected, failureMs } of order) {
    const cost = 0.1 + 0.2 * Math.min(1, failureMs / 60_000);
    value += reached * (expected * quality - (1 - expected) * cost);
    reached *= 1 - expected;
  }
  return value;
}

function permute<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) => permute(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

describe("qualities by default", () => {
  it("fall by tier and by place", () => {
    const targets = [
      { id: "a", tier: "flagship" },
      { id: "b", tier: "flagship" },
      { id: "c", tier: "standard" },
      { id: "d" },
    ];
    expect(getDefaultQualities(targets).map((quality) => Math.round(quality * 100))).toEqual([
      100, 96, 85, 70,
    ]);
  });

  it("fall strictly and stay above zero in any chain in the order of its tiers", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 }), (sizes) => {
        const targets = sizes.flatMap((size, tier) =>
          Array.from({ length: size }, (_, i) => ({ id: `${tier}-${i}`, tier: `${tier}` })),
        );
        const qualities = getDefaultQualities(targets);
        for (const [i, quality] of qualities.entries()) {
          expect(quality).toBeGreaterThan(0);
          if (i > 0) expect(quality).toBeLessThan(qualities[i - 1] ?? 0);
        }
      }),
    );
  });
});
