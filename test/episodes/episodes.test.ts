import { randomUUID } from "node:crypto";
import type { AttemptEvent } from "@busyhour/sdk";
import { describe, expect, it } from "vitest";
import { createEpisodeJobs } from "../../server/episodes/job.ts";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const MINUTE = 60_000;
const NOON = Date.parse("2026-11-28T12:00:00Z");
const api = await startTestServer({ nowMs: NOON });
const jobs = createEpisodeJobs(api.server.core.jobSql);

/** Ten attempts a minute from NOON on; between two minutes half of them find no room. */
function calls(model: string, from: number, to: number, shortFrom: number, shortTo: number): AttemptEvent[] {
  return Array.from({ length: 10 * (to - from) }, (_, i) => {
    const minute = from + Math.floor(i / 10);
    return anEvent({
      eventId: `${model} ${minute} ${i % 10}`,
      model,
      occurredAt: new Date(NOON + minute * MINUTE + (i % 10) * 5_000).toISOString(),
      outcome: minute >= shortFrom && minute < shortTo && i % 2 === 0 ? "capacity" : "ok",
    });
  });
}

async function liveAt(minute: number, events: readonly AttemptEvent[] = []): Promise<void> {
  api.clock.nowMs = NOON + minute * MINUTE;
  if (events.length > 0) await api.post(events);
  await api.catchUp();
  await jobs.runLive(api.clock.nowMs);
}

const at = (minute: number) => new Date(NOON + minute * MINUTE).toISOString();
const listOf = async (model: string) => (await api.get(`/api/episodes?model=${model}`)).episodes;

describe("episodes", () => {
  it("open, go on, close, and are rewritten at night, under the same id", async () => {
    await liveAt(65, calls("large", 0, 65, 30, 90));
    const [open] = await listOf("large");
    expect(open).toMatchObject({
      model: "large",
      closedAt: null,
      lastSeenAt: at(65),
      isSettled: false,
      isProviderWide: false,
    });
    expect(open.openedAt).toBe(at(30));
    // A run over again changes nothing.
    await jobs.runLive(api.clock.nowMs);
    expect(await listOf("large")).toEqual([open]);

    await liveAt(120, calls("large", 65, 120, 30, 90));
    const [closed, ...others] = await listOf("large");
    expect(others).toEqual([]);
    expect(closed.id).toBe(open.id);
    expect(Date.parse(closed.closedAt)).toBeGreaterThanOrEqual(NOON + 88 * MINUTE);
    expect(Date.parse(closed.closedAt)).toBeLessThanOrEqual(NOON + 92 * MINUTE);

    api.clock.nowMs = Date.parse("2026-11-29T00:30:00Z");
    expect(await jobs.runNightly(api.clock.nowMs)).toBe(1);
    const settled = (await listOf("large"))[0];
    expect(settled).toEqual({
      id: open.id,
      provider: "acme",
      model: "large",
      endpoint: "",
      openedAt: at(30),
      closedAt: at(90),
      lastSeenAt: at(90),
      attempts: 600,
      errors: 300,
      requests: 300,
      peak: 0.5,
      isSettled: true,
      isProviderWide: false,
    });
    expect(await jobs.runNightly(api.clock.nowMs)).toBe(0);
    await jobs.runLive(api.clock.nowMs);
    expect(await listOf("large")).toEqual([settled]);
  });

  it("are closed by silence, and changed by what arrives late", async () => {
    api.clock.nowMs = NOON;
    await liveAt(60, calls("small", 0, 60, 40, 60));
    expect((await listOf("small"))[0].closedAt).toBeNull();
    await liveAt(200);
    expect((await listOf("small"))[0].closedAt).toBe(at(60));
    // It had ended earlier than the first report said.
    await liveAt(
      201,
      Array.from({ length: 600 }, (_, i) =>
        anEvent({ model: "small", occurredAt: new Date(NOON + 50 * MINUTE + i * 1_000).toISOString() }),
      ),
    );
    expect(Date.parse((await listOf("small"))[0].closedAt)).toBeLessThan(NOON + 60 * MINUTE);
  });

  it("of days that were seen already are found when their calls turn up, as of a file of past calls", async () => {
    const before = NOON - 3 * 24 * 60 * MINUTE;
    const past = calls("past", 0, 90, 30, 60).map((event) => {
      const occurredAt = new Date(Date.parse(String(event.occurredAt)) - (NOON - before)).toISOString();
      return { ...event, occurredAt };
    });
    api.clock.nowMs = Date.parse("2026-11-29T01:00:00Z");
    await api.catchUp();
    await jobs.runNightly(api.clock.nowMs);
    await api.post(past);
    await api.catchUp();
    expect(await listOf("past")).toEqual([]);
    expect(await jobs.runNightly(api.clock.nowMs)).toBe(1);
    expect(await listOf("past")).toMatchObject([{ isSettled: true, attempts: 300, errors: 150 }]);
    expect(await jobs.runNightly(api.clock.nowMs)).toBe(0);
    api.clock.nowMs = NOON;
  });

  it("are not told of a handful of calls", async () => {
    await liveAt(20, [
      anEvent({ model: "rare", occurredAt: at(5), outcome: "capacity" }),
      anEvent({ model: "rare", occurredAt: at(6), outcome: "capacity" }),
    ]);
    expect(await listOf("rare")).toEqual([]);
  });

  it("are the provider's where its models are short together", async () => {
    const provider = { provider: "wide" };
    const events = ["one", "two"].flatMap((model) =>
      calls(`wide-${model}`, 0, 60, 20, 50).map((event) => ({ ...event, ...provider })),
    );
    await liveAt(120, events);
    const { episodes } = await api.get("/api/episodes?model=wide-one");
    expect(episodes).toMatchObject([{ isProviderWide: true }]);
  });

  it("tell how long until there is room again, and how many tries it took", async () => {
    const attempts = (id: string, outcomes: readonly ("ok" | "capacity")[]) => {
      const requestId = randomUUID();
      return outcomes.map((outcome, i) =>
        anEvent({
          eventId: `${id} ${i}`,
          model: i === 0 ? "tries" : "other",
          requestId,
          attempt: i + 1,
          isFinal: i === outcomes.length - 1,
          outcome,
          occurredAt: at(10 + i),
        }),
      );
    };
    await liveAt(60, [
      ...attempts("a", ["capacity", "ok"]),
      ...attempts("b", ["capacity", "ok"]),
      ...attempts("c", ["capacity", "capacity", "ok"]),
      ...attempts("d", ["capacity", "capacity"]),
      ...attempts("e", ["ok"]),
    ]);
    const { targets } = await api.get(
      `/api/episodes?model=tries&zone=Asia/Kolkata&from=${at(-600)}&to=${at(600)}`,
    );
    expect(targets[0].tries).toEqual({
      p50: 2,
      counts: [
        { tries: 2, requests: 3, answered: 2 },
        { tries: 3, requests: 1, answered: 1 },
      ],
    });
    const large = await api.get(`/api/episodes?model=large&zone=Asia/Kolkata&from=${at(-600)}&to=${at(600)}`);
    expect(large.targets[0].recovery).toMatchObject({ minutesP50: 60, minutesP90: 60 });
    // 12:30 UTC is 18:00 in Kolkata.
    expect(large.targets[0].startHours[18]).toBe(1);
  });
});
