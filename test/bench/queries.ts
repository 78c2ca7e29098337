/**
 * How long the pages' questions take, asked over HTTP of servers with eight weeks of 40 series, at 0.5 and 5
 * million raw attempts in turn; and what the rollup job costs while 2,000 events a second arrive.
 *
 *   npm run bench:queries -- [--rows 5000000] [--asks 40]
 */
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open-database.ts";
import { runProfiles } from "../../server/capacity/profile-job.ts";
import { runRollup } from "../../server/rollup/job.ts";
import { queueRebuild } from "../../server/rollup/rebuild.ts";
import { insertHistory, makeSeries, SERIES_COUNT } from "./support/history.ts";
import { count, judge, quantile, readNumber } from "./support/numbers.ts";
import { ADMIN_TOKEN, makeFolder, type Product, removeFolder, startProduct } from "./support/product.ts";
import { EVENTS_PER_SECOND, measureRollupLoad } from "./support/rollup-load.ts";

const SMALL_ROWS = 500_000;
const MAX_SLOWER = 1.3;
const MAX_ROLLUP_SHARE = 0.25;
const DAY_MS = 86_400_000;
const SPAN_MS = 56 * DAY_MS;

const rows = readNumber(process.argv, "rows", 5_000_000);
const asks = readNumber(process.argv, "asks", 40);
const nowMs = Date.now();
process.once("SIGINT", () => process.exit(130));

/** Making a history is not what is measured here, so it need not be durable. */
const BUILDING = { fsync: "off", synchronous_commit: "off", max_wal_size: "8GB" };

interface Question {
  readonly name: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly maxMs: number;
}

function listQuestions(): Question[] {
  const from = new Date(nowMs - SPAN_MS).toISOString();
  const eightWeeks = { from, to: new Date(nowMs).toISOString() };
  const elsewhere = { ...eightWeeks, zone: "Asia/Kolkata" };
  const model = { model: "model-3" };
  const [heatmap, overview] = ["/api/heatmap", "/api/overview"];
  return [
    { name: "heatmap, one model", path: heatmap, query: model, maxMs: 60 },
    { name: "  8 weeks, another zone", path: heatmap, query: { ...model, ...elsewhere }, maxMs: 60 },
    { name: "heatmap, all models", path: heatmap, query: {}, maxMs: 200 },
    { name: "  8 weeks, another zone", path: heatmap, query: elsewhere, maxMs: 200 },
    { name: "overview, 24 hours", path: overview, query: {}, maxMs: 200 },
    { name: "overview, 8 weeks", path: overview, query: eightWeeks, maxMs: 200 },
  ];
}

/** A data folder with a history, rolled up as the job does it. */
async function makeHistory(rowCount: number): Promise<string> {
  const startedAt = performance.now();
  const dataDir = makeFolder("bench-queries");
  const database = await openDatabase({ dataDir, say: () => {}, conf: BUILDING });
  try {
    await migrate(database.target);
    const sql = connect(database.target, { max: 2, name: "bench" });
    await makeSeries(sql);
    await insertHistory(sql, nowMs - SPAN_MS, nowMs, rowCount);
    const insertedAt = performance.now();
    await queueRebuild(sql);
    await runRollup(sql, nowMs);
    await runProfiles(sql, nowMs);
    const rolledUpAt = performance.now();
    // What the database does by itself within minutes, so that it does not do it while we measure.
    await sql`vacuum (analyze)`;
    await sql.end();
    const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`;
    console.log(
      `${count(rowCount)} rows made in ${seconds(insertedAt - startedAt)}, rolled up in ${seconds(rolledUpAt - insertedAt)}`,
    );
  } finally {
    await database.close();
  }
  return dataDir;
}

async function ask({ url }: Product, { path, query }: Question): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return performance.now() - startedAt;
}

/** Asks all servers in turn, so that a busy moment of the machine meets them alike. @returns times per server */
async function askInTurn(servers: readonly Product[], question: Question): Promise<number[][]> {
  const times: number[][] = servers.map(() => []);
  for (let i = -3; i < asks; i++) {
    for (const [at, server] of servers.entries()) {
      const elapsedMs = await ask(server, question);
      if (i >= 0) times[at]?.push(elapsedMs);
    }
  }
  return times;
}

async function measureQuestions(sizes: readonly number[]): Promise<void> {
  const folders: string[] = [];
  for (const size of sizes) folders.push(await makeHistory(size));
  const servers = await Promise.all(folders.map((folder) => startProduct(folder)));
  try {
    const columns = sizes.map((size) => `${count(size)} rows: p50  p95`.padStart(30));
    console.log(`\n${`ms, ${asks} asks each`.padEnd(28)}${columns.join("")}   slower   targets`);
    for (const question of listQuestions()) {
      const times = await askInTurn(servers, question);
      const p50 = times.map((values) => quantile(values, 0.5));
      const p95 = times.map((values) => quantile(values, 0.95));
      const figures = sizes.map((_, at) =>
        `${p50[at]?.toFixed(1)} ${p95[at]?.toFixed(1).padStart(7)}`.padStart(30),
      );
      const slower = (p50.at(-1) ?? 0) / (p50[0] ?? 1);
      const isFast = p95.every((ms) => ms <= question.maxMs);
      console.log(
        `${question.name.padEnd(28)}${figures.join("")} ${slower.toFixed(2).padStart(8)}   ` +
          `${judge(isFast, `≤ ${question.maxMs} ms`)}, ${judge(slower < MAX_SLOWER, `< ${MAX_SLOWER}`)}`,
      );
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    for (const folder of folders) removeFolder(folder);
  }
}

async function measureRollup(): Promise<void> {
  const dataDir = makeFolder("bench-rollup");
  const database = await openDatabase({ dataDir, say: () => {} });
  try {
    await migrate(database.target);
    const load = await measureRollupLoad(database.target, Math.floor(nowMs / DAY_MS) * DAY_MS);
    const cores = (share: number) => share.toFixed(3);
    console.log(
      `\nrollup job at ${count(EVENTS_PER_SECOND)} events/s: ${cores(load.share)} of a core (${cores(load.nodeShare)} in Node), ` +
        `longest run ${count(load.longestRunMs)} ms, ${load.steps} runs   ` +
        judge(load.share <= MAX_ROLLUP_SHARE, `≤ ${MAX_ROLLUP_SHARE}`),
    );
  } finally {
    await database.close();
    removeFolder(dataDir);
  }
}

console.log(`Eight weeks of ${SERIES_COUNT} series`);
await measureQuestions([SMALL_ROWS, rows]);
await measureRollup();
