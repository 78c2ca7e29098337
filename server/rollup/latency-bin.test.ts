import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binValueMs, latencyBin, quantilesMs, RELATIVE_ERROR } from "./latency-bin.ts";

function toHistogram(values: readonly number[]) {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(latencyBin(value), (counts.get(latencyBin(value)) ?? 0) + 1);
  return { bins: [...counts.keys()], counts: [...counts.values()] };
}

describe("the latency histogram", () => {
  it("keeps every duration within two per cent", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_600_000 }), (ms) => {
        expect(Math.abs(binValueMs(latencyBin(ms)) - ms) / ms).toBeLessThanOrEqual(RELATIVE_ERROR + 1e-9);
      }),
    );
  });

  it("finds quantiles within two per cent of the exact ones", () => {
    const values = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(values, fc.constantFrom(0.5, 0.95, 0.99, 1), (all, q) => {
        const exact = [...all].sort((a, b) => a - b)[Math.ceil(q * all.length - 1e-9) - 1] ?? 0;
        const found = quantilesMs([toHistogram(all)], [q])[0] ?? 0;
        expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(RELATIVE_ERROR + 1e-9);
      }),
    );
  });

  it("merges histograms as if all had been measured together", () => {
    const values = fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 30 });
    const qs = [0.2, 0.5, 0.9, 1];
    fc.assert(
      fc.property(fc.array(values, { maxLength: 5 }), (parts) => {
        const together = quantilesMs([toHistogram(parts.flat())], qs);
        expect(quantilesMs(parts.map(toHistogram), qs)).toEqual(together);
        const [bins, counts] = [parts.flat().map(latencyBin), parts.flat().map(() => 1)];
        expect(quantilesMs([{ bins, counts }], qs)).toEqual(together);
      }),
    );
    expect(quantilesMs([], qs)).toEqual([null, null, null, null]);
  });
});
