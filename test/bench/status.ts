/**
 * What a status page costs: ten components over 40 series, read by people of many zones in two languages, half of whom
 * have it already. At 10,000 views a minute, paced, and as fast as it goes.
 *
 *   npm run bench:status -- [--rows 300000] [--seconds 40]
 */
import fs from "node:fs";
import http from "node:http";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open-database.ts";
import { runProfiles } from "../../server/capacity/profile-job.ts";
import { runRollup } from "../../server/rollup/job.ts";
import { queueRebuild } from "../../server/rollup/rebuild.ts";
import { insertHistory, makeSeries } from "./support/history.ts";
import { count, createRandom, judge, quantile, readNumber } from "./support/numbers.ts";
import { ADMIN_TOKEN, makeFolder, type Product, removeFolder, startProduct } from "./support/product.ts";

const DAY_MS = 86_400_000;
const VIEWS_PER_MINUTE = 10_000;
const MODELS = 10;
const CONNECTIONS = 32;
const ZONES = [
  "Europe/Berlin",
  "Europe/London",
  "America/New_York",
  "America/Los_Angeles",
  "America/Sao_Paulo",
  "Asia/Shanghai",
  "Asia/Tokyo",
  "Asia/Kolkata",
  "Australia/Sydney",
  "UTC",
];

const rows = readNumber(process.argv, "rows", 300_000);
const seconds = readNumber(process.argv, "seconds", 40);
const nowMs = Date.now();
process.once("SIGINT", () => process.exit(130));

async function makeHistory(): Promise<string> {
  const dataDir = makeFolder("bench-status");
  const database = await openDatabase({ dataDir, say: () => {}, conf: { fsync: "off" } });
  try {
    await migrate(database.target);
    const sql = connect(database.target, { max: 2, name: "bench" });
    await makeSeries(sql);
    await insertHistory(sql, nowMs - 90 * DAY_MS, nowMs, rows);
    await queueRebuild(sql);
    await runRollup(sql, nowMs);
    await runProfiles(sql, nowMs);
    await sql`vacuum (analyze)`;
    await sql.end();
  } finally {
    await database.close();
  }
  return dataDir;
}

async function publish({ url }: Product): Promise<void> {
  const response = await fetch(`${url}/api/status-page`, {
    method: "PUT",
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({
      slug: "bench",
      isPublic: true,
      name: { en: "Bench", zh: "测试" },
      components: Array.from({ length: MODELS }, (_, model) => ({
        name: { en: `Service ${model}`, zh: `服务 ${model}` },
        mode: "auto",
        targets: Array.from({ length: 3 }, (_, provider) => ({
          provider: `provider-${provider}`,
          model: `model-${model}`,
          endpoint: null,
        })),
      })),
    }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

/** Of all threads of a process, in milliseconds; `null` where the system does not say. */
function cpuMsOf(pid: number): number | null {
  try {
    const fields = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    // Ticks of user and system; 100 a second on every Linux there is.
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return null;
  }
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const known = new Map<string, string>();

const PATHS = ZONES.flatMap((zone) =>
  ["en", "zh"].map((language) => `/status/bench?zone=${encodeURIComponent(zone)}&lang=${language}`),
);

/** A view of some reader, who has it already in every other case. */
function anyView(url: string, random: () => number): Promise<Seen> {
  const path = PATHS[Math.floor(random() * PATHS.length)] ?? "";
  return view(url, path, random() < 0.5 ? known.get(path) : undefined);
}

interface Seen {
  readonly ms: number;
  readonly bytes: number;
}

/** One view, as a browser would. */
function view(url: string, path: string, etag?: string): Promise<Seen> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { "accept-encoding": "gzip", ...(etag === undefined ? {} : { "if-none-match": etag }) };
    http
      .get(`${url}${path}`, { agent, headers }, (response) => {
        let bytes = 0;
        response.on("data", (chunk: Buffer) => {
          bytes += chunk.length;
        });
        response.on("end", () => {
          if (response.headers.etag !== undefined) known.set(path, response.headers.etag);
          const status = response.statusCode ?? 0;
          if (status !== 200 && status !== 304) reject(new Error(`${path}: ${status}`));
          else resolve({ ms: performance.now() - startedAt, bytes });
        });
      })
      .on("error", reject);
  });
}

interface Load {
  readonly views: number;
  readonly elapsedMs: number;
  readonly cpuMs: number | null;
  readonly times: readonly number[];
  readonly bytes: number;
}

/** Views at a pace, begun when they are due whether or not those before have ended; `null`: as fast as it goes. */
async function load(product: Product, perMinute: number | null): Promise<Load> {
  const random = createRandom(5);
  const times: number[] = [];
  let bytes = 0;
  const cpuBefore = cpuMsOf(product.pid);
  const startedAt = performance.now();
  const endAt = startedAt + seconds * 1000;
  const one = async () => {
    const seen = await anyView(product.url, random);
    times.push(seen.ms);
    bytes += seen.bytes;
  };
  if (perMinute === null) {
    const work = async () => {
      while (performance.now() < endAt) await one();
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
  } else {
    const everyMs = 60_000 / perMinute;
    const running: Promise<void>[] = [];
    for (let due = startedAt; due < endAt; ) {
      for (; due <= performance.now() && due < endAt; due += everyMs) running.push(one());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await Promise.all(running);
  }
  const elapsedMs = performance.now() - startedAt;
  const cpuAfter = cpuMsOf(product.pid);
  const cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  return { views: times.length, elapsedMs, cpuMs, times, bytes };
}

function print(name: string, { views, elapsedMs, cpuMs, times, bytes }: Load): number {
  const perMinute = (views / elapsedMs) * 60_000;
  const perCore = cpuMs === null ? perMinute : (views / cpuMs) * 60_000;
  console.log(
    `${name.padEnd(26)}${count(perMinute).padStart(9)} views/min   p50 ${quantile(times, 0.5).toFixed(1)} ms  ` +
      `p95 ${quantile(times, 0.95).toFixed(1)} ms  p99 ${quantile(times, 0.99).toFixed(1)} ms   ` +
      `${(bytes / views / 1000).toFixed(1)} kB each   ` +
      `${cpuMs === null ? "" : `${((cpuMs / elapsedMs) * 100).toFixed(0)} % of a core, ${count(perCore)} views/min and core`}`,
  );
  return perCore;
}

const dataDir = await makeHistory();
const product = await startProduct(dataDir);
try {
  await publish(product);
  const [first = "", ...others] = PATHS;
  const opened = await view(product.url, first);
  console.log(
    `first view after the start: ${opened.ms.toFixed(0)} ms, ${(opened.bytes / 1000).toFixed(1)} kB packed`,
  );
  const times: number[] = [];
  for (const path of others) times.push((await view(product.url, path)).ms);
  console.log(`first view of each zone and language: p50 ${quantile(times, 0.5).toFixed(0)} ms`);
  const paced = await load(product, VIEWS_PER_MINUTE);
  print("10,000 a minute", paced);
  const kept = paced.views / (paced.elapsedMs / 60_000);
  const fast = print("as fast as it goes", await load(product, null));
  console.log(
    `${judge(kept >= VIEWS_PER_MINUTE * 0.98 && fast >= VIEWS_PER_MINUTE, `≥ ${count(VIEWS_PER_MINUTE)} a minute and core`)}`,
  );
} finally {
  agent.destroy();
  await product.stop();
  removeFolder(dataDir);
}
