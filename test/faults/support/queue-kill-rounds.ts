import { type ChildProcess, fork } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Sql } from "../../../db/connect.ts";
import { readPostmasterFile } from "../../../db/embedded/postmaster-file.ts";
import {
  ADMIN_TOKEN,
  makeFolder,
  type Product,
  removeFolder,
  root,
  startProduct,
  track,
  withDatabase,
} from "../../bench/support/product.ts";
import type { WorkerLine } from "./queue-worker.ts";

export type QueueVictim = "worker" | "server" | "postgres";

export interface QueueKillReport {
  readonly kills: number;
  /** Jobs whose submission was acknowledged. */
  readonly submitted: number;
  /** Of these, the ones that are nowhere. */
  readonly lost: number;
  /** Keys that stand for more than one job. */
  readonly doubled: number;
  /** Jobs that the ledger completes other than once. */
  readonly notOnce: number;
  /** Completions that were acknowledged and are not in the ledger. */
  readonly unkept: number;
  /** Jobs that the ledger completes and no worker did. */
  readonly undone: number;
  /** Jobs that were done more than once, which at-least-once allows. */
  readonly repeated: number;
  /** Leases that ran out. */
  readonly ended: number;
  /** Longest time from when a lease ran out until its job was ready again, while the server was there. */
  readonly longestStuckMs: number;
  /** From the last kill until nothing was left to do. */
  readonly drainedMs: number;
}

const WORKERS = 4;
const SUBMITTERS = 2;
const PER_BATCH = 20;
const MIN_BEFORE_KILL_MS = 500;
const MAX_BEFORE_KILL_MS = 3_000;
const DRAIN_WITHIN_MS = 180_000;
const VICTIMS: readonly QueueVictim[] = ["worker", "server", "postgres"];

/**
 * Kills workers, the server and its database, chosen at random, while jobs are handed over and done.
 *
 * @param workerScript `queue-worker.ts` speaks the wire protocol by itself, `sdk-worker.ts` through the SDK
 */
export async function runQueueKillRounds(
  rounds: number,
  onKill: (round: number, victim: QueueVictim) => void,
  workerScript: "queue-worker.ts" | "sdk-worker.ts" = "queue-worker.ts",
): Promise<QueueKillReport> {
  const dataDir = makeFolder("queue-faults");
  const file = path.join(dataDir, "done.ndjson");
  fs.writeFileSync(file, "");
  let product = await startProduct(dataDir);
  const key = await makeKey(product);
  let names = 0;
  const startWorker = () => {
    const script = fileURLToPath(new URL(`./${workerScript}`, import.meta.url));
    const child = track(fork(script, { cwd: root, execArgv: ["--import", "tsx"] }));
    child.send({ url: product.url, order: { name: `worker-${++names}`, key, file } });
    return child;
  };
  const workers: ChildProcess[] = Array.from({ length: WORKERS }, startWorker);
  const submitters = startSubmitters(() => product.url, key);
  const downs: { fromMs: number; toMs: number }[] = [];
  try {
    for (let round = 1; round <= rounds; round++) {
      await sleep(MIN_BEFORE_KILL_MS + Math.random() * (MAX_BEFORE_KILL_MS - MIN_BEFORE_KILL_MS));
      const victim = VICTIMS[Math.floor(Math.random() * VICTIMS.length)] as QueueVictim;
      onKill(round, victim);
      const fromMs = Date.now();
      if (victim === "worker") {
        const at = Math.floor(Math.random() * WORKERS);
        workers[at]?.kill("SIGKILL");
        workers[at] = startWorker();
      } else if (victim === "server") {
        await product.kill();
        product = await startProduct(dataDir);
        for (const worker of workers) worker.send({ url: product.url });
      } else {
        const postmaster = readPostmasterFile(path.join(dataDir, "postgres"));
        if (postmaster !== null) process.kill(postmaster.pid, "SIGKILL");
        await waitUntilReady(product);
      }
      if (victim !== "worker") downs.push({ fromMs, toMs: Date.now() });
    }
    const lastKillAt = performance.now();
    await submitters.drain();
    await waitUntilDone(dataDir, lastKillAt);
    const drainedMs = performance.now() - lastKillAt;
    const lines = readLines(file);
    const counted = await withDatabase(dataDir, (sql) =>
      countAll(sql, submitters.acknowledged, lines, downs),
    );
    return { kills: rounds, submitted: submitters.acknowledged.size, ...counted, drainedMs };
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await product.stop();
    removeFolder(dataDir);
  }
}

async function makeKey({ url }: Product): Promise<string> {
  const response = await fetch(`${url}/api/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ kind: "ingest", name: "faults" }),
  });
  return ((await response.json()) as { key: string }).key;
}

async function waitUntilReady({ url }: Product): Promise<void> {
  for (;;) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await sleep(20);
  }
}

/** Hands batches over without a pause, and each again until it is acknowledged. */
function startSubmitters(findUrl: () => string, key: string) {
  const acknowledged = new Set<string>();
  let isDraining = false;
  const submit = async (name: number) => {
    for (let batch = 0; !isDraining; batch++) {
      const keys = Array.from({ length: PER_BATCH }, (_, i) => `${name}-${batch}-${i}`);
      const body = JSON.stringify({
        defaults: { queue: "faults", submitter: `s${name}`, maxAttempts: 20 },
        jobs: keys.map((one) => ({ key: one })),
      });
      for (;;) {
        const status = await fetch(`${findUrl()}/v1/jobs`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          body,
          signal: AbortSignal.timeout(10_000),
        }).then(
          (response) => response.status,
          () => 0,
        );
        if (status === 201) break;
        await sleep(50);
      }
      for (const one of keys) acknowledged.add(one);
      await sleep(100);
    }
  };
  const work = Promise.all(Array.from({ length: SUBMITTERS }, (_, i) => submit(i)));
  return {
    acknowledged,
    async drain() {
      isDraining = true;
      await work;
    },
  };
}

async function waitUntilDone(dataDir: string, sinceMs: number): Promise<void> {
  while (performance.now() - sinceMs < DRAIN_WITHIN_MS) {
    const left = await withDatabase(dataDir, (sql) => sql`select from job limit 1`).catch(() => [null]);
    if (left.length === 0) return;
    await sleep(200);
  }
  throw new Error("jobs are left that nobody does");
}

function readLines(file: string): WorkerLine[] {
  return fs
    .readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as WorkerLine];
      } catch {
        // A worker that was killed while it wrote.
        return [];
      }
    });
}

async function countAll(
  sql: Sql,
  acknowledged: ReadonlySet<string>,
  lines: readonly WorkerLine[],
  downs: readonly { readonly fromMs: number; readonly toMs: number }[],
) {
  const done = await sql<{ id: number; key: string; state: string; token: string }[]>`
    select id::float8 as id, key, state, ended_token as token from job_done`;
  const ends = await sql<{ id: number; count: number }[]>`
    select job_id::float8 as id, (count(*) filter (where kind = 'completed'))::int as count
      from job_event group by 1`;
  const lost = await sql<{ atMs: number; overMs: number }[]>`
    select extract(epoch from at)::float8 * 1000 as "atMs", extract(epoch from leased_at)::float8 * 1000 + 5000 as "overMs"
      from job_event where kind = 'lost'`;
  const perKey = new Map<string, number>();
  for (const { key } of done) perKey.set(key, (perKey.get(key) ?? 0) + 1);
  const completions = new Map(ends.map(({ id, count }) => [id, count]));
  const tokens = new Map(done.map(({ id, token }) => [id, token]));
  const did = new Map<number, number>();
  for (const { is, id } of lines) if (is === "did") did.set(id, (did.get(id) ?? 0) + 1);
  /** What of the time the server or its database was not there is not counted. */
  const away = (fromMs: number, toMs: number) =>
    downs.reduce(
      (sum, down) => sum + Math.max(0, Math.min(toMs, down.toMs) - Math.max(fromMs, down.fromMs)),
      0,
    );
  return {
    lost: [...acknowledged].filter((key) => !perKey.has(key)).length,
    doubled: [...perKey.values()].filter((count) => count > 1).length,
    notOnce: done.filter(({ id, state }) => state !== "completed" || completions.get(id) !== 1).length,
    unkept: lines.filter(({ is, id, token }) => is === "acknowledged" && tokens.get(id) !== token).length,
    undone: done.filter(({ id }) => !did.has(id)).length,
    repeated: [...did.values()].filter((count) => count > 1).length,
    ended: lost.length,
    longestStuckMs: Math.max(0, ...lost.map(({ atMs, overMs }) => atMs - overMs - away(overMs, atMs))),
  };
}
