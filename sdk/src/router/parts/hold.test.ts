import { describe, expect, it } from "vitest";
import { Hold } from "./hold.ts";

const bench = (hold: Hold, forMs: number, nowMs: number) =>
  hold.bench({ forMs, probeEveryMs: 60_000 }, nowMs, "capacity", true);

describe("a hold", () => {
  it("is extended by a longer wait and never shortened by a shorter one", () => {
    const hold = new Hold();
    bench(hold, 10_000, 0);
    bench(hold, 2_000, 1_000);
    expect(hold.until).toBe(10_000);
    bench(hold, 20_000, 1_000);
    expect(hold.until).toBe(21_000);
  });

  it("says what it is for until it is over", () => {
    const hold = new Hold();
    expect(hold.why(0)).toBeNull();
    bench(hold, 10_000, 0);
    expect(hold.why(9_999)).toBe("capacity");
    expect(hold.why(10_000)).toBeNull();
  });

  it("may be probed once in its time, and is over when a probe is answered", () => {
    const hold = new Hold();
    bench(hold, 600_000, 0);
    expect(hold.probeAt()).toBe(60_000);
    hold.probed(60_000);
    expect(hold.probeAt()).toBe(120_000);
    hold.lift();
    expect(hold.why(60_001)).toBeNull();
  });
});
