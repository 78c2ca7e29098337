import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Circuit } from "./circuit.ts";

const half = () => 0.5;
const fail = (circuit: Circuit, nowMs: number, consecutive: number, shareBefore = 0) =>
  circuit.failure(nowMs, false, { consecutive, shareBefore }, half);

function openedAt0(): Circuit {
  const circuit = new Circuit();
  fail(circuit, 0, 8);
  return circuit;
}

describe("a circuit", () => {
  it("stays closed at seven failures in a row and opens at the eighth", () => {
    const circuit = new Circuit();
    for (let row = 1; row <= 7; row++) expect(fail(circuit, 0, row)).toBe(false);
    expect(circuit.state(0)).toBe("closed");
    expect(fail(circuit, 0, 8)).toBe(true);
    expect(circuit.state(0)).toBe("open");
  });

  it("takes more in a row where failures are usual, for so many come by chance", () => {
    const circuit = new Circuit();
    for (let row = 1; row <= 13; row++) expect(fail(circuit, 0, row, 0.6)).toBe(false);
    expect(fail(circuit, 0, 14, 0.6)).toBe(true);
  });

  it("always opens when everything fails, whatever was usual", () => {
    const circuit = new Circuit();
    const row = Array.from({ length: 40 }, (_, i) => fail(circuit, 0, i + 1, 1));
    expect(row).toContain(true);
  });

  it("is half open 3 s after its opening, and a probe's success closes it", () => {
    const circuit = openedAt0();
    expect(circuit.state(2_999)).toBe("open");
    expect(circuit.state(3_000)).toBe("halfOpen");
    expect(circuit.success(3_500, false)).toBe(false);
    expect(circuit.success(3_500, true)).toBe(true);
    expect(circuit.state(3_500)).toBe("closed");
  });

  it("opens for twice as long after each probe that fails, at most for 18 s, and is probed at least every 36 s", () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
          minLength: 1,
          maxLength: 12,
        }),
        (chances) => {
          const circuit = new Circuit();
          let nowMs = 0;
          circuit.failure(0, false, { consecutive: 8, shareBefore: 0 }, () => chances[0] ?? 0);
          for (const chance of chances) {
            expect(circuit.openUntil - nowMs).toBeLessThan(18_000.001);
            expect(circuit.probeAt - nowMs).toBeLessThan(36_000.001);
            expect(circuit.probeAt).toBeGreaterThanOrEqual(circuit.openUntil);
            nowMs = circuit.probeAt;
            expect(circuit.state(nowMs)).toBe("halfOpen");
            circuit.failure(nowMs, true, { consecutive: 9, shareBefore: 0 }, () => chance);
          }
        },
      ),
    );
    const circuit = openedAt0();
    circuit.failure(3_000, true, { consecutive: 9, shareBefore: 0 }, half);
    expect(circuit.openUntil).toBe(9_000);
  });

  it("is not opened anew by what was under way when it opened", () => {
    const circuit = openedAt0();
    expect(fail(circuit, 2_000, 9)).toBe(false);
    expect(circuit.openUntil).toBe(3_000);
  });
});
