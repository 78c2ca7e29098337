import { randomUUID } from "node:crypto";
import type { AttemptEvent } from "@busyhour/sdk";
import { describe, expect, it } from "vitest";
import { createEpisodeJobs } from "../../server/episodes/job.ts";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;
const NOON = Date.parse("2026-11-25T12:00:00Z");
const api = await startTestServer({ nowMs: NOON + 180 * MINUTE });

/** An hour of requests from `fromMs` on, one each `everyMs`; each is tried until one finds room, three times at most. */
function hour(
  fromMs: number,
  model: string,
  everyMs: number,
  isShort: (i: number) => boolean,
  parts: Partial<AttemptEvent> = {},
) {
  return Array.from({ length: Math.floor((60 * MINUTE) / everyMs) }, (_, i) => {
    const requestId = randomUUID();
    const tries = isShort(i) ? 3 : 1;
    return Array.from({ length: tries }, (__, at) =>
      anEvent({
        model,
        requestId,
        attempt: at + 1,
        isFinal: at === tries - 1,
        occurredAt: new Date(fromMs + i * everyMs + at * 500).toISOString(),
        outcome: isShort(i) ? "capacity" : "ok",
        inFlight: i % 4,
        source: "batch",
        ...parts,
      }),
    );
  }).flat();
}

const often = (i: number) => i % 2 === 0;
const never = () => false;

await api.post([
  ...hour(NOON, "large", 10_000, often),
  ...hour(NOON, "small", 20_000, never),
  ...hour(NOON, "big", 20_000, never, { provider: "other" }),
  ...hour(NOON - WEEK, "large", 10_000, (i) => i % 60 === 0),
  ...hour(NOON - 120 * MINUTE, "large", 10_000, never),
  ...hour(NOON, "locked", 20_000, never, { outcome: "auth", provider: "third" }),
]);
await api.catchUp();
await createEpisodeJobs(api.server.core.jobSql).runLive(api.clock.nowMs);
const [episode] = (await api.get("/api/episodes?model=large")).episodes;
const at = (minute: number) => new Date(NOON + minute * MINUTE).toISOString();
const verdicts = (answer: { steps: { step: string; verdict: string }[] }) =>
  Object.fromEntries(answer.steps.map(({ step, verdict }) => [step, verdict]));

describe("a diagnosis", () => {
  it("goes through the steps in order, each with its numbers, and ends with what to do", async () => {
    const answer = await api.get(`/api/diagnosis?episode=${episode.id}&zone=UTC`);
    expect(answer.steps.map(({ step }: { step: string }) => step)).toEqual([
      "kind",
      "traffic",
      "attempts",
      "concurrency",
      "scope",
      "elsewhere",
    ]);
    expect(verdicts(answer)).toEqual({
      kind: "capacity",
      traffic: "usual",
      attempts: "storm",
      concurrency: "innocent",
      scope: "model",
      elsewhere: "both",
    });
    expect(answer).toMatchObject({ episode: episode.id, cause: "ownRetries", model: "large", endpoint: "" });
    const [kind, traffic, attempts, , scope, elsewhere] = answer.steps;
    expect(kind.capacity.rate).toBeCloseTo(0.75, 1);
    expect(traffic).toMatchObject({ weeks: 1 });
    expect(traffic.perHour).toBeGreaterThan(300);
    expect(attempts.perRequest).toBeCloseTo(2, 1);
    expect(attempts).toMatchObject({
      usualPerRequest: 1,
      unlinked: 0,
      layers: [{ source: "batch", chain: "" }],
    });
    // Calls that were refused for their key say nothing of room.
    expect(scope.targets.map((target: { model: string }) => target.model).sort()).toEqual([
      "big",
      "large",
      "small",
    ]);
    expect(elsewhere.model).toMatchObject({ capacity: { k: 0 } });
    expect(elsewhere.hour.from).toBe(at(-120));
    expect(answer.remedies.map(({ remedy }: { remedy: string }) => remedy)).toEqual([
      "retryLess",
      "useOther",
      "waitOut",
    ]);
    expect(answer.sentence).toMatch(/^large: 7\d\.\d % .*retries/);
  });

  it("is in Chinese where that is asked for, of any range, with the same verdicts", async () => {
    const query = `model=large&from=${at(0)}&to=${at(60)}&zone=UTC`;
    const [en, zh] = await Promise.all([
      api.get(`/api/diagnosis?${query}`),
      api.get(`/api/diagnosis?${query}&locale=zh`),
    ]);
    expect(zh.sentence).toContain("没有余量");
    expect([zh.cause, verdicts(zh)]).toEqual([en.cause, verdicts(en)]);
    expect(en.steps[1]).toMatchObject({ verdict: "usual", perHour: 360, usualPerHour: 360 });
  });

  it("holds a few minutes against weeks of which only quarter-hours are left", async () => {
    const query = `model=old&from=${at(0)}&to=${at(8)}`;
    await api.post([
      ...hour(NOON, "old", 10_000, often),
      ...[2, 3, 4].flatMap((weeks) => hour(NOON - weeks * WEEK, "old", 10_000, never)),
    ]);
    await api.catchUp();
    const answer = await api.get(`/api/diagnosis?${query}`);
    expect(answer.steps[1]).toMatchObject({ verdict: "usual", perHour: 360, usualPerHour: 360, weeks: 3 });
  });

  it("tells a failure that is none of capacity, and a time without any", async () => {
    const locked = await api.get(`/api/diagnosis?model=locked&from=${at(0)}&to=${at(60)}`);
    expect(locked).toMatchObject({ cause: "notCapacity", remedies: [{ remedy: "mendFailure" }] });
    const calm = await api.get(`/api/diagnosis?model=small&from=${at(0)}&to=${at(60)}`);
    expect(calm).toMatchObject({ cause: "none", remedies: [{ remedy: "nothing" }] });
    const all = await api.get(`/api/diagnosis?from=${at(0)}&to=${at(60)}`);
    expect(all).toMatchObject({ model: null, cause: "ownTraffic" });
    expect(all.sentence).toMatch(/^All models: /);
    const nothing = await api.get(`/api/diagnosis?model=large&from=${at(-600)}&to=${at(-540)}`);
    expect(nothing).toMatchObject({ cause: "tooFew" });
  });

  it("says what it needs", async () => {
    for (const [query, status, pointer] of [
      ["model=large&from=2026-09-01T00:00:00Z", 422, "?from"],
      [`episode=${episode.id}&model=large`, 422, "?model"],
      ["episode=999999", 404, undefined],
      ["model=missing", 422, "?model"],
      ["provider=third&model=large", 422, "?provider"],
    ] as const) {
      const response = await api.fetch(`/api/diagnosis?${query}`);
      const problem = await response.json();
      expect([response.status, problem.errors?.[0].pointer]).toEqual([status, pointer]);
    }
  });
});
