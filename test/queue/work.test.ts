import fs from "node:fs";
import path from "node:path";
import { createRouter, type HandleJob, isQueued, JobError, type QueueWorker, work } from "@busyhour/sdk";
import { transform } from "esbuild";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestServer } from "../support/server.ts";
import { createQueueClient } from "./support.ts";

const api = await startTestServer();
const client = createQueueClient(api);
const { key } = await api.createKey("ingest");
await client.ok("PUT", "/api/queues/settings", {
  storesPayloads: true,
  payloadHours: 168,
  keptDays: 7,
  deadKeptDays: 30,
});

let queues = 0;
let queue = "";
let worker: QueueWorker | null = null;
const watchers = new Set<() => void>();
beforeEach(() => {
  queue = `work-${++queues}`;
});
afterEach(() => worker?.stop());

const OVERLOADED = Object.assign(new Error("Overloaded"), {
  status: 529,
  error: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
});

function start(handler: HandleJob<number>, options: object = {}): QueueWorker {
  worker = work<number>(queue, handler, {
    url: api.url,
    key,
    name: "box-7",
    onProblem: () => {},
    onProgress: () => {
      for (const watch of [...watchers]) watch();
    },
    ...options,
  });
  return worker;
}

/** Resolves when the worker has come so far. */
const until = (isSo: (stats: ReturnType<QueueWorker["stats"]>) => boolean) =>
  new Promise<void>((resolve) => {
    const watch = () => {
      if (worker === null || !isSo(worker.stats())) return;
      watchers.delete(watch);
      resolve();
    };
    watchers.add(watch);
    watch();
  });
const kinds = async (id: number) => (await client.get(id)).life.map(({ is }) => is);
const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

describe("work()", () => {
  it("does the jobs of a server: those done, those that found no room, and those that failed", async () => {
    const ids = await client.submit(
      Array.from({ length: 30 }, (_, i) => ({ key: `doc-${i}`, payload: i })),
      { queue },
    );
    const seen: string[] = [];
    start((job) => {
      seen.push(`${job.idempotencyKey} ${job.payload} ${job.attempt}`);
      if (job.payload === 5 && job.attempt === 1) throw OVERLOADED;
      if (job.payload === 6) throw new JobError("there is no such document", { isFinal: true });
      return { reference: `out/${job.payload}` };
    });
    await until(({ completed, failed, busy }) => completed === 28 && failed === 1 && busy === 1);
    // What found no room comes again after its pause.
    api.clock.nowMs += 20_000;
    await until(({ completed }) => completed === 29);
    expect(seen).toHaveLength(31);
    expect(seen).toContain("doc-7 7 1");
    expect(seen).toContain("doc-5 5 2");
    const [busy, dead, done] = await Promise.all([5, 6, 7].map((at) => client.get(ids[at] ?? 0)));
    expect(busy).toMatchObject({ state: "completed", attempts: 2, failures: 0, busy: 1 });
    expect(dead).toMatchObject({ state: "dead", error: "there is no such document" });
    expect(done).toMatchObject({ state: "completed", worker: "box-7", result: { reference: "out/7" } });
  });

  it("hears that a job was cancelled, and gives back what it does not finish", async () => {
    const [cancelled = 0, kept = 0] = await client.submit([{ payload: 1 }, { payload: 2 }], { queue });
    const team = start((_, { signal }) => hang(signal), { leaseMs: 5_000, graceMs: 0 });
    await until(({ inFlight }) => inFlight === 2);
    await client.ok("POST", "/v1/jobs/cancel", { ids: [cancelled] });
    await until((stats) => stats.cancelled === 1);
    expect(await client.get(cancelled)).toMatchObject({ state: "cancelled" });
    expect(await team.stop()).toMatchObject({ stopped: 1, inFlight: 0 });
    expect(await client.get(kept)).toMatchObject({ state: "waiting", failures: 0 });
    expect(await kinds(kept)).toEqual(["queued", "leased", "stopped"]);
  });

  it("does what a router put into the queue since all models were busy", async () => {
    const router = createRouter<string, string>({
      providers: {
        one: () => {
          throw OVERLOADED;
        },
      },
      chain: { targets: [{ id: "t", provider: "one", model: "m" }], retry: { maxAttempts: 1 } },
    });
    const ask = () =>
      router.run("hi", {
        whenBusy: "queue",
        job: { queue, key: "ask-1", payload: 9, server: { url: api.url, key } },
      });
    const answer = await ask();
    if (!isQueued(answer)) throw new Error("it was answered");
    expect(answer).toMatchObject({ ticket: { key: "ask-1", queue, isNew: true }, error: { kind: "busy" } });
    expect(await ask()).toMatchObject({ ticket: { id: answer.ticket.id, isNew: false } });
    start(({ payload, chain }) => ({ summary: `${payload} of ${chain}` }));
    await until(({ completed }) => completed === 1);
    expect(await client.get(answer.ticket.id)).toMatchObject({ result: { summary: "9 of default" } });
  });
});

it("the worker of docs/queue.md works as it stands there", async () => {
  const page = fs.readFileSync(path.join(import.meta.dirname, "../../docs/queue.md"), "utf8");
  const [, snippet = ""] = /^## Workers$[\s\S]*?^```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const { code } = await transform(snippet.replace(/^import .*\n/gm, ""), { loader: "ts" });
  const [id = 0] = await client.submit([{ key: "doc-1", payload: { text: "Hi" } }], { queue });
  const saved: unknown[] = [];
  const interrupt = new AbortController();
  class OpenAI {
    readonly responses = {
      create: async ({ input }: { input: string }) => ({ output_text: `${input}!` }),
    };
  }
  const given = {
    OpenAI,
    work: (_: string, handler: HandleJob<number>, options: object) => {
      worker = work(queue, handler, { ...options, url: api.url, key });
      return worker;
    },
    stopOnInterrupt: () => interrupt,
    save: async (...parts: unknown[]) => saved.push(parts),
    console: { log: (stats: unknown) => saved.push(stats) },
  };
  const ended = new Function(...Object.keys(given), `return (async () => {\n${code}\n})()`)(
    ...Object.values(given),
  );
  expect(await client.ok("GET", `/v1/jobs/${id}?wait=30`)).toMatchObject({
    state: "completed",
    result: { reference: "results/doc-1" },
  });
  interrupt.abort();
  await ended;
  expect(saved).toEqual([["doc-1", "Hi!"], expect.objectContaining({ completed: 1 })]);
});
