import { beforeEach, describe, expect, it } from "vitest";
import { createSweep } from "../../server/queue/sweep.ts";
import { runQueueUpkeep } from "../../server/queue/upkeep.ts";
import { createKeyring } from "../../server/secrets/keyring.ts";
import { createSecrets, payloadPlace } from "../../server/secrets/secrets.ts";
import { startTestServer } from "../support/server.ts";
import { createQueueClient, references } from "./support.ts";

const api = await startTestServer();
const client = createQueueClient(api);
const START_MS = api.clock.nowMs;
const at = (ms: number) => new Date(START_MS + ms).toISOString();
let queues = 0;
let queue = "";
beforeEach(() => {
  api.clock.nowMs = START_MS;
  queue = `q${++queues}`;
});
const submit = (jobs: readonly object[], defaults: object = {}) =>
  client.submit(jobs, { queue, ...defaults });
const lease = (parts: object = {}) => client.lease({ queue, limit: 10, ...parts });
const leaseOne = async (parts: object = {}) => {
  const [job] = (await lease({ limit: 1, ...parts })).jobs;
  if (job === undefined) throw new Error("nothing was ready");
  return job;
};
const kinds = async (id: number) => (await client.get(id)).life.map(({ is }) => is);

describe("submitting", () => {
  it("gives a job for each, and the one that is there for a key that came before", async () => {
    const { jobs } = await client.ok("POST", "/v1/jobs", {
      defaults: { queue },
      jobs: [{ key: "a", reference: "one" }, { reference: "two" }, { key: "a", reference: "three" }],
    });
    expect(jobs.map(({ isNew }: { isNew: boolean }) => isNew)).toEqual([true, true, false]);
    expect(jobs[2].id).toBe(jobs[0].id);
    const again = await client.ok("POST", "/v1/jobs", { jobs: [{ queue, key: "a", reference: "four" }] });
    expect(again.jobs).toEqual([{ id: jobs[0].id, key: "a", isNew: false }]);
    // Keys are of their queue.
    const [other] = await submit([{ key: "a", queue: `${queue}b` }]);
    expect(other).not.toBe(jobs[0].id);
    expect((await client.get(jobs[0].id)).reference).toBe("one");
  });

  it("knows a key as long as its job is kept, also when it is done", async () => {
    const [id] = await submit([{ key: "once" }]);
    const job = await leaseOne();
    await client.complete(job.id, job.token);
    expect(await submit([{ key: "once" }])).toEqual([id]);
    expect((await lease()).jobs).toEqual([]);
  });

  it("stores all of a request or nothing, and points at what is wrong", async () => {
    const answer = await client.call("POST", "/v1/jobs", {
      defaults: { queue },
      jobs: [
        { reference: "good" },
        { when: "offPeak" },
        { when: at(10_000), notAfter: at(5_000) },
        { notAfter: at(-1) },
        { notify: 99 },
      ],
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/jobs/1/when",
      "/jobs/2/notAfter",
      "/jobs/3/notAfter",
    ]);
    const unknown = await client.call("POST", "/v1/jobs", { jobs: [{ queue, notify: 99 }] });
    expect(unknown.body.errors[0].pointer).toBe("/jobs/0/notify");
    expect((await client.ok("GET", `/v1/jobs?queue=${queue}`)).jobs).toEqual([]);
  });

  it("takes no payload until payloads are switched on, and says how", async () => {
    const refused = await client.call("POST", "/v1/jobs", { jobs: [{ queue, payload: { text: "x" } }] });
    expect(refused.status).toBe(409);
    expect(refused.body.code).toBe("payloads_not_stored");
    expect(refused.body.detail).toContain("/api/queues/settings");
    expect(refused.body.detail).toContain("reference");
  });
});

describe("payloads", () => {
  const settings = { storesPayloads: true, payloadHours: 2, keptDays: 7, deadKeptDays: 30 };
  const stored = async () => (await api.database.sql`select sealed from job_payload`) as { sealed: Buffer }[];

  it("are encrypted, shown to the worker alone, and gone when the job is done", async () => {
    await client.ok("PUT", "/api/queues/settings", settings);
    const payload = { text: "four hundred words", n: [1, null, "ä"] };
    const [id = 0] = await submit([{ payload }]);
    const [row] = await stored();
    expect(row?.sealed.includes("four hundred")).toBe(false);
    const seen = await client.get(id);
    expect(JSON.stringify(seen)).not.toContain("four hundred");
    expect(seen.payloadBytes).toBe(Buffer.byteLength(JSON.stringify(payload)));
    const job = await leaseOne();
    expect(job.payload).toEqual(payload);
    await client.complete(id, job.token);
    expect(await stored()).toEqual([]);
    expect((await client.get(id)).payloadBytes).toBeNull();
  });

  it("that are gone before the job ran leave it dead, and those of dead jobs stay for another try", async () => {
    const [kept = 0] = await submit([{ payload: 1, maxAttempts: 1 }]);
    const job = await leaseOne();
    await client.fail(kept, job.token, { error: "no" });
    expect(await stored()).toHaveLength(1);
    await client.ok("POST", "/v1/jobs/retry", { ids: [kept] });
    api.clock.nowMs += 3 * 3_600_000;
    await runQueueUpkeep(api.server.core.queueSql, api.clock.nowMs);
    expect(await stored()).toEqual([]);
    expect((await lease()).jobs).toEqual([]);
    await expect.poll(async () => (await client.get(kept)).state).toBe("dead");
    expect((await client.get(kept)).error).toContain("payload is gone");
  });

  it("are encrypted anew with the other secrets, and open with the new key alone", async () => {
    const { sql } = api.database;
    const open = (...setting: string[]) => createSecrets(sql, createKeyring({ setting, dataDir: undefined }));
    const [older, newer] = ["a".repeat(40), "b".repeat(40)] as const;
    const place = payloadPlace({ projectId: 1, jobId: 7 });
    const { keyId, sealed } = open(older).seal(place, "kept");
    await sql`
      insert into job_payload (project_id, job_id, key_id, sealed, expires_at)
      values (1, 7, ${keyId}, ${sealed}, ${new Date(START_MS)})`;
    expect((await open(newer, older).rotate()).rotated).toBe(1);
    const [row] = await sql<{ keyId: string; sealed: Buffer }[]>`
      select key_id as "keyId", sealed from job_payload where job_id = 7`;
    expect(open(newer).unseal(place, row as { keyId: string; sealed: Buffer })).toBe("kept");
    await sql`delete from job_payload`;
  });

  it("are refused where the job may run later than they are kept, or are too large", async () => {
    const late = await client.call("POST", "/v1/jobs", {
      jobs: [
        { queue, payload: 1, notAfter: at(3 * 3_600_000) },
        { queue, payload: "x".repeat(256 * 1024) },
        { queue, payload: JSON.parse(`${"[".repeat(101)}${"]".repeat(101)}`) },
      ],
    });
    expect(late.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/jobs/0/payload",
      "/jobs/1/payload",
      "/jobs/2/payload",
    ]);
    const deepest = `${"[".repeat(100)}1${"]".repeat(100)}`;
    await submit([{ payload: JSON.parse(deepest) }]);
    const job = await leaseOne();
    expect(JSON.stringify(job.payload)).toBe(deepest);
    await client.complete(job.id, job.token);
    // As deep as a body can be.
    const deep = await api.fetch("/v1/jobs", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: `{"jobs":[{"payload":${"[".repeat(100_000)}${"]".repeat(100_000)}}]}`,
    });
    expect(deep.status).toBe(422);
  });

  it("go at once when they are switched off", async () => {
    await submit([{ payload: 1 }]);
    await client.ok("PUT", "/api/queues/settings", { ...settings, storesPayloads: false });
    expect(await stored()).toEqual([]);
    const { entries } = await api.get("/api/audit?action=queue.changed");
    expect(entries[0].after).toEqual({ storesPayloads: false, deletedPayloads: 1 });
  });
});

describe("lanes", () => {
  it("that another server has forgotten are made anew", async () => {
    await submit([{ submitter: "x" }]);
    await lease();
    await api.database.sql`delete from job_lane where queue = ${queue}`;
    await submit([{ submitter: "x", reference: "again" }]);
    expect(references(await lease())).toEqual(["again"]);
  });
});

describe("leasing", () => {
  it("gives jobs in order, each to one worker, and tells the worker what it needs", async () => {
    await submit([{ reference: "a", key: "k" }, { reference: "b" }, { reference: "c" }], {
      chain: "default",
      notAfter: at(7_200_000),
    });
    const first = await lease({ limit: 2, leaseMs: 30_000 });
    expect(references(first)).toEqual(["a", "b"]);
    expect(first.jobs[0]).toEqual({
      id: first.jobs[0]?.id,
      token: expect.any(String),
      leasedUntil: at(30_000),
      queue,
      submitter: "admin token",
      idempotencyKey: "k",
      reference: "a",
      target: null,
      chain: "default",
      attempt: 1,
      failures: 0,
      maxAttempts: 5,
      notAfter: at(7_200_000),
      expectedMs: 60_000,
      isDue: false,
      submittedAt: at(0),
    });
    expect(references(await lease())).toEqual(["c"]);
    const none = await lease();
    expect(none).toEqual({ jobs: [], now: at(0), nextAt: null });
  });

  it("shares what there is among those who ask at once", async () => {
    await submit(Array.from({ length: 6 }, (_, i) => ({ reference: String(i) })));
    const request = { queue, limit: 100, leaseMs: 60_000, wait: 0 };
    const { signal } = new AbortController();
    const answers = await Promise.all(
      ["a", "b", "c"].map((worker) => api.server.queue.leases.take(1, { ...request, worker }, signal)),
    );
    expect(answers.map((jobs) => jobs.length)).toEqual([2, 2, 2]);
    expect(new Set(answers.flat().map(({ id }) => id)).size).toBe(6);
  });

  it("gives submitters turns: many jobs of one do not hold up few of another", async () => {
    await submit(
      Array.from({ length: 50 }, () => ({ reference: "many" })),
      { submitter: "many" },
    );
    await submit(
      Array.from({ length: 5 }, () => ({ reference: "few" })),
      { submitter: "few" },
    );
    const taken = references(await lease({ limit: 11 }));
    expect(taken.filter((one) => one === "few").length).toBeGreaterThanOrEqual(5);
    // One at a time it is the same.
    await submit(
      Array.from({ length: 5 }, () => ({ reference: "few" })),
      { submitter: "few" },
    );
    const singly = [];
    for (let i = 0; i < 11; i++) singly.push(...references(await lease({ limit: 1 })));
    expect(singly.filter((one) => one === "few")).toHaveLength(5);
  });

  it("takes the important ones of a submitter first, but one in eight is the oldest", async () => {
    const [old] = await submit([{ reference: "old", priority: "low" }]);
    await submit(Array.from({ length: 20 }, () => ({ reference: "new", priority: "high" })));
    const order: number[] = [];
    for (let i = 0; i < 8; i++) order.push((await leaseOne()).id);
    expect(order).toContain(old);
    expect(order.indexOf(old as number)).toBe(7);
  });

  it("lets a job wait for its time, and not a moment longer", async () => {
    await submit([{ reference: "later", when: at(60_000) }]);
    expect(await lease()).toMatchObject({ jobs: [], nextAt: at(60_000) });
    api.clock.nowMs += 59_999;
    expect((await lease()).jobs).toEqual([]);
    api.clock.nowMs += 1;
    expect(references(await lease())).toEqual(["later"]);
  });

  it("answers a worker that waits as soon as something is handed over", async () => {
    const waiting = lease({ wait: 30 });
    await submit([{ reference: "fresh" }]);
    expect(references(await waiting)).toEqual(["fresh"]);
  });

  it("takes back what nobody received: whoever asked was gone", async () => {
    const [id = 0] = await submit([{ reference: "x" }]);
    const gone = new AbortController();
    const request = { queue, worker: "w", limit: 1, leaseMs: 60_000, wait: 30 };
    const asked = api.server.queue.leases.take(1, request, gone.signal);
    // The statement is under way when the other end goes.
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    gone.abort();
    expect(await asked).toEqual([]);
    await expect.poll(() => kinds(id)).toEqual(["queued", "leased", "stopped"]);
    expect(references(await lease())).toEqual(["x"]);
  });
});

describe("the end of a lease", () => {
  it("is noted once, however often it is said", async () => {
    await submit([{ reference: "a" }]);
    const job = await leaseOne();
    const result = { reference: "s3://out/a", summary: "fine" };
    const [one, two] = await Promise.all([
      client.complete(job.id, job.token, result),
      client.complete(job.id, job.token, result),
    ]);
    const three = await client.complete(job.id, job.token, result);
    for (const { status, body } of [one, two, three]) {
      expect(status).toBe(200);
      expect(body).toEqual({ id: job.id, state: "completed", readyAt: null });
    }
    expect(await client.get(job.id)).toMatchObject({
      state: "completed",
      result,
      finishedAt: at(0),
      worker: "w1",
    });
    expect(await kinds(job.id)).toEqual(["queued", "leased", "completed"]);
  });

  it("belongs to whoever has the lease: another token is answered 409, another job 404", async () => {
    await submit([{}]);
    const job = await leaseOne();
    const other = "00000000-0000-4000-8000-000000000000";
    for (const answer of [
      await client.complete(job.id, other),
      await client.fail(job.id, other),
      await client.release(job.id, other),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.body.code).toBe("lease_lost");
    }
    expect((await client.complete(job.id + 1_000_000, job.token)).body.code).toBe("no_such_job");
    expect((await client.get(job.id)).state).toBe("leased");
  });

  it("by failure puts the job off, longer each time, until it is dead; it can be queued again", async () => {
    const [id = 0] = await submit([{ maxAttempts: 3 }]);
    const pauses: number[] = [];
    for (let i = 0; i < 3; i++) {
      const job = await leaseOne();
      expect(job.failures).toBe(i);
      const { body } = await client.fail(id, job.token, {
        error: "boom at key sk-1234567890abcdef1234567890",
      });
      if (body.readyAt !== null) {
        pauses.push(Date.parse(body.readyAt) - api.clock.nowMs);
        expect((await client.get(id)).wait).toMatchObject({ reason: "failed", until: body.readyAt });
        expect((await lease()).jobs).toEqual([]);
        api.clock.nowMs = Date.parse(body.readyAt);
      }
    }
    expect(pauses).toEqual([10_000, 20_000]);
    const dead = await client.get(id);
    expect(dead).toMatchObject({ state: "dead", failures: 3, attempts: 3 });
    expect(dead.error).not.toContain("sk-1234567890");
    expect(await client.ok("POST", "/v1/jobs/retry", { queue })).toEqual({
      retried: 1,
      untouched: 0,
      isMore: false,
    });
    const again = await leaseOne();
    expect(again).toMatchObject({ id, attempt: 4, failures: 0 });
    await client.complete(id, again.token);
    expect(await kinds(id)).toEqual([
      "queued",
      "leased",
      "failed",
      "leased",
      "failed",
      "leased",
      "dead",
      "retried",
      "leased",
      "completed",
    ]);
  });

  it("for want of room is no failure, and is waited for as long as the worker says", async () => {
    const [id = 0] = await submit([{ maxAttempts: 1 }]);
    for (const delayMs of [1_000, 60_000]) {
      const job = await leaseOne();
      await client.release(id, job.token, { delayMs, error: "engine_overloaded" });
      api.clock.nowMs += delayMs - 1;
      expect((await lease()).jobs).toEqual([]);
      api.clock.nowMs += 1;
    }
    expect(await client.get(id)).toMatchObject({ state: "waiting", failures: 0, busy: 2, attempts: 2 });
    const job = await leaseOne();
    await client.release(id, job.token, { reason: "stopped" });
    expect((await leaseOne()).id).toBe(id);
  });

  it("comes by itself when nothing is heard, counts as a failure, and the late worker is told", async () => {
    const sweep = createSweep(api.server.queue);
    const [id = 0] = await submit([{ maxAttempts: 2 }]);
    await sweep.run(api.clock.nowMs);
    const job = await leaseOne({ leaseMs: 30_000 });
    for (let second = 5; second <= 30; second += 5) await sweep.run(START_MS + second * 1_000);
    api.clock.nowMs += 30_001;
    expect((await client.get(id)).state).toBe("waiting");
    expect((await client.complete(id, job.token)).status).toBe(409);
    expect((await client.extend([job])).leases).toEqual([{ id, is: "lost", leasedUntil: null }]);
    const next = await leaseOne({ worker: "w2" });
    expect((await client.complete(id, job.token)).status).toBe(409);
    expect((await client.complete(id, next.token)).status).toBe(200);
    expect(await kinds(id)).toEqual(["queued", "leased", "lost", "leased", "completed"]);
  });

  it("does not come while the worker extends it", async () => {
    const sweep = createSweep(api.server.queue);
    const [id = 0] = await submit([{}]);
    const job = await leaseOne({ leaseMs: 30_000 });
    for (let i = 0; i < 20; i++) {
      api.clock.nowMs += 10_000;
      const { leases } = await client.extend([job], { leaseMs: 30_000 });
      expect(leases).toEqual([
        { id, is: "held", leasedUntil: new Date(api.clock.nowMs + 30_000).toISOString() },
      ]);
      await sweep.run(api.clock.nowMs);
    }
    expect((await client.complete(id, job.token)).status).toBe(200);
  });
});

describe("cancelling", () => {
  it("ends what waits at once, and asks workers for the rest", async () => {
    const [first = 0, second = 0] = await submit([{ reference: "a" }, { reference: "b" }]);
    const job = await leaseOne();
    const answer = await client.ok("POST", "/v1/jobs/cancel", { ids: [first, second, 987_654_321] });
    expect(answer).toEqual({ cancelled: 1, asked: 1, untouched: 1, isMore: false });
    expect((await client.get(second)).state).toBe("cancelled");
    expect(await client.get(first)).toMatchObject({ state: "leased", isCancelAsked: true });
    expect((await client.extend([job])).leases[0].is).toBe("cancel");
    expect((await client.release(first, job.token, { reason: "stopped" })).body.state).toBe("cancelled");
    expect(await kinds(first)).toEqual(["queued", "leased", "cancelAsked", "cancelled"]);
    const { entries } = await api.get("/api/audit?action=jobs.cancelled");
    expect(entries[0]).toMatchObject({ subject: { name: "3 jobs" }, after: { cancelled: 1, asked: 1 } });
  });

  it("comes too late for what is completed all the same", async () => {
    const [id = 0] = await submit([{}]);
    const job = await leaseOne();
    await client.ok("POST", "/v1/jobs/cancel", { queue });
    expect((await client.complete(id, job.token)).body.state).toBe("completed");
  });
});

describe("looking up", () => {
  it("waits for the end of a job, and no longer than it is asked to", async () => {
    const [id = 0] = await submit([{}]);
    const waiting = client.ok("GET", `/v1/jobs/${id}?wait=30`);
    const job = await leaseOne();
    await client.complete(id, job.token);
    expect((await waiting).state).toBe("completed");
  });

  it("lists what is live and what is finished in one order, by page, state, submitter and key", async () => {
    const ids = await submit(
      Array.from({ length: 6 }, (_, i) => ({ key: `k${i}`, submitter: i < 3 ? "a" : "b" })),
    );
    const { jobs } = await lease({ limit: 3 });
    for (const { id, token } of jobs.slice(0, 2)) await client.complete(id, token);
    const list = async (query: string) => client.ok("GET", `/v1/jobs?queue=${queue}&${query}`);
    const idsOf = (answer: { jobs: { id: number }[] }) => answer.jobs.map(({ id }) => id);
    const first = await list("limit=4");
    const second = await list(`limit=4&cursor=${first.next}`);
    expect([...idsOf(first), ...idsOf(second)]).toEqual([...ids].reverse());
    expect(second.next).toBeNull();
    expect(idsOf(await list("state=finished"))).toHaveLength(2);
    expect(idsOf(await list("state=completed"))).toHaveLength(2);
    expect(idsOf(await list("state=leased"))).toHaveLength(1);
    expect(idsOf(await list("state=waiting"))).toHaveLength(3);
    expect(idsOf(await list("state=live"))).toHaveLength(4);
    expect(idsOf(await list("submitter=a"))).toEqual(ids.slice(0, 3).reverse());
    expect(idsOf(await list("key=k4"))).toEqual([ids[4]]);
  });
});

describe("upkeep", () => {
  it("forgets finished jobs with their keys after their time, dead ones later", async () => {
    const [done = 0, dead = 0] = await submit([{ key: "x" }, { maxAttempts: 1 }]);
    for (const job of (await lease()).jobs)
      await (job.id === done ? client.complete(job.id, job.token) : client.fail(job.id, job.token));
    api.clock.nowMs += 8 * 86_400_000;
    await runQueueUpkeep(api.server.core.queueSql, api.clock.nowMs);
    expect((await client.call("GET", `/v1/jobs/${done}`)).body.code).toBe("no_such_job");
    expect((await client.get(dead)).state).toBe("dead");
    const [fresh] = await submit([{ key: "x" }]);
    expect(fresh).not.toBe(done);
    api.clock.nowMs += 30 * 86_400_000;
    await runQueueUpkeep(api.server.core.queueSql, api.clock.nowMs);
    expect((await client.call("GET", `/v1/jobs/${dead}`)).status).toBe(404);
  });
});
