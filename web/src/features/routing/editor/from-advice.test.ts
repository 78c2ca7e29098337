import { describe, expect, it } from "vitest";
import type { ChainOrders } from "../../../../../server/contract/orders.ts";
import { applyOrders } from "./from-advice.ts";

const share = { own: 0.9, advised: 0.98, low: 0.05, high: 0.1 };
const advised: ChainOrders = {
  chain: "chat",
  verdict: "advise",
  attempts: 5,
  targets: [
    { id: null, provider: "openai", model: "gpt-5", endpoint: "", tier: 0, moreDays: 0 },
    { id: null, provider: "google", model: "gemini", endpoint: "eu", tier: 1, moreDays: 0 },
    { id: null, provider: "google", model: "gemini", endpoint: "us", tier: 1, moreDays: 0 },
  ],
  blocks: [
    {
      days: ["mon", "tue"],
      from: "10:00",
      to: "16:00",
      order: [1, 0],
      firstTry: share,
      success: share,
      topTier: { own: 0.9, advised: 0.2 },
      requestsPerWeek: 120,
    },
  ],
  backtest: [],
};
const plan = { timeZone: "UTC", chains: {} };

describe("a plan made from advice", () => {
  it("has the chain's targets, and the advised order in its hours with its reasons", () => {
    const chain = applyOrders(plan, advised).chains["chat"];
    expect(chain?.targets?.map(({ id, tier, endpoint }) => [id, tier, endpoint])).toEqual([
      ["gpt-5", "tier-1", undefined],
      ["gemini", "tier-2", "eu"],
      ["gemini@us", "tier-2", "us"],
    ]);
    expect(chain?.schedule).toEqual([
      {
        days: ["mon", "tue"],
        from: "10:00",
        to: "16:00",
        order: ["gemini", "gpt-5"],
        why: { firstTry: share, success: share, requestsPerWeek: 120 },
      },
    ]);
  });

  it("speaks of the plan's own targets by their names, and leaves other hours and chains alone", () => {
    const own = {
      timeZone: "UTC",
      chains: {
        other: {},
        chat: {
          targets: [
            { id: "flagship", provider: "openai", model: "gpt-5" },
            { id: "light", provider: "google", model: "gemini" },
          ],
          floor: "light",
          schedule: [{ from: "09:00", to: "11:00", order: ["light"] }],
        },
      },
    };
    const { other, chat } = applyOrders(own, advised).chains;
    expect(other).toEqual({});
    expect(chat?.targets).toEqual(own.chains.chat.targets);
    expect(chat?.floor).toBe("light");
    expect(
      chat?.schedule?.map(({ days, from, to, order }) => [days?.join(), from, to, order.join()]),
    ).toEqual([
      ["mon,tue", "09:00", "10:00", "light"],
      ["wed,thu,fri,sat,sun", "09:00", "11:00", "light"],
      ["mon,tue", "10:00", "16:00", "light,flagship"],
    ]);
  });
});
