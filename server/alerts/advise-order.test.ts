import { describe, expect, it } from "vitest";
import type { ChainOrders, Orders } from "../contract/orders.ts";
import { adviseOrder } from "./advise-order.ts";

// A Monday, 10:00 in Berlin.
const NOW = Date.parse("2026-11-30T09:00:00Z");
const target = (model: string, endpoint = "", id: string | null = null) => ({
  id,
  provider: "acme",
  model,
  endpoint,
  tier: 0,
  moreDays: 0,
});
const gain = { own: 0.9, advised: 0.95, low: 0, high: 0.1 };
const block = (days: ChainOrders["blocks"][number]["days"], from: string, to: string, order: number[]) => ({
  days,
  from,
  to,
  order,
  firstTry: gain,
  success: gain,
  topTier: gain,
  requestsPerWeek: 100,
});
function orders(parts: Partial<ChainOrders> = {}): Orders {
  const chain: ChainOrders = {
    chain: "default",
    verdict: "advise",
    attempts: 5,
    targets: [target("large"), target("small"), target("tiny")],
    blocks: [],
    backtest: [],
    ...parts,
  };
  return { asOf: "2026-11-30T09:00:00.000Z", zone: "Europe/Berlin", deadlineMs: 60_000, chains: [chain] };
}
const LARGE = { provider: "acme", model: "large", endpoint: "" };

describe("the order to ask in", () => {
  it("is the chain's, with what is in trouble last", () => {
    expect(adviseOrder(LARGE, orders(), null, NOW)).toEqual(["small", "tiny", "large"]);
    expect(adviseOrder({ ...LARGE, source: "shop" }, orders(), null, NOW)).toEqual([
      "small",
      "tiny",
      "large",
    ]);
  });

  it("is the advised one at this hour on the wall", () => {
    const at = (from: string, to: string, days: ("mon" | "sun")[] = ["mon"]) =>
      adviseOrder(LARGE, orders({ blocks: [block(days, from, to, [2, 1, 0])] }), null, NOW);
    expect(at("10:00", "11:00")).toEqual(["tiny", "small", "large"]);
    expect(at("09:00", "10:00")).toEqual(["small", "tiny", "large"]);
    expect(at("10:00", "10:00")).toEqual(["tiny", "small", "large"]);
    expect(at("22:00", "11:00", ["sun"])).toEqual(["tiny", "small", "large"]);
    expect(at("22:00", "11:00")).toEqual(["small", "tiny", "large"]);
  });

  it("names targets by their id in the plan, and tells two of one model apart", () => {
    const targets = [target("large"), target("large", "eu"), target("small", "", "cheap")];
    expect(adviseOrder(LARGE, orders({ targets }), null, NOW)).toEqual([
      "acme/large@eu",
      "cheap",
      "acme/large",
    ]);
  });

  it("is none where everything is in trouble, or nothing is known", () => {
    expect(adviseOrder({ provider: "acme" }, orders(), null, NOW)).toBeNull();
    expect(adviseOrder({ provider: "other", model: "x" }, orders(), null, NOW)).toBeNull();
    expect(adviseOrder(LARGE, null, null, NOW)).toBeNull();
  });
});
