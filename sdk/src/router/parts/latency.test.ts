import { describe, expect, it } from "vitest";
import { getAttemptTimeoutMs, isFairTimeout } from "./attempt-timeout.ts";
import { Latency } from "./latency.ts";

function known(ms: number): Latency {
  const latency = new Latency();
  for (let i = 0; i < 200; i++) latency.answered(ms);
  return latency;
}

describe("how long a target takes", () => {
  it("is what its answers took, once there were some", () => {
    expect(new Latency().isKnown).toBe(false);
    const latency = known(2_000);
    expect(latency.isKnown).toBe(true);
    expect(latency.quantileMs(0)).toBeCloseTo(2_000, -1);
    expect(latency.quantileMs(1.645)).toBeGreaterThan(latency.quantileMs(0));
  });
});

describe("the time of an attempt", () => {
  it("of a target that nobody knows is 30 s, or half of what is left, within what is left", () => {
    expect(getAttemptTimeoutMs(new Latency(), 60_000, false)).toBe(30_000);
    expect(getAttemptTimeoutMs(new Latency(), 600_000, false)).toBe(300_000);
    expect(getAttemptTimeoutMs(new Latency(), 5_000, false)).toBe(5_000);
    // Half is left for another target, unless this one is known to need more.
    expect(getAttemptTimeoutMs(new Latency(), 5_000, false, true)).toBe(2_500);
    expect(getAttemptTimeoutMs(known(200), 2_000, false, true)).toBe(1_000);
    expect(getAttemptTimeoutMs(known(8_000), 10_000, false, true)).toBeGreaterThan(8_000);
  });

  it("of a quick target is 12 s, and of a probe 8 s", () => {
    expect(getAttemptTimeoutMs(known(500), 60_000, false)).toBe(12_000);
    expect(getAttemptTimeoutMs(known(500), 60_000, true)).toBe(8_000);
    expect(getAttemptTimeoutMs(known(500), 700, true)).toBe(700);
  });

  it("says something of its target only when it was enough", () => {
    expect(isFairTimeout(known(6_000), 1_000)).toBe(false);
    expect(isFairTimeout(known(200), 1_000)).toBe(true);
    expect(isFairTimeout(new Latency(), 12_000)).toBe(true);
  });
});
