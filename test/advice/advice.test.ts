import type { AttemptEvent } from "@busyhour/sdk";
import { describe, expect, it } from "vitest";
import { createRandom } from "../bench/support/numbers.ts";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const DAY = 86_400_000;
const AS_OF = "2026-11-16T00:00:00.000Z"; // a Monday
const asOfMs = Date.parse(AS_OF);

const api = await startTestServer({ nowMs: asOfMs + 10 * DAY });

/** Attempts of some days, six an hour, with this share of capacity errors. */
function attempts(
  model: string,
  fromMs: number,
  days: number,
  shareAt: (ms: number) => number,
  seed = 1,
): AttemptEvent[] {
  const random = createRandom(seed);
  return Array.from({ length: days * 144 }, (_, i) => {
    const ms = fromMs + i * 600_000 + Math.floor(random() * 600_000);
    return anEvent({
      eventId: `${model} ${seed} ${i}`,
      occurredAt: new Date(ms).toISOString(),
      model,
      outcome: random() < shareAt(ms) ? "capacity" : "ok",
    });
  });
}

async function store(events: readonly AttemptEvent[]): Promise<void> {
  for (let i = 0; i < events.length; i += 5_000) await api.post(events.slice(i, i + 5_000));
  await api.catchUp();
}

const utcHour = (ms: number) => new Date(ms).getUTCHours();
const goodNights = (ms: number) => (utcHour(ms) < 7 ? 0.01 : 0.25);
const askOrders = (parts: Record<string, string>) =>
  api.get(`/api/advice/orders?${new URLSearchParams(parts)}`);
const ask = (parts: Record<string, string>) => api.get(`/api/advice?${new URLSearchParams(parts)}`);

describe("advice", async () => {
  await store([
    ...attempts("nights", asOfMs - 35 * DAY, 35, goodNights),
    ...attempts("even", asOfMs - 35 * DAY, 35, () => 0.1, 2),
    ...attempts("fine", asOfMs - 35 * DAY, 35, () => 0, 3),
    ...attempts("new", asOfMs - 5 * DAY, 5, goodNights, 4),
  ]);

  it("gives each target a verdict, with windows and their backtest in the zone that is asked for", async () => {
    const advice = await ask({ asOf: AS_OF, zone: "asia/tokyo" });
    expect(advice).toMatchObject({ asOf: AS_OF, zone: "Asia/Tokyo" });
    const verdicts = advice.targets.map(({ model, verdict, moreDays }: Record<string, unknown>) => [
      model,
      verdict,
      moreDays,
    ]);
    expect(verdicts).toEqual([
      ["even", "noPattern", 0],
      ["fine", "noGain", 0],
      // Five days of UTC are on six dates in Tokyo, and fourteen are wanted.
      ["new", "tooLittleData", 8],
      ["nights", "advise", 0],
    ]);
    const { windows, backtest, level, repeats } = advice.targets[3];
    expect(level).toBe(0.9);
    expect(repeats).toMatchObject({ weeksWon: 4, weeksHeld: 4 });
    expect(windows).toHaveLength(1);
    const [window] = windows;
    // From 00:00 to 07:00 UTC is from 09:00 to 16:00 in Tokyo.
    expect(["09:00", "10:00", "11:00", "12:00", "13:00"]).toContain(window.from);
    expect(Number(window.to.slice(0, 2)) - Number(window.from.slice(0, 2))).toBe(3);
    expect(window.days).toEqual(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]);
    expect(window.expected).toBeLessThan(0.07);
    expect(window.low).toBeLessThanOrEqual(0.01);
    expect(window.high).toBeGreaterThanOrEqual(0.01);
    expect(window.usual).toBeGreaterThan(0.15);
    expect(window.worst).toBeGreaterThanOrEqual(window.usual);
    expect(window.n).toBe(35 * 18);
    expect(backtest.map(({ week }: { week: string }) => week)).toEqual(["2026-W46", "2026-W45", "2026-W44"]);
    for (const { inWindow, usual, oracle } of backtest) {
      expect(inWindow).toBeLessThan(0.05);
      expect(usual).toBeGreaterThan(0.15);
      expect(oracle).toBeLessThanOrEqual(inWindow);
    }
  });

  it("keeps windows to the wanted length and the allowed hours", async () => {
    const { targets } = await ask({ asOf: AS_OF, model: "nights", hours: "2", allowed: "5-9" });
    expect(targets).toHaveLength(1);
    expect(targets[0].windows).toMatchObject([{ from: "05:00", to: "07:00" }]);
  });

  it("orders equally good targets by block of the week, with its gain and earlier weeks", async () => {
    const { chains } = await askOrders({ asOf: AS_OF, zone: "UTC", targets: "acme/nights,acme/even" });
    expect(chains).toMatchObject([{ chain: "", verdict: "advise", targets: [{ tier: 0 }, { tier: 0 }] }]);
    const [{ blocks, backtest }] = chains;
    // From 07:00 to midnight one in four finds no room at the one, and one in ten at the other.
    expect(blocks).toMatchObject([
      { days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], order: [1, 0] },
    ]);
    expect(["06:00", "07:00", "08:00"]).toContain(blocks[0].from);
    const { firstTry, success, topTier, requestsPerWeek } = blocks[0];
    expect(firstTry.own).toBeGreaterThan(0.7);
    expect(firstTry.advised - firstTry.own).toBeGreaterThan(0.1);
    expect(firstTry.low).toBeLessThan(firstTry.advised - firstTry.own);
    expect(success.advised).toBeGreaterThan(0.95);
    expect(topTier.own).toBeCloseTo(1);
    expect(topTier.advised).toBeCloseTo(1);
    // Two targets, six attempts an hour each, of four weeks.
    expect(requestsPerWeek).toBeGreaterThan(2 * 6 * 7 * 14);
    expect(requestsPerWeek).toBeLessThan(2 * 6 * 7 * 19);
    expect(backtest).toHaveLength(3);
    for (const week of backtest) expect(week.firstTry.advised).toBeGreaterThan(week.firstTry.own + 0.05);
    const lesser = await askOrders({ asOf: AS_OF, zone: "UTC", targets: "acme/nights>acme/even" });
    expect(lesser.chains).toMatchObject([{ verdict: "noGain", blocks: [] }]);
  });

  it("knows chains by what routers report, and waits for calls of their later targets", async () => {
    await store([
      anEvent({ chain: "main", position: 1, model: "even", occurredAt: "2026-11-15T10:00:00Z" }),
      anEvent({ chain: "main", position: 0, model: "routed", occurredAt: "2026-11-15T10:00:00Z" }),
      anEvent({ chain: "alone", position: 0, model: "even", occurredAt: "2026-11-15T10:00:00Z" }),
    ]);
    const { chains } = await askOrders({ asOf: AS_OF });
    expect(chains).toMatchObject([
      {
        chain: "main",
        verdict: "tooLittleData",
        targets: [
          { model: "routed", tier: 0, moreDays: 199 },
          { model: "even", tier: 1, moreDays: 0 },
        ],
      },
    ]);
  });

  it("takes the plan's chains with their tiers, from its publication on", async () => {
    const document = {
      timeZone: "UTC",
      chains: {
        planned: {
          targets: [
            { id: "a", provider: "acme", model: "nights", tier: "one" },
            { id: "b", provider: "acme", model: "even", tier: "one" },
            { id: "c", provider: "acme", model: "fine" },
          ],
          floor: "c",
          retry: { maxAttempts: 2 },
        },
      },
    };
    await api.fetch("/api/plans/publish", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ document, basedOn: 0, reason: "a test" }),
    });
    await api.database.sql`update plan set published_at = ${AS_OF}`;
    const { chains } = await askOrders({ asOf: AS_OF, zone: "UTC", chain: "planned" });
    expect(chains).toMatchObject([
      {
        chain: "planned",
        verdict: "advise",
        attempts: 2,
        targets: [
          { id: "a", tier: 0 },
          { id: "b", tier: 0 },
        ],
      },
    ]);
    expect((await askOrders({ asOf: "2026-11-15T23:00:00Z", chain: "planned" })).chains).toEqual([]);
  });

  it("says which parameter is wrong, and how it should be", async () => {
    for (const [query, pointer] of [
      ["asOf=yesterday", "?asOf"],
      ["hours=13", "?hours"],
      ["allowed=9", "?allowed"],
      ["allowed=9-11", "?allowed"],
      ["zone=Mars/Base", "?zone"],
    ]) {
      const response = await api.fetch(`/api/advice?${query}`);
      expect(response.status).toBe(422);
      expect((await response.json()).errors).toMatchObject([{ pointer }]);
    }
  });

  it("is not changed by anything that occurred at or after asOf, even within its quarter-hour", async () => {
    const asOfs = [AS_OF, "2026-11-13T09:37:00.000Z"];
    const before = await Promise.all(asOfs.map((asOf) => ask({ asOf })));
    const targets = "acme/nights,acme/even";
    const ordersBefore = await askOrders({ asOf: "2026-11-13T09:37:00.000Z", targets });
    await store([
      ...attempts("nights", asOfMs, 9, (ms) => (utcHour(ms) < 12 ? 0.95 : 0), 11),
      ...attempts("even", asOfMs, 9, (ms) => (utcHour(ms) < 12 ? 0.95 : 0), 12),
      ...attempts("later", asOfMs, 9, goodNights, 13),
      ...Array.from({ length: 500 }, (_, i) =>
        anEvent({
          eventId: `noise ${i}`,
          model: "nights",
          occurredAt: new Date(Date.parse("2026-11-13T09:37:00Z") + i * 1000).toISOString(),
          outcome: "capacity",
        }),
      ),
    ]);
    expect(await ask({ asOf: "2026-11-13T09:37:00.000Z" })).toEqual(before[1]);
    expect(await askOrders({ asOf: "2026-11-13T09:37:00.000Z", targets })).toEqual(ordersBefore);
    const at = (answer: { targets: { model: string }[] }, model: string) =>
      answer.targets.find((target) => target.model === model);
    // What was added on the 13th is of the past of the later one, but of its own model alone.
    expect(at(await ask({ asOf: AS_OF }), "even")).toEqual(at(before[0], "even"));
    expect((await ask({ asOf: AS_OF })).targets).toHaveLength(5);
  });
});

describe("exports", () => {
  const answerOf = async (path: string) => {
    const response = await api.fetch(`/api/exports/${path}`);
    return { status: response.status, ...(await response.json()) };
  };

  it("are of the plan in force and of the windows advised, and refuse what is not there", async () => {
    expect(await answerOf("litellm?chain=none")).toMatchObject({
      status: 422,
      errors: [{ pointer: "?chain" }],
    });
    const document = {
      timeZone: "UTC",
      chains: { main: { targets: [{ id: "a", provider: "acme", model: "nights" }], retry: { capMs: 1 } } },
    };
    const published = await api.fetch("/api/plans/publish", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ document, basedOn: 1, reason: "a test" }),
    });
    expect(published.status).toBe(201);
    const litellm = await answerOf("litellm?locale=zh");
    expect(litellm).toMatchObject({ status: 200, planVersion: 2, fileName: "config.yaml" });
    expect(litellm.content).toContain("model: acme/nights");
    expect(litellm.losses.map(({ loss }: { loss: string }) => loss)).toEqual(["waits", "keys"]);
    expect(await answerOf("json")).toMatchObject({ planVersion: 2, losses: [] });
    // By now the hours of that model do not repeat any more.
    expect(await answerOf("crontab?model=nights&zone=Asia/Tokyo&hours=2")).toMatchObject({
      status: 409,
      code: "nothing_to_export",
      detail: expect.stringContaining("nights"),
    });
    expect(await answerOf("toml")).toMatchObject({ status: 422, errors: [{ pointer: ":format" }] });
    expect(await answerOf("portkey?at=5")).toMatchObject({ status: 422, errors: [{ pointer: "?at" }] });
  });
});

describe("capacity for scripts", () => {
  it("says how busy it is, what is usual, and when next to call", async () => {
    await store(attempts("script", asOfMs - 25 * DAY, 35, goodNights, 21));
    const answer = await api.get("/v1/capacity?model=script&hours=2&zone=UTC");
    expect(Object.keys(answer).sort()).toEqual(["nextWindow", "now", "usual"]);
    expect(answer.now).toMatchObject({ state: "few" });
    expect(answer.usual).toMatchObject({ state: "enough" });
    const { from, to, expected } = answer.nextWindow;
    expect(Date.parse(to) - Date.parse(from)).toBe(2 * 3_600_000);
    expect(Date.parse(to)).toBeGreaterThan(api.clock.nowMs);
    expect(utcHour(Date.parse(from))).toBeGreaterThanOrEqual(0);
    expect(utcHour(Date.parse(from))).toBeLessThanOrEqual(5);
    expect(expected).toBeLessThan(0.08);
  });

  it("says that nothing is known of a model that was never called", async () => {
    expect(await api.get("/v1/capacity?model=none")).toEqual({
      now: { n: 0, k: 0, rate: null, low: null, high: null, state: "none" },
      usual: { n: 0, k: 0, rate: null, low: null, high: null, state: "none" },
      nextWindow: null,
    });
  });
});
