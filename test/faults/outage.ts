/**
 * An outage in real time: 50 calls a second while the server is killed, away for some minutes and started again; by a
 * reporter with a spool and by one without. Nothing may be lost or doubled with it, and without it the count of drops
 * on Sources must be exact.
 *
 *   npx tsx test/faults/outage.ts --minutes 10
 */
import { setTimeout as sleep } from "node:timers/promises";
import { createReporter, type Reporter } from "@busyhour/sdk";
import { createSpool } from "@busyhour/sdk/spool";
import { count, readNumber } from "../bench/support/numbers.ts";
import {
  ADMIN_TOKEN,
  makeFolder,
  removeFolder,
  startProduct,
  withDatabase,
} from "../bench/support/product.ts";

const CALLS_PER_SECOND = 50;
const BEFORE_MS = 10_000;
const AFTER_MS = 20_000;
const CAUGHT_UP_WITHIN_MS = 120_000;
const PLACEHOLDER = "http://busyhour.invalid";

process.once("SIGINT", () => process.exit(130));

const awayMs = readNumber(process.argv, "minutes", 10) * 60_000;
const dataDir = makeFolder("outage");
const spoolFolder = makeFolder("outage-spool");
let product = await startProduct(dataDir);

/** The server has another port after its restart; until then its old one refuses. */
const reach: typeof fetch = (url, init) => fetch(String(url).replace(PLACEHOLDER, product.url), init);
const shared = { url: PLACEHOLDER, key: ADMIN_TOKEN, fetch: reach, onProblem: () => {} };
const reporters: Readonly<Record<string, Reporter>> = {
  spool: createReporter({ ...shared, source: "spool", spool: createSpool({ folder: spoolFolder }) }),
  memory: createReporter({ ...shared, source: "memory" }),
};

let isReporting = true;
async function report(): Promise<void> {
  const startedAt = performance.now();
  for (let calls = 0; isReporting; ) {
    for (const due = ((performance.now() - startedAt) / 1_000) * CALLS_PER_SECOND; calls < due; calls++) {
      const outcome = calls % 40 === 0 ? "capacity" : "ok";
      for (const { report } of Object.values(reporters)) {
        report({ occurredAt: Date.now(), provider: "acme", model: "acme-large", outcome, latencyMs: 812 });
      }
    }
    await sleep(5);
  }
}

function tell(what: string): void {
  const figures = Object.entries(reporters).map(([name, reporter]) => {
    const { reported, stored, waiting, dropped } = reporter.stats();
    return `${name}: reported ${count(reported)} stored ${count(stored)} waiting ${count(waiting)} dropped ${count(dropped)}`;
  });
  const { heapUsed, rss } = process.memoryUsage();
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  console.log(
    `${what.padEnd(9)} ${figures.join(" | ")} | heap ${megabytes(heapUsed)} MB, rss ${megabytes(rss)} MB`,
  );
}

const reporting = report();
await sleep(BEFORE_MS);
tell("before");
await product.kill();
for (let minute = 0; minute < awayMs / 60_000; minute++) {
  await sleep(Math.min(60_000, awayMs - minute * 60_000));
  tell("away");
}
product = await startProduct(dataDir);
await sleep(AFTER_MS);
isReporting = false;
await reporting;
const deadline = performance.now() + CAUGHT_UP_WITHIN_MS;
while (
  Object.values(reporters).some((reporter) => reporter.stats().waiting > 0) &&
  performance.now() < deadline
) {
  await sleep(100);
}
await Promise.all(Object.values(reporters).map((reporter) => reporter.close()));
tell("after");

const stored = await withDatabase(
  dataDir,
  (sql) => sql<{ source: string; rows: number; ids: number }[]>`
    select s.source, count(*)::int as rows, count(distinct a.event_id)::int as ids
      from attempt a join series s on s.project_id = a.project_id and s.id = a.series_id group by 1`,
);
const answer = await fetch(`${product.url}/api/sources`, {
  headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
});
const { sources } = (await answer.json()) as { sources: { source: string; dropped: number }[] };
let faults = 0;
for (const [name, reporter] of Object.entries(reporters)) {
  const { reported } = reporter.stats();
  const { rows = 0, ids = 0 } = stored.find(({ source }) => source === name) ?? {};
  const dropped = sources.find(({ source }) => source === name)?.dropped ?? 0;
  const isRight = rows === ids && rows + dropped === reported && (name !== "spool" || dropped === 0);
  if (!isRight) faults++;
  console.log(
    `${name}: reported ${count(reported)}, rows ${count(rows)}, distinct ${count(ids)}, dropped on Sources ${count(dropped)}: ${isRight ? "right" : "WRONG"}`,
  );
}
await product.stop();
removeFolder(dataDir);
removeFolder(spoolFolder);
process.exit(faults === 0 ? 0 : 1);
