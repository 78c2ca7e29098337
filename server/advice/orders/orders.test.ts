import { describe, expect, it } from "vitest";
import { AppError } from "../../http/app-error.ts";
import { type DayHour, weekdayOf } from "../../profile/day-hours.ts";
import { latencyBin } from "../../rollup/latency-bin.ts";
import { createHistories } from "../target-history.ts";
import { adviseOrders, type ChainLink } from "./advise-orders.ts";
import { type ChainView, chooseBlocks, listOrders } from "./choose-blocks.ts";
import { distributionOf, foresee, type Link } from "./outlook.ts";
import { readPlanChains } from "./plan-chains.ts";
import { readTargets } from "./read-targets.ts";

const POLICY = { attempts: 5, deadlineMs: 60_000 };
const WEEK = Array.from({ length: 168 }, (_, at) => at);

function link(failsAt: (at: number) => number, parts: Partial<Link> = {}): Link {
  return {
    fails: WEEK.map(failsAt),
    answeredWithin: () => 1,
    answerMs: 2_000,
    failureMs: 300,
    quality: 1,
    isTop: true,
    ...parts,
  };
}

describe("what becomes of a request", () => {
  const failsOf = (fails: readonly number[]) => (place: number) => fails[place] ?? 0;

  it("is told by hand for two targets", () => {
    const links = [link(() => 0), link(() => 0, { quality: 0.8, isTop: false })];
    const outlook = foresee(links, [0, 1], failsOf([0.2, 0.1]), POLICY);
    expect(outlook.firstTry).toBeCloseTo(0.8);
    expect(outlook.success).toBeCloseTo(0.98);
    expect(outlook.topTier).toBeCloseTo(0.8 / 0.98);
    expect(foresee(links, [0, 1], failsOf([0.2, 0.1]), { ...POLICY, attempts: 1 }).success).toBeCloseTo(0.8);
  });

  it("ends at the deadline: what hangs leaves no time for the next", () => {
    const slow = link(() => 0, { answeredWithin: (ms) => Math.min(1, ms / 10_000), failureMs: 5_000 });
    const outlook = foresee([slow, slow], [0, 1], failsOf([0.5, 0]), { attempts: 5, deadlineMs: 10_000 });
    // Half at once; of the other half the five seconds that are left are enough for half.
    expect(outlook.success).toBeCloseTo(0.5 + 0.5 * 0.5);
  });

  it("reads how fast answers come from a histogram", () => {
    const within = distributionOf({ bins: [latencyBin(1_000), latencyBin(5_000)], counts: [3, 1] });
    expect(within(500)).toBe(0);
    expect(within(2_000)).toBe(0.75);
    expect(within(6_000)).toBe(1);
    expect(distributionOf({ bins: [], counts: [] })(1)).toBe(1);
  });
});

describe("blocks", () => {
  const view = (links: Link[], parts: Partial<ChainView> = {}): ChainView => {
    return { links, traffic: WEEK.map(() => 10), movable: links.map(() => true), policy: POLICY, ...parts };
  };
  const office = (at: number) => (at < 120 && at % 24 >= 10 && at % 24 < 16 ? 0.4 : 0.01);

  it("are the hours in which an equal target does better", () => {
    expect(chooseBlocks(view([link(office), link(() => 0.05)]))).toEqual([
      { days: [0, 1, 2, 3, 4], from: 10, lengthHours: 6, order: [1, 0] },
    ]);
  });

  it("give up a better tier only for much", () => {
    const lesser = link(() => 0.01, { quality: 0.85, isTop: false });
    expect(chooseBlocks(view([link(office), lesser]))).toEqual([]);
    const dreadful = (at: number) => (office(at) > 0.1 ? 0.8 : 0.01);
    expect(chooseBlocks(view([link(dreadful), lesser]))).toMatchObject([{ from: 10, order: [1, 0] }]);
  });

  it("are none for an equal target that is quicker and fails more", () => {
    const quick = link(() => 0.07, { answerMs: 1_000 });
    const slow = link(() => 0.05, { answerMs: 9_000 });
    expect(chooseBlocks(view([slow, quick]))).toEqual([]);
    expect(chooseBlocks(view([quick, slow]))).toEqual([]);
    expect(chooseBlocks(view([slow, link(() => 0.05, { answerMs: 1_000 })]))).toMatchObject([
      { order: [1, 0] },
    ]);
  });

  it("are none for a gain that is not worth a block, without traffic, or where nothing may move", () => {
    const links = [link((at) => (at % 24 === 3 ? 0.4 : 0.01)), link(() => 0.01)];
    expect(chooseBlocks(view(links, { traffic: WEEK.map((at) => (at % 24 === 3 ? 0 : 1)) }))).toEqual([]);
    expect(chooseBlocks(view([link(office), link(() => 0.05)], { traffic: WEEK.map(() => 0) }))).toEqual([]);
    expect(chooseBlocks(view([link(office), link(() => 0.05)], { movable: [true, false] }))).toEqual([]);
  });

  it("are the whole week for an order that is always better", () => {
    expect(chooseBlocks(view([link(() => 0.3), link(() => 0.01)]))).toEqual([
      { days: [0, 1, 2, 3, 4, 5, 6], from: 0, lengthHours: 24, order: [1, 0] },
    ]);
  });

  it("leave in place what may not move", () => {
    expect(listOrders([0, 1, 2], [true, false, true])).toEqual([[2, 1, 0]]);
    expect(listOrders([0, 1, 2], [true, true, true])).toHaveLength(5);
  });
});

describe("advice on orders", () => {
  /** A Monday. */
  const START = Date.UTC(2026, 6, 6) / 86_400_000;
  const busy = (day: number, hour: number) => (weekdayOf(day) < 5 && hour >= 10 && hour < 16 ? 0.4 : 0.02);

  function chainOf(shares: ((day: number, hour: number) => number)[], days = 42): ChainLink[] {
    const histories = createHistories(
      shares.map((shareAt, i) => ({
        provider: "acme",
        model: `m${i}`,
        endpoint: "",
        hours: Array.from({ length: days * 24 }, (_, at): DayHour => {
          const [day, hour] = [START + Math.floor(at / 24), at % 24];
          return { day, hour, n: 50, k: Math.round(50 * shareAt(day, hour)) };
        }),
      })),
    );
    return histories.map((history) => {
      const { fails: _, ...rest } = link(() => 0);
      return { ...rest, history, otherFails: 0 };
    });
  }
  const requests = WEEK.map(() => 50);
  const advise = (chain: ChainLink[], endDay = START + 42) => adviseOrders(chain, endDay, requests, POLICY);

  it("comes with gain, interval, requests, and weeks that it had not seen", () => {
    const { verdict, blocks, backtest } = advise(chainOf([busy, () => 0.04]));
    expect(verdict).toBe("advise");
    expect(blocks).toMatchObject([{ days: [0, 1, 2, 3, 4], order: [1, 0] }]);
    const [block] = blocks;
    // Neighbours round the edges off, by an hour at most.
    expect([9, 10]).toContain(block?.from);
    expect([6, 7, 8]).toContain(block?.lengthHours);
    expect(block?.own.firstTry).toBeGreaterThan(0.6);
    expect(block?.own.firstTry).toBeLessThan(0.75);
    expect(block?.advised.firstTry).toBeCloseTo(0.96, 1);
    expect(block?.requestsPerWeek).toBe(5 * (block?.lengthHours ?? 0) * 50);
    expect(block?.deviation.firstTry).toBeGreaterThan(0.01);
    expect(backtest.map(({ monday }) => monday - START)).toEqual([35, 28, 21, 14]);
    for (const { own, advised } of backtest) {
      // 30 of 168 hours, in each of which 0.4 fail instead of 0.04.
      expect(advised.firstTry - own.firstTry).toBeCloseTo((30 / 168) * 0.36, 1);
    }
  });

  it("is that there is no pattern where bad hours wander, and nothing to gain where there are none", () => {
    const wandering = (day: number, hour: number) => ((hour + 7 * (day - START)) % 24 < 6 ? 0.3 : 0.02);
    expect(["noPattern", "noGain"]).toContain(advise(chainOf([wandering, () => 0.09])).verdict);
    expect(advise(chainOf([() => 0.02, () => 0.02])).verdict).toBe("noGain");
  });

  it("waits for calls of two targets at least", () => {
    const chain = [...chainOf([busy]), ...chainOf([() => 0.04], 3)];
    expect(advise(chain)).toMatchObject({ verdict: "tooLittleData", blocks: [] });
    expect(advise(chain).moreDays[0]).toBe(0);
    expect(advise(chain).moreDays[1]).toBeGreaterThan(0);
  });

  it("is made of nothing that came later", () => {
    const until = START + 28;
    const later = chainOf([(day, hour) => (day < until ? busy(day, hour) : 0.9), () => 0.04], 60);
    expect(advise(later, until)).toEqual(advise(chainOf([busy, () => 0.04], 28), until));
  });
});

describe("chains of a plan", () => {
  const targets = ["a", "b", "c"].map((id) => ({ id, provider: "acme", model: id }));
  const idsOf = (parts: object) =>
    readPlanChains({ timeZone: "UTC", chains: { main: { targets, ...parts } } }).map((one) =>
      one.targets.map(({ id, tier }) => [id, tier]),
    );

  it("are without their floor; one that has neither floor nor tiers is whole", () => {
    expect(idsOf({})).toEqual([
      [
        ["a", 0],
        ["b", 1],
        ["c", 2],
      ],
    ]);
    expect(idsOf({ floor: "c" })).toEqual([
      [
        ["a", 0],
        ["b", 1],
      ],
    ]);
    const tiered = targets.map((target) => ({ ...target, tier: target.id === "c" ? "low" : "top" }));
    expect(idsOf({ targets: tiered, floor: "low" })).toEqual([
      [
        ["a", 0],
        ["b", 0],
      ],
    ]);
  });
});

describe("targets in a query", () => {
  it("name tiers, equals and endpoints, also of names with signs in them", () => {
    expect(readTargets("acme/large@eu,acme/large@us>router/a%2Cb/c")).toEqual([
      { id: null, provider: "acme", model: "large", endpoint: "eu", tier: 0 },
      { id: null, provider: "acme", model: "large", endpoint: "us", tier: 0 },
      { id: null, provider: "router", model: "a,b/c", endpoint: "", tier: 1 },
    ]);
  });

  it.each(["acme", "acme/large", "acme/large,acme/large", "acme/large>", "a/b,c/%E0%A4%A"])(
    "refuse %s",
    (text) => {
      expect(() => readTargets(text)).toThrow(AppError);
    },
  );
});
