import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { createRandom } from "../../../bench/support/numbers.ts";
import { makeFolder, type Product, removeFolder, startProduct } from "../../../bench/support/product.ts";
import { isBounded, readMemoryMib } from "./memory.ts";
import { SHARED_NAMES, SLUGS } from "./planted.ts";
import { aRequest, type FuzzedRequest } from "./request.ts";
import { type FuzzRoute, readApi } from "./routes.ts";
import { createSender, type FuzzedAnswer, type Sender } from "./send.ts";
import { listMisuses, type Misuse, misuse, readStatuses } from "./sockets.ts";
import { findLeak, judge } from "./verdict.ts";
import { createWorld, type World } from "./world.ts";

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  readonly onProgress?: (report: FuzzReport) => void;
}

export interface FuzzReport {
  /** Sent as HTTP, and answered or not. */
  readonly requests: number;
  /** Connections that were misused. */
  readonly sockets: number;
  readonly statuses: ReadonlyMap<number, number>;
  /** Per route, how many were sent and how many of these were answered with success. */
  readonly routes: ReadonlyMap<string, { sent: number; good: number }>;
  readonly faults: readonly string[];
  /** After each batch. */
  readonly memoryMib: readonly number[];
  readonly slowestMs: number;
  readonly slowest: string;
}

const BATCH = 1_000;
const CONNECTIONS = 16;
const MISUSES_AT_ONCE = 6;
const REQUESTS_PER_MISUSE = 50;
const MAX_FAULTS = 20;
/** Several of the largest bodies at once, and what the collector has not looked at yet. */
export const MEMORY_LIMIT_MIB = 1_024;

interface Run extends FuzzReport {
  requests: number;
  sockets: number;
  statuses: Map<number, number>;
  routes: Map<string, { sent: number; good: number }>;
  faults: string[];
  memoryMib: number[];
  slowestMs: number;
  slowest: string;
}

/** Fuzzes a server of its own, on a data folder of its own; ends early when it has found enough. */
export async function runFuzz({ requests, seed, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const dataDir = makeFolder("fuzz");
  const product = await startProduct(dataDir);
  const sender = createSender(product.url, CONNECTIONS);
  const run: Run = {
    requests: 0,
    sockets: 0,
    statuses: new Map(),
    routes: new Map(),
    faults: [],
    memoryMib: [],
    slowestMs: 0,
    slowest: "",
  };
  let isDone = false;
  try {
    const world = await createWorld(product);
    const api = await readApi(product.url);
    const hints = { slugs: [...Object.values(SLUGS), "sample"], ids: world.ids, names: SHARED_NAMES };
    const misusing = misuseMany(product, world, seed, run, () => isDone);
    const requestsOf = aRequest(api, world.callers, hints);
    for (let batch = 0; run.requests < requests && run.faults.length < MAX_FAULTS; batch++) {
      if (batch > 0 && batch % 5 === 0) await world.refresh();
      const size = Math.min(BATCH, requests - run.requests);
      const drawn = fc.sample(requestsOf, { numRuns: size, seed: seed + batch });
      const label = `seed ${seed + batch}`;
      await sendAll(sender, world, drawn, run, label);
      await judgeProduct(product, run);
      onProgress?.(run);
    }
    isDone = true;
    await misusing;
    if (!isBounded(run.memoryMib, MEMORY_LIMIT_MIB))
      run.faults.push(`memory: ${run.memoryMib.join(" ")} MiB`);
    return run;
  } catch (error) {
    throw new Error(`the fuzzer broke off; the server wrote:\n${product.output().slice(-4_000)}`, {
      cause: error,
    });
  } finally {
    isDone = true;
    sender.close();
    await product.stop();
    removeFolder(dataDir);
  }
}

async function sendAll(
  sender: Sender,
  world: World,
  drawn: readonly FuzzedRequest[],
  run: Run,
  label: string,
): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < drawn.length) {
      const place = next++;
      const request = drawn[place] as FuzzedRequest;
      const answer = await sender.send(request);
      note(run, request, answer.status, "elapsedMs" in answer ? (answer as FuzzedAnswer).elapsedMs : 0);
      if (answer.status === 401 && request.caller.sees !== null) await world.renew();
      const fault = judge(request, answer);
      if (fault !== null)
        run.faults.push(`${fault}: ${describe(request)} (${label}, ${place})${quote(answer)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

const quote = (answer: object) => ("text" in answer ? ` → ${String(answer.text).slice(0, 300)}` : "");

function note(run: Run, request: FuzzedRequest, status: number, elapsedMs: number): void {
  run.requests++;
  run.statuses.set(status, (run.statuses.get(status) ?? 0) + 1);
  const name = nameOf(request.route);
  const counts = run.routes.get(name) ?? { sent: 0, good: 0 };
  counts.sent++;
  if (status >= 200 && status < 400 && request.method === request.route.method) counts.good++;
  run.routes.set(name, counts);
  if (elapsedMs > run.slowestMs) {
    run.slowestMs = elapsedMs;
    run.slowest = describe(request);
  }
}

const nameOf = ({ method, path }: FuzzRoute) => (path.startsWith("/") ? `${method} ${path}` : path);

function describe({ method, target, caller, headers, body }: FuzzedRequest): string {
  const shown = body === null ? "" : ` body ${body.length} B ${body.toString("latin1", 0, 300)}`;
  return `${method} ${target.slice(0, 400)} by ${caller.name} ${JSON.stringify(headers).slice(0, 400)}${shown}`;
}

/** Misuses connections beside the requests, a few at a time: each is watched for a while. */
async function misuseMany(
  { url }: Product,
  { callers }: World,
  seed: number,
  run: Run,
  isDone: () => boolean,
): Promise<void> {
  const caller = callers.find(({ name }) => name === "ours ingest key");
  const random = createRandom(seed);
  let key = "";
  let misuses: Misuse[] = [];
  const misuseOnes = async () => {
    while (!isDone()) {
      const now = caller?.headers()["authorization"] ?? "";
      // Some are long: they are made anew only for a new key.
      if (now !== key) misuses = listMisuses(now);
      key = now;
      const way = misuses[Math.floor(random() * misuses.length)];
      if (way === undefined) continue;
      judgeMisuse(way, await misuse(url, way), run);
      // As often as one request in fifty, so that both get on.
      while (!isDone() && run.sockets * REQUESTS_PER_MISUSE > run.requests + BATCH) await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: MISUSES_AT_ONCE }, misuseOnes));
}

function judgeMisuse({ name }: Misuse, received: string, run: Run): void {
  run.sockets++;
  const failed = readStatuses(received).find((status) => status >= 500 && status !== 503);
  const leaked = findLeak("ours", received);
  if (failed !== undefined) run.faults.push(`status ${failed} for ${name}`);
  if (leaked !== null) run.faults.push(`leak of ${leaked} for ${name}`);
}

/** After each batch the server must be there, ready, without a bug in its log, and no fatter. */
async function judgeProduct(product: Product, run: Run): Promise<void> {
  run.memoryMib.push(readMemoryMib(product.pid));
  const ready = await fetch(`${product.url}/readyz`, { signal: AbortSignal.timeout(30_000) });
  if (ready.status !== 200) run.faults.push(`/readyz answers ${ready.status} after a batch`);
  const bugs = product
    .output()
    .split("\n")
    .filter((line) => /"level":(?:50|60)\b/.test(line));
  const told = run.faults.filter((fault) => fault.startsWith("log: ")).length;
  run.faults.push(...bugs.slice(told).map((line) => `log: ${line.slice(0, 1_500)}`));
}
