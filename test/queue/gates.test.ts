import type { AttemptEvent } from "@busyhour/sdk";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createKeptAnswers } from "../../server/advice/kept/kept-answers.ts";
import { createEpisodeJobs } from "../../server/episodes/job.ts";
import { findVersion } from "../../server/plans/plans.ts";
import { type GateDeps, judgeGates } from "../../server/queue/judge-gates.ts";
import { createSweep } from "../../server/queue/sweep.ts";
import { startServer } from "../../server/server.ts";
import { createRandom } from "../bench/support/numbers.ts";
import { anEvent } from "../support/events.ts";
import { ADMIN_TOKEN, startTestServer } from "../support/server.ts";
import { createQueueClient, references } from "./support.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday. */
const MONDAY = Date.parse("2026-11-16T00:00:00Z");
const api = await startTestServer({ nowMs: MONDAY });
const { core, queue: parts } = api.server;
const client = createQueueClient(api);
const at = (ms: number) => new Date(ms).toISOString();

const gates: GateDeps = {
  sql: core.jobSql,
  readSql: core.readSql,
  kept: createKeptAnswers({ readSql: core.readSql, sql: core.jobSql }),
  findPlan: (projectId, version) => findVersion(core.db, projectId, version),
  onChanged: (projectId) => parts.leases.notice(projectId),
};
/** Moves time on, and has the gates judged as the clock would. */
async function judgeAt(ms: number): Promise<void> {
  api.clock.nowMs = ms;
  await judgeGates(gates, ms);
}

/** Six calls an hour. */
function calls(model: string, fromMs: number, days: number, shareAt: (ms: number) => number): AttemptEvent[] {
  const random = createRandom(7);
  return Array.from({ length: days * 144 }, (_, i) => {
    const ms = fromMs + i * 600_000 + Math.floor(random() * 600_000);
    const outcome = random() < shareAt(ms) ? "capacity" : "ok";
    return anEvent({ eventId: `${model} ${i}`, occurredAt: at(ms), model, outcome });
  });
}
/** Calls of some minutes, by which it is told how a model is now. */
const present = (model: string, fromMs: number, minutes: number, isShort: boolean, perMinute = 3) =>
  Array.from({ length: perMinute * minutes }, (_, i) =>
    anEvent({
      eventId: `${model} now ${fromMs} ${i}`,
      occurredAt: at(fromMs + Math.floor(i / perMinute) * MINUTE + (i % perMinute) * 1_000),
      model,
      outcome: isShort && i % 2 === 0 ? "capacity" : "ok",
    }),
  );

const nights = { provider: "acme", model: "nights" };
const lease = (queue: string, limit = 100) => client.lease({ queue, limit });
const gateOf = async (queue: string) => (await client.ok("GET", `/api/queues?queue=${queue}`)).gates[0];

beforeAll(async () => {
  await api.post(
    calls("nights", MONDAY - 35 * DAY, 35, (ms) => (new Date(ms).getUTCHours() < 7 ? 0.01 : 0.25)),
  );
  await api.post(calls("fresh", MONDAY - 3 * DAY, 3, () => 0.02));
  await api.catchUp();
});

/** Of the first window after Monday noon. */
let opensMs = 0;

describe("work for a good time", () => {
  it("waits for the next window, is told until when, and goes when it opens: no job is touched", async () => {
    const startMs = MONDAY + 13 * HOUR;
    api.clock.nowMs = startMs;
    const [id = 0] = await client.submit([{ reference: "a" }, { reference: "b" }], {
      queue: "window",
      when: "offPeak",
      target: nights,
    });
    expect((await client.get(id)).wait).toMatchObject({ reason: "notJudged" });
    await judgeAt(startMs);
    const { wait } = await client.get(id);
    expect(wait).toMatchObject({ reason: "beforeWindow", since: at(startMs) });
    opensMs = Date.parse(wait?.until ?? "");
    expect(opensMs).toBeGreaterThan(startMs);
    expect(new Date(opensMs).getUTCHours()).toBeLessThan(5);
    expect(wait?.expected).toBeLessThan(0.05);
    expect(await lease("window")).toMatchObject({ jobs: [], nextAt: at(opensMs) });

    const depth = await client.ok("GET", "/api/queues?queue=window");
    expect(depth.queues[0]).toMatchObject({ ready: 0, held: 2, scheduled: 0, leased: 0 });
    const runs = depth.ahead.filter(({ jobs }: { jobs: { held: number } }) => jobs.held > 0);
    expect(runs).toMatchObject([{ from: at(opensMs), isGood: true, jobs: { held: 2 } }]);
    const busy = depth.ahead.find(({ from }: { from: string }) => from === at(MONDAY + 15 * HOUR));
    expect(busy).toMatchObject({ isGood: false });
    expect(busy.expected).toBeGreaterThan(0.15);
    expect(runs[0].expected).toBeLessThan(0.05);

    const [untouched] = await api.database.sql`select xmin::text from job where id = ${id}`;
    await judgeAt(opensMs - MINUTE);
    expect((await lease("window")).jobs).toEqual([]);
    await judgeAt(opensMs);
    expect(await api.database.sql`select xmin::text from job where id = ${id}`).toEqual([untouched]);
    expect(references(await lease("window"))).toEqual(["a", "b"]);
    const { life } = await client.get(id);
    expect(life.map(({ is, reason }) => [is, reason])).toEqual([
      ["queued", null],
      ["held", "beforeWindow"],
      ["letGo", "inWindow"],
      ["leased", null],
    ]);
  });

  it("is held by an episode in its window, and goes when that is over", async () => {
    const startMs = opensMs + 40 * MINUTE;
    await client.submit([{ reference: "held" }], { queue: "episode", when: "offPeak", target: nights });
    const episodes = createEpisodeJobs(core.jobSql);
    api.clock.nowMs = startMs;
    await api.post(present("nights", startMs - 30 * MINUTE, 30, true));
    await api.catchUp();
    await episodes.runLive(startMs);
    await judgeAt(startMs);
    expect(await gateOf("episode")).toMatchObject({ isOpen: false, reason: "episode", until: null });
    expect((await lease("episode")).jobs).toEqual([]);
    const overMs = startMs + 70 * MINUTE;
    api.clock.nowMs = overMs;
    await api.post(present("nights", startMs, 70, false));
    await api.catchUp();
    await episodes.runLive(overMs);
    await judgeAt(overMs);
    expect(await gateOf("episode")).toMatchObject({ isOpen: true, reason: "inWindow" });
    expect(references(await lease("episode"))).toEqual(["held"]);
  });

  it("goes whatever the hour when its latest time comes, and not a moment before", async () => {
    const startMs = MONDAY + DAY + 13 * HOUR;
    await judgeAt(startMs);
    const dueMs = startMs + 20 * HOUR;
    const ids = await client.submit(
      [{ reference: "late", notAfter: at(dueMs), expectedMs: 10 * MINUTE }, {}],
      {
        queue: "due",
        when: "offPeak",
        target: nights,
      },
    );
    // An episode without end, so that no window opens before.
    await api.database.sql`
      insert into episode (project_id, provider, model, endpoint, opened_at, last_seen_at, attempt_count, error_count,
             request_count, peak_ratio, is_settled)
      values (1, 'acme', 'nights', '', ${new Date(startMs)}, ${new Date(startMs + 2 * DAY)}, 9, 9, 9, 1, false)`;
    await judgeAt(dueMs - 10 * MINUTE - 1);
    expect((await lease("due")).jobs).toEqual([]);
    api.clock.nowMs += 1;
    const { jobs } = await lease("due");
    expect(jobs).toMatchObject([{ id: ids[0], isDue: true }]);
    await api.database.sql`delete from episode where opened_at = ${new Date(startMs)}`;
  });

  it("whose next window is too late goes when it is calm", async () => {
    const startMs = MONDAY + 2 * DAY + 13 * HOUR;
    await judgeAt(startMs);
    await client.submit([{ reference: "calm", notAfter: at(startMs + 3 * HOUR) }, { reference: "night" }], {
      queue: "calm",
      when: "offPeak",
      target: nights,
    });
    await judgeAt(startMs + MINUTE);
    expect(references(await lease("calm"))).toEqual(["calm"]);
  });

  it("of which nothing is learnt goes while it is calm, and the reason says so", async () => {
    const startMs = MONDAY + 2 * DAY + 15 * HOUR;
    api.clock.nowMs = startMs;
    await client.submit([{ reference: "fresh" }], {
      queue: "fresh",
      when: "offPeak",
      target: { provider: "acme", model: "fresh" },
    });
    await judgeAt(startMs);
    expect(await gateOf("fresh")).toMatchObject({ isOpen: true, reason: "nothingLearnt" });
    // Where no server runs jobs any more, nobody knows whether it still is.
    api.clock.nowMs = startMs + 5 * MINUTE;
    expect((await lease("fresh")).jobs).toEqual([]);
    expect(await gateOf("fresh")).toMatchObject({ isOpen: false, reason: "notJudged" });
    await judgeAt(api.clock.nowMs);
    expect(references(await lease("fresh"))).toEqual(["fresh"]);
  });

  it("of a chain goes in a window of any of its targets", async () => {
    const targets = [
      { id: "a", provider: "acme", model: "nights" },
      { id: "b", provider: "acme", model: "fresh" },
    ];
    await client.ok("POST", "/api/plans/publish", {
      document: { timeZone: "UTC", chains: { both: { targets } } },
      basedOn: 0,
      reason: "a test",
    });
    const startMs = MONDAY + 2 * DAY + 16 * HOUR;
    api.clock.nowMs = startMs;
    await client.submit([{ reference: "chain" }], { queue: "chain", when: "offPeak", chain: "both" });
    await judgeAt(startMs);
    expect(await gateOf("chain")).toMatchObject({ isOpen: false, reason: "beforeWindow", chain: "both" });
    await judgeAt(Date.parse((await gateOf("chain")).until));
    expect(references(await lease("chain"))).toEqual(["chain"]);
  });

  it("goes little by little when it is calm out of season", async () => {
    const startMs = MONDAY + 3 * DAY + 13 * HOUR;
    api.clock.nowMs = startMs;
    await client.submit(
      Array.from({ length: 100 }, () => ({})),
      {
        queue: "season",
        when: "offPeak",
        target: nights,
      },
    );
    await api.post(present("nights", startMs - 60 * MINUTE, 120, false, 1));
    await api.catchUp();
    const taken: number[] = [];
    for (let minute = 0; minute < 20; minute++) {
      await judgeAt(startMs + minute * MINUTE);
      // Judged twice, as by two servers: no second portion.
      await judgeGates(gates, api.clock.nowMs + 1_000);
      taken.push((await lease("season")).jobs.length, (await lease("season")).jobs.length);
    }
    expect(taken.slice(0, 30)).toEqual(Array(30).fill(0));
    expect(taken.slice(30)).toEqual([5, 0, 7, 0, 9, 0, 10, 0, 10, 0]);
    expect(await gateOf("season")).toMatchObject({ reason: "unexpectedCalm", perMinute: 10 });
  });

  it("goes earlier where so much waits that latest times would be missed", async () => {
    const startMs = MONDAY + 4 * DAY + 8 * HOUR;
    await judgeAt(startMs);
    await api.post(present("nights", startMs - 60 * MINUTE, 60, true, 1));
    await api.catchUp();
    // Two a minute at the most: 120 jobs take 75 minutes of what is counted on.
    await client.lease({ queue: "drain", worker: "slow", limit: 1, concurrency: 1 });
    await client.submit(
      Array.from({ length: 120 }, () => ({ notAfter: at(startMs + 3 * HOUR) })),
      {
        queue: "drain",
        when: "offPeak",
        target: nights,
      },
    );
    await judgeAt(startMs + MINUTE);
    expect((await lease("drain")).jobs).toEqual([]);
    api.clock.nowMs = startMs + 105 * MINUTE;
    await client.lease({ queue: "drain", worker: "slow", limit: 1, concurrency: 1 });
    await judgeAt(startMs + 106 * MINUTE);
    const { jobs } = await lease("drain");
    expect(jobs.length).toBe(100);
    expect(jobs[0]).toMatchObject({ isDue: true });
  });
});

describe("latest times", () => {
  it("are kept by a worker that lives, though an episode lasts all day and no job may begin at once with all others", async () => {
    const startMs = MONDAY + 5 * DAY + 8 * HOUR;
    api.clock.nowMs = startMs;
    const episode = { openedAt: new Date(startMs), seenAt: new Date(startMs + DAY) };
    await api.database.sql`
      insert into episode (project_id, provider, model, endpoint, opened_at, last_seen_at, attempt_count, error_count,
             request_count, peak_ratio, is_settled)
      values (1, 'acme', 'nights', '', ${episode.openedAt}, ${episode.seenAt}, 9, 9, 9, 1, false)`;
    const random = createRandom(3);
    const takesMs = 2 * MINUTE;
    // A minute's work each, of two at once; the last hour of each day is the fullest.
    const ids = await client.submit(
      Array.from({ length: 90 }, () => ({
        notAfter: at(startMs + 80 * MINUTE + Math.floor(Math.sqrt(random()) * 80) * MINUTE),
        expectedMs: takesMs,
      })),
      { queue: "latest", when: "offPeak", target: nights },
    );
    const running = new Map<number, { token: string; endsMs: number }>();
    let firstMs = Number.POSITIVE_INFINITY;
    for (let minute = 0; minute <= 170; minute++) {
      const nowMs = startMs + minute * MINUTE;
      api.clock.nowMs = nowMs;
      for (const [id, { token, endsMs }] of running) {
        if (endsMs > nowMs) continue;
        await client.complete(id, token);
        running.delete(id);
      }
      if (minute % 4 === 0) await judgeGates(gates, nowMs);
      const free = 2 - running.size;
      if (free === 0) continue;
      const { jobs } = await client.lease({ queue: "latest", limit: free, concurrency: 2, leaseMs: 600_000 });
      for (const { id, token } of jobs) running.set(id, { token, endsMs: nowMs + takesMs });
      if (jobs.length > 0) firstMs = Math.min(firstMs, nowMs);
    }
    const done = await api.database.sql<{ late: boolean }[]>`
      select finished_at > not_after as late from job_done where id = any(${ids}::bigint[])`;
    expect(done).toHaveLength(ids.length);
    expect(done.filter(({ late }) => late)).toEqual([]);
    // It waited for as long as it could.
    expect(firstMs).toBeGreaterThan(startMs + 10 * MINUTE);
    await api.database.sql`delete from episode where opened_at = ${episode.openedAt}`;
  });
});

describe("two servers on one database", async () => {
  const clock = { nowMs: MONDAY + 6 * DAY };
  const other = await startServer({
    settings: { port: 0, host: "127.0.0.1", adminToken: ADMIN_TOKEN, roles: ["http"], rawRetentionDays: 400 },
    database: api.database,
    version: "test",
    webFolder: null,
    now: () => clock.nowMs,
    log: pino({ level: "silent" }),
  });
  afterAll(() => other.close());
  const there = createQueueClient({
    url: other.url,
    fetch: (path, init = {}) =>
      fetch(other.url + path, {
        ...init,
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...init.headers },
      }),
  });

  it("never give one job to two workers, whoever asks at once", async () => {
    api.clock.nowMs = clock.nowMs;
    const ids = await client.submit(
      Array.from({ length: 300 }, (_, i) => ({ submitter: `s${i % 7}` })),
      { queue: "two" },
    );
    const taken: number[] = [];
    while (taken.length < ids.length) {
      const answers = await Promise.all([
        client.lease({ queue: "two", limit: 20 }),
        there.lease({ queue: "two", worker: "w2", limit: 20 }),
        client.lease({ queue: "two", worker: "w3", limit: 20 }),
      ]);
      taken.push(...answers.flatMap(({ jobs }) => jobs.map(({ id }) => id)));
      expect(answers.some(({ jobs }) => jobs.length > 0)).toBe(true);
    }
    expect(new Set(taken).size).toBe(ids.length);
  });

  it("know each other's keys, and wake each other's waiting requests", async () => {
    const [[here], [elsewhere]] = await Promise.all([
      client.submit([{ key: "same" }], { queue: "wake" }),
      there.submit([{ key: "same" }], { queue: "wake" }),
    ]);
    expect(here).toBe(elsewhere);
    const job = (await there.lease({ queue: "wake", worker: "w2" })).jobs[0];
    const waiting = client.ok("GET", `/v1/jobs/${here}?wait=30`);
    await there.complete(job?.id ?? 0, job?.token ?? "");
    expect((await waiting).state).toBe("completed");
    const asked = client.lease({ queue: "wake", wait: 30 });
    await there.submit([{ reference: "x" }], { queue: "wake" });
    expect(references(await asked)).toEqual(["x"]);
  });

  it("lose no lease of a worker that lives when a clock jumps ahead by an hour, and keep none too long when it jumps back", async () => {
    const sweep = createSweep(parts);
    api.clock.nowMs = clock.nowMs;
    const [id = 0] = await client.submit([{}], { queue: "jump" });
    const tick = async (ms: number) => {
      api.clock.nowMs += ms;
      return sweep.run(api.clock.nowMs);
    };
    await tick(0);
    const job = (await client.lease({ queue: "jump" })).jobs[0];
    const held = { id, token: job?.token ?? "" };
    await tick(5_000);
    await tick(HOUR);
    expect((await client.get(id)).state).toBe("leased");
    expect((await client.extend([held])).leases[0].is).toBe("held");
    for (let i = 0; i < 5; i++) await tick(5_000);
    expect((await client.get(id)).state).toBe("leased");
    // Who does not speak in the third of a lease after such a jump has lost it.
    const [silent = 0] = await client.submit([{}], { queue: "silent" });
    await client.lease({ queue: "silent", leaseMs: 6_000 });
    await client.extend([held]);
    await tick(HOUR);
    await client.extend([held]);
    await tick(1_999);
    expect((await client.get(silent)).state).toBe("leased");
    await tick(1);
    expect((await client.get(silent)).state).toBe("waiting");
    await tick(-HOUR);
    // Back by an hour, and the worker dies: its lease is over within what a lease lasts.
    await tick(-HOUR);
    for (let i = 0; i < 13; i++) await tick(5_000);
    expect((await client.get(id)).state).toBe("waiting");
    // What failed before the jump back does not wait an hour for its next attempt.
    const next = (await client.lease({ queue: "jump" })).jobs[0];
    await client.fail(id, next?.token ?? "");
    await tick(-HOUR);
    await tick(5_000);
    expect((await client.lease({ queue: "jump" })).jobs).toHaveLength(1);
  });

  it("let no job run before its own time, however far a clock jumps, once it is right again", async () => {
    const startMs = MONDAY + 6 * DAY + 3 * HOUR;
    api.clock.nowMs = startMs;
    await client.submit([{ when: at(startMs + 2 * HOUR) }], { queue: "early" });
    for (const jump of [0, HOUR, -HOUR, 0]) {
      api.clock.nowMs = startMs + jump;
      await createSweep(parts).run(api.clock.nowMs);
      expect((await client.lease({ queue: "early" })).jobs).toEqual([]);
    }
    api.clock.nowMs = startMs + 2 * HOUR;
    expect((await client.lease({ queue: "early" })).jobs).toHaveLength(1);
  });
});
