import { describe, expect, it } from "vitest";
import { OUTCOMES } from "../../outcome.ts";
import { getBench } from "./advised-wait.ts";

const none = () => 0;
const DAY_MS = 86_400_000;

describe("how long a failure benches its target", () => {
  it.each([
    ["capacity", 5_000, { forMs: 5_000, probeEveryMs: 60_000 }],
    ["capacity", 600_000, { forMs: 600_000, probeEveryMs: 60_000 }],
    ["rate_limit", null, { forMs: 1_000, probeEveryMs: 600_000 }],
    ["rate_limit", 7_200_000, { forMs: 7_200_000, probeEveryMs: 600_000 }],
    ["quota", null, { forMs: DAY_MS, probeEveryMs: 600_000 }],
    ["quota", 40 * DAY_MS, { forMs: DAY_MS, probeEveryMs: 600_000 }],
    ["auth", 1_000, { forMs: DAY_MS, probeEveryMs: 60_000 }],
    ["server_error", -5, { forMs: 0, probeEveryMs: 60_000 }],
  ] as const)("%s with %s ms advised", (outcome, advisedMs, bench) => {
    expect(getBench(outcome, advisedMs, none)).toEqual(bench);
  });

  it("without a stated wait a lack of room benches nothing, nor do the caller's own faults", () => {
    const benching = OUTCOMES.filter((outcome) => getBench(outcome, null, none) !== null);
    expect(benching).toEqual(["rate_limit", "quota", "auth", "permission", "not_found"]);
    expect(getBench("invalid_request", 5_000, none)).toBeNull();
    expect(getBench("cancelled", 5_000, none)).toBeNull();
  });

  it("spreads the end by a tenth, and by six seconds at most", () => {
    expect(getBench("capacity", 10_000, () => 0.5)?.forMs).toBe(10_500);
    expect(getBench("rate_limit", 3_600_000, () => 0.5)?.forMs).toBe(3_603_000);
  });
});
