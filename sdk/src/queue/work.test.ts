import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FULL, fullFor, toClientError } from "../router/scripted-providers.ts";
import { afterPromises, createVirtualTime, type VirtualTime } from "../router/virtual-time.ts";
import { JobError } from "./job-error.ts";
import { ScriptedQueue } from "./scripted-queue.ts";
import type { HandleJob, QueueWorker, WorkOptions, WorkProblem } from "./types.ts";
import { work } from "./work.ts";

const START_MS = Date.parse("2026-11-30T15:00:00Z");
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let time: VirtualTime;
let queue: ScriptedQueue;
let problems: WorkProblem[];
const workers: QueueWorker[] = [];
beforeEach(() => {
  time = createVirtualTime(1, START_MS, afterPromises);
  queue = new ScriptedQueue(time, { pauseMs: (_, end) => ("delayMs" in end ? (end.delayMs ?? 15_000) : 0) });
  problems = [];
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await settle(worker.stop());
});

/** What the promise gives, after as much virtual time as that takes. */
async function settle<T>(promise: Promise<T>): Promise<T> {
  let isSettled = false;
  const noted = promise.finally(() => {
    isSettled = true;
  });
  noted.catch(() => {});
  for (let minutes = 0; !isSettled && minutes < 600; minutes++) await time.run(time.elapsed() + MINUTE);
  return noted;
}

function start(handler: HandleJob<unknown>, options: WorkOptions = {}): QueueWorker {
  const worker = work("q", handler, {
    url: "http://busyhour.test/base/",
    key: "k",
    name: `w${workers.length + 1}`,
    fetch: queue.fetch,
    system: time,
    onProblem: (problem) => problems.push(problem),
    ...options,
  });
  workers.push(worker);
  return worker;
}

const statesOf = () => queue.jobs.map(({ state }) => state);
const asked = (end: string) => queue.heard.filter(({ path }) => path.endsWith(end));
const jobs = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ key: `doc-${i + 1}`, payload: i + 1 }));
const thrown = (deed: unknown) => toClientError(deed as { status: number });
/** Ends with the signal, as clients do. */
const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

describe("a worker", () => {
  it("does each job once, and says where its outcome is", async () => {
    queue.submit(...jobs(40));
    const seen: unknown[] = [];
    const worker = start(async ({ payload, idempotencyKey, attempt }) => {
      await time.sleep(2 * SECOND);
      seen.push([payload, idempotencyKey, attempt]);
      return { reference: `s3://out/${payload}`, summary: `two\nlines` };
    });
    await time.run(5 * MINUTE);
    expect(seen).toHaveLength(40);
    expect(seen).toContainEqual([7, "doc-7", 1]);
    expect(statesOf()).toEqual(Array(40).fill("completed"));
    expect(queue.jobs[6]?.result).toEqual({ reference: "s3://out/7", summary: "two lines" });
    expect(worker.stats()).toMatchObject({
      completed: 40,
      failed: 0,
      inFlight: 0,
      waiting: { why: "noJobs" },
    });
    expect(problems).toEqual([]);
    expect(queue.heard[0]).toMatchObject({
      path: "/v1/jobs/lease",
      body: { queue: "q", worker: "w1", limit: 3, leaseMs: MINUTE, wait: 25 },
    });
  });

  it("takes no more at a time than it can begin, and ten at the most", async () => {
    queue.submit(...jobs(400));
    let [now, most] = [0, 0];
    start(async () => {
      most = Math.max(most, ++now);
      await time.sleep(5 * SECOND);
      now--;
    });
    await time.run(10 * MINUTE);
    expect(statesOf().every((state) => state === "completed")).toBe(true);
    expect(most).toBeGreaterThan(10);
    expect(Math.max(...asked("/lease").map(({ body }) => Number(body["limit"])))).toBe(10);
  });

  it("shares with the others who work on the queue", async () => {
    queue.submit(...jobs(300));
    const counts = [0, 0, 0];
    for (const i of counts.keys())
      start(async () => {
        await time.sleep(3 * SECOND);
        counts[i] = (counts[i] ?? 0) + 1;
      });
    await time.run(10 * MINUTE);
    expect(counts.reduce((sum, one) => sum + one, 0)).toBe(300);
    expect(Math.min(...counts)).toBeGreaterThan(60);
  });

  it("keeps the lease of what takes long", async () => {
    queue.submit({});
    start(() => time.sleep(9 * MINUTE));
    await time.run(10 * MINUTE);
    expect(queue.jobs[0]).toMatchObject({ state: "completed", attempts: 1 });
    expect(asked("/extend").length).toBeGreaterThanOrEqual(26);
  });

  it("is calmed by want of room: the job waits, it is no failure of its, and fewer are asked for", async () => {
    queue.submit(...jobs(200));
    let isFull = false;
    let calls = 0;
    const worker = start(async () => {
      calls++;
      await time.sleep(2 * SECOND);
      if (isFull) throw thrown(FULL);
    });
    await time.run(8 * SECOND);
    isFull = true;
    await time.run(30 * SECOND);
    const before = calls;
    expect(worker.stats().waiting?.why).toBe("capacity");
    await time.run(10 * MINUTE);
    // A pause of up to a minute after each that went ahead in vain.
    expect(calls - before).toBeLessThan(40);
    expect(queue.jobs.every(({ failures, state }) => failures === 0 && state !== "dead")).toBe(true);
    expect(asked("/release")[0]?.body).toMatchObject({
      reason: "busy",
      error: expect.stringContaining("capacity: "),
    });
    isFull = false;
    await time.run(HOUR);
    expect(statesOf().every((state) => state === "completed")).toBe(true);
  });

  it("passes a stated wait on", async () => {
    queue.submit({});
    let calls = 0;
    start(async () => {
      if (++calls === 1) throw thrown(fullFor(120));
    });
    await time.run(SECOND);
    const delayMs = asked("/release")[0]?.body["delayMs"];
    expect(delayMs).toBeGreaterThanOrEqual(120_000);
    expect(delayMs).toBeLessThanOrEqual(132_000);
    await time.run(5 * MINUTE);
    expect(statesOf()).toEqual(["completed"]);
  });

  it("fails a job for what is its own, at once and for good where it can only be refused", async () => {
    queue.submit(...jobs(30));
    start(async ({ payload }) => {
      await time.sleep(SECOND);
      if (payload === 1)
        throw thrown({ status: 400, body: { error: { message: "bad", code: "invalid_value" } } });
      if (payload === 2) throw new Error("a fault of the handler");
      if (payload === 3) throw new JobError("no such document", { isFinal: true });
      if (payload === 4 && queue.jobs[3]?.attempts === 1)
        throw new JobError("later", { isBusy: true, delayMs: 7_000 });
    });
    await time.run(HOUR);
    expect(queue.jobs.slice(0, 5).map(({ state, failures }) => [state, failures])).toEqual([
      ["dead", 1],
      ["dead", 5],
      ["dead", 1],
      ["completed", 0],
      ["completed", 0],
    ]);
    expect(problems).toContainEqual({
      code: "job",
      message: expect.stringContaining("no such document"),
      job: 3,
    });
  });

  it("counts nothing against jobs while nothing goes well for anybody", async () => {
    queue.submit(...jobs(50));
    let isBroken = true;
    start(async () => {
      await time.sleep(SECOND);
      if (isBroken) throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    });
    await time.run(30 * MINUTE);
    expect(queue.jobs.every(({ state, failures }) => state !== "dead" && failures === 0)).toBe(true);
    isBroken = false;
    await time.run(3 * HOUR);
    expect(statesOf().every((state) => state === "completed")).toBe(true);
  });

  it("but a job that is alone in failing dies at last", async () => {
    queue.submit({});
    start(() => {
      throw new Error("always");
    });
    await time.run(2 * HOUR);
    expect(queue.jobs[0]).toMatchObject({ state: "dead", failures: 5 });
  });

  it("tells the handler when the lease is lost, and says nothing more of the job", async () => {
    queue.submit({});
    let reason: unknown = null;
    const worker = start(async (_, { signal }) => {
      signal.addEventListener("abort", () => {
        reason = (signal.reason as Error).message;
      });
      await (queue.jobs[0]?.attempts === 1 ? hang(signal) : null);
    });
    await time.run(SECOND);
    const job = queue.jobs[0];
    if (job !== undefined) job.token = "somebody else's";
    await time.run(30 * SECOND);
    expect(reason).toBe("The lease was lost");
    expect(worker.stats()).toMatchObject({ lost: 1, failed: 0 });
    expect(queue.heard.filter(({ path }) => /complete|fail|release/.test(path))).toEqual([]);
  });

  it("tells the handler when the job was cancelled, and lets it go", async () => {
    queue.submit({});
    const worker = start((_, { signal }) => hang(signal));
    await time.run(SECOND);
    const job = queue.jobs[0];
    if (job !== undefined) job.isCancelAsked = true;
    await time.run(30 * SECOND);
    expect(statesOf()).toEqual(["cancelled"]);
    expect(worker.stats()).toMatchObject({ cancelled: 1, failed: 0, inFlight: 0 });
  });

  it("goes on while the server is away, and tells then what was done", async () => {
    queue.submit(...jobs(5));
    let done = 0;
    const worker = start(async () => {
      await time.sleep(20 * SECOND);
      done++;
    });
    await time.run(SECOND);
    queue.mode = "away";
    await time.run(10 * MINUTE);
    expect(done).toBe(3);
    expect(worker.stats()).toMatchObject({ completed: 0, inFlight: 3 });
    expect(problems[0]).toMatchObject({ code: "unreachable" });
    // As a server gives leases grace after it was away.
    for (const job of queue.jobs) job.leasedUntilMs += 15 * MINUTE;
    queue.mode = 503;
    await time.run(11 * MINUTE);
    queue.mode = null;
    await time.run(13 * MINUTE);
    expect(statesOf()).toEqual(Array(5).fill("completed"));
    expect(queue.jobs.map(({ attempts }) => attempts)).toEqual([1, 1, 1, 1, 1]);
  });

  it("asks rarely where its key is not taken", async () => {
    queue.mode = 401;
    start(() => {});
    await time.run(10 * MINUTE);
    expect(asked("/lease").length).toBeLessThan(25);
    expect(problems[0]).toMatchObject({ code: "unauthorized" });
  });

  it("dies, and its jobs are another one's after the lease", async () => {
    queue.submit(...jobs(3));
    // Whatever it says is not heard any more.
    let isDead = false;
    const dying = ((input: string, init: RequestInit) =>
      isDead ? new Promise(() => {}) : queue.fetch(input, init)) as typeof globalThis.fetch;
    start((_, { signal }) => hang(signal), { fetch: dying, graceMs: 0 });
    await time.run(SECOND);
    isDead = true;
    start(async () => {});
    await time.run(MINUTE);
    expect(statesOf()).toEqual(["leased", "leased", "leased"]);
    await time.run(MINUTE + 5 * SECOND);
    expect(statesOf()).toEqual(["completed", "completed", "completed"]);
    expect(queue.jobs[0]?.life).toEqual(["leased by w1", "lost", "leased by w2", "completed"]);
    isDead = false;
  });
});

describe("a worker whose jobs must be done by a time", () => {
  /** How many were under way at once, at the most, while one call in eight found no room. */
  async function mostAtOnce(dueMs: number): Promise<number> {
    queue.submit(...jobs(1_000).map((job) => ({ ...job, dueMs })));
    let [now, most, calls] = [0, 0, 0];
    start(async () => {
      const isFull = ++calls % 8 === 0;
      most = Math.max(most, ++now);
      await time.sleep(isFull ? 400 : 4 * SECOND);
      now--;
      if (isFull) throw thrown(FULL);
    });
    await time.run(4 * MINUTE);
    return most;
  }

  it("is as patient as ever while that is far away", async () => {
    expect(await mostAtOnce(5 * HOUR)).toBeLessThan(8);
  });

  it("tries for more when it is near", async () => {
    expect(await mostAtOnce(0)).toBeGreaterThan(15);
  });
});

describe("a worker that is stopped", () => {
  it("lets finish what is under way, and takes no more", async () => {
    queue.submit(...jobs(10));
    const worker = start(() => time.sleep(10 * SECOND));
    await time.run(SECOND);
    const stopped = worker.stop();
    expect(worker.stats().waiting).toMatchObject({ why: "stopping" });
    expect(await settle(stopped)).toMatchObject({ completed: 3, inFlight: 0 });
    expect(statesOf().filter((state) => state === "waiting")).toHaveLength(7);
    expect(queue.jobs.every(({ token, state }) => state === "completed" || token === null)).toBe(true);
    const { length } = queue.heard;
    await time.run(time.elapsed() + HOUR);
    expect(queue.heard).toHaveLength(length);
    expect(time.pending).toBe(0);
  });

  it("calls off what takes longer than the time of grace, and gives it back", async () => {
    queue.submit({});
    const controller = new AbortController();
    const worker = start((_, { signal }) => hang(signal), { graceMs: 5 * SECOND, signal: controller.signal });
    await time.run(SECOND);
    controller.abort();
    expect(await settle(worker.done)).toMatchObject({ stopped: 1, failed: 0 });
    expect(queue.jobs[0]).toMatchObject({ state: "waiting", failures: 0 });
    expect(asked("/release")[0]).toMatchObject({ atMs: 6 * SECOND, body: { reason: "stopped" } });
  });

  it("ends although the server is away", async () => {
    queue.submit({});
    const worker = start(() => time.sleep(2 * SECOND), { graceMs: 20 * SECOND });
    await time.run(SECOND);
    queue.mode = "away";
    await settle(worker.stop());
    expect(worker.stats()).toMatchObject({ lost: 1, inFlight: 0 });
    expect(time.pending).toBe(0);
  });

  it("is stopped at once where nothing is under way", async () => {
    const worker = start(() => {});
    await time.run(5 * SECOND);
    const stopped = worker.stop();
    await time.run(5 * SECOND);
    expect(await stopped).toMatchObject({ completed: 0, inFlight: 0 });
    expect(time.pending).toBe(0);
  });
});

describe("a worker with a router", () => {
  const aTarget = (parts: object) =>
    ({
      target: "t",
      state: "ready",
      score: 1,
      circuit: "closed",
      inFlight: 0,
      limit: 5,
      heldUntil: null,
      ...parts,
    }) as const;

  it("begins nothing while no target has room", async () => {
    queue.submit(...jobs(20));
    let health = [aTarget({ state: "resting" })];
    let calls = 0;
    const worker = start(
      async () => {
        calls++;
        await time.sleep(SECOND);
      },
      { router: { health: () => health as never } },
    );
    await time.run(MINUTE);
    expect([calls, asked("/lease").length, worker.stats().waiting?.why]).toEqual([0, 0, "noRoom"]);
    health = [aTarget({ state: "resting" }), aTarget({ state: "busy", limit: 4, inFlight: 2 })];
    await time.run(5 * MINUTE);
    expect(calls).toBe(20);
  });

  it("leaves to others who ask it what they use", async () => {
    queue.submit(...jobs(60));
    let [now, most] = [0, 0];
    start(
      async () => {
        most = Math.max(most, ++now);
        await time.sleep(5 * SECOND);
        now--;
      },
      // Three slots are somebody else's.
      { router: { health: () => [aTarget({ limit: 8, inFlight: 3 + now })] as never } },
    );
    await time.run(10 * MINUTE);
    expect(statesOf().every((state) => state === "completed")).toBe(true);
    expect(most).toBe(5);
  });
});

describe("options that cannot be used", () => {
  const fit = { url: "http://x.test", key: "k", system: createVirtualTime() };
  it.each([
    [() => work("", () => {}, fit), "queue must be"],
    [() => work("q", 1 as never, fit), "handler must be"],
    [
      () => work("q", () => {}, { ...fit, leaseMs: 10 }),
      "leaseMs must be a number from 5000 to 600000, not 10",
    ],
    [() => work("q", () => {}, { ...fit, concurrency: 0 }), "concurrency must be"],
    [() => work("q", () => {}, { system: fit.system }), "url and key must name the Busyhour server"],
    [() => work("q", () => {}, { ...fit, url: "ftp://x" }), "url must be the server's http(s) address"],
  ])("are told at once: %#", (make, words) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(words);
  });
});
