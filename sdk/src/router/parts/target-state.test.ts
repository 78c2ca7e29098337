import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../outcome.ts";
import { TargetState } from "./target-state.ts";

/** A target of which one attempt ended so, at 0 ms. */
function after(outcome: Outcome): TargetState {
  const state = new TargetState("one");
  end(state, outcome, 0);
  return state;
}

function end(state: TargetState, outcome: Outcome, nowMs: number): void {
  state.end(state.begin(nowMs, false), { outcome, retryAfterMs: null, latencyMs: 300 }, nowMs, () => 0.5);
}

describe("what is expected of a target that was full", () => {
  it("is a quarter at once, more than half after 2 s, and all of it when that has faded", () => {
    const full = after("capacity");
    expect(full.room(0)).toBeCloseTo(0.25);
    expect(full.room(2_000)).toBeCloseTo(1 - 0.75 / Math.E);
    expect(full.room(12_001)).toBe(1);
    expect(full.expect(0)).toBeCloseTo(full.score.expect(0) / 4);
  });

  it("comes back with time alone, step by step", () => {
    const full = after("capacity");
    const ms = fc.integer({ min: 0, max: 20_000 });
    fc.assert(
      fc.property(ms, ms, (a, b) => {
        expect(full.room(Math.max(a, b))).toBeGreaterThanOrEqual(full.room(Math.min(a, b)));
        expect(full.room(a)).toBeGreaterThan(0);
      }),
    );
  });

  it("comes back with an answer", () => {
    const full = after("capacity");
    end(full, "ok", 100);
    expect(full.room(100)).toBe(1);
  });

  it.each(["timeout", "server_error", "rate_limit", "cancelled", "ok"] as const)(
    "is the same as ever after %s",
    (outcome) => {
      expect(after(outcome).room(0)).toBe(1);
    },
  );
});
