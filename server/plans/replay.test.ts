import { describe, expect, it } from "vitest";
import { estimateChain } from "./estimate-chain.ts";
import { toTargetRecord } from "./failure-shares.ts";

const big = { id: "big", provider: "p", model: "big", tier: "flagship" };
const small = { id: "small", provider: "p", model: "small", tier: "light" };
/** Monday, 30 November 2026. */
const at = (time: string) => Date.parse(`2026-11-30T${time}:00Z`);
const arrivals = (...times: string[]) => times.map((time) => ({ startMs: at(time), requests: 10 }));
const SHARES: Readonly<Record<string, number>> = { big: 0.2, small: 0.1 };
const shareOf = (id: string) => SHARES[id] ?? null;
const play = (chain: object, times: string[], timeZone = "UTC") =>
  estimateChain(
    { chain: { targets: [big, small], ...chain }, timeZone },
    arrivals(...times),
    shareOf,
    "flagship",
  );

describe("a chain that is played again", () => {
  it("asks one target after the other until one answers", () => {
    const played = play({}, ["09:00"]);
    expect(played?.success).toBeCloseTo(1 - 0.2 * 0.1);
    expect(played?.firstTierShare).toBeCloseTo(0.8);
    expect(played?.attemptsPerRequest).toBeCloseTo(1.2);
    expect(played?.targets.get("small")?.asked).toBeCloseTo(0.2);
    expect(played?.targets.get("small")?.served).toBeCloseTo(0.18);
  });

  it("takes the order of each hour, in the plan's zone", () => {
    const schedule = [{ days: ["mon"], from: "17:00", to: "18:00", order: ["small"] }];
    const played = play({ schedule }, ["09:00", "10:00"], "Asia/Shanghai");
    // 09:00 in London is 17:00 in Shanghai: there the first tier serves what is left of small's failures.
    expect(played?.firstTierShare).toBeCloseTo((0.1 * 0.8 + 0.8) / 2);
  });

  it("asks avoided targets last, but for the floor", () => {
    const avoid = [{ target: "big", windows: [{ from: "09:00", to: "10:00" }] }];
    expect(play({ avoid }, ["09:00"])?.targets.get("big")?.asked).toBeCloseTo(0.1);
    expect(play({ avoid }, ["10:00"])?.targets.get("big")?.asked).toBe(1);
    expect(play({ avoid, floor: "big" }, ["09:00"])?.targets.get("big")?.asked).toBe(1);
  });

  it("stops where attempts are used up", () => {
    expect(play({ retry: { maxAttempts: 1 } }, ["09:00"])?.success).toBeCloseTo(0.8);
  });

  it("leaves out targets that were never called, and says nothing of nothing", () => {
    const stranger = { id: "new", provider: "p", model: "new" };
    const played = play({ targets: [stranger, small] }, ["09:00"]);
    expect([...(played?.targets.keys() ?? [])]).toEqual(["small"]);
    expect(play({ targets: [stranger] }, ["09:00"])).toBeNull();
    expect(play({}, [])).toBeNull();
  });
});

describe("what was seen of a target", () => {
  const hour = (time: string, attempts: number, failures: number) => ({
    place: 0,
    hourMs: at(time),
    attempts,
    failures,
    capacity: failures,
  });

  it("is its share of failures by the hour, pulled to the mean where there are few", () => {
    const record = toTargetRecord([hour("09:00", 1_000, 500), hour("10:00", 1_000, 0), hour("11:00", 2, 2)]);
    expect(record).toMatchObject({ attempts: 2_002, failures: 502, capacity: 502 });
    const mean = 502 / 2_002;
    expect(record?.failureShareAt(at("09:30"))).toBeCloseTo((500 + 20 * mean) / 1_020);
    expect(record?.failureShareAt(at("11:15"))).toBeCloseTo((2 + 20 * mean) / 22);
    expect(record?.failureShareAt(at("12:00"))).toBeCloseTo(mean);
  });

  it("adds up what there is of an hour, and is nothing where it was never called", () => {
    expect(toTargetRecord([hour("09:00", 5, 1), hour("09:00", 5, 3)])).toMatchObject({
      attempts: 10,
      failures: 4,
    });
    expect(toTargetRecord([])).toBeNull();
  });
});
