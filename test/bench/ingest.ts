/**
 * How fast attempts are taken over HTTP and by `busyhour import`, against COPY of the same rows in the same run,
 * and how many bytes each leaves on disk.
 *
 *   npm run bench:ingest -- [--rows 300000] [--rounds 3]
 */
import fs from "node:fs";
import path from "node:path";
import { connect } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open-database.ts";
import { copyAll, prepareCopy } from "./support/copy.ts";
import { type EventKind, type EventSet, makeEvents, SPAN_MS } from "./support/events.ts";
import { count, judge, median, readNumber } from "./support/numbers.ts";
import {
  ADMIN_TOKEN,
  makeFolder,
  measureBytesPerAttempt,
  removeFolder,
  runProduct,
  startProduct,
  waitUntilRolledUp,
  withDatabase,
} from "./support/product.ts";
import { prepareSenders } from "./support/senders.ts";

const SENDERS = 4;
const EVENTS_PER_BATCH = 500;
const WARM_UP_ROWS = 25_000;
const MIN_RATIO = 0.5;
const MAX_BYTES: Readonly<Record<EventKind, number>> = { trace: 145, sdk: 190 };
const NAMES: Readonly<Record<EventKind, string>> = { trace: "trace rows", sdk: "full SDK events" };

const rows = readNumber(process.argv, "rows", 300_000);
const rounds = readNumber(process.argv, "rounds", 3);
const endMs = Math.floor(Date.now() / 300_000) * 300_000;
process.once("SIGINT", () => process.exit(130));

/** Rows per second, and bytes per row where it was measured. */
interface Measurement {
  readonly perSecond: number;
  /** With all that a command does before the first row and after the last one. */
  readonly wholePerSecond?: number;
  readonly bytes?: number;
}

/** COPY in a database of the same kind: the product's own PostgreSQL with its settings, schema and partitions. */
async function measureCopy(set: EventSet): Promise<Measurement> {
  const dataDir = makeFolder("bench-copy");
  const database = await openDatabase({ dataDir, say: () => {} });
  try {
    await migrate(database.target);
    const sql = connect(database.target, { max: 1, name: "bench" });
    const texts = await prepareCopy(sql, set, EVENTS_PER_BATCH);
    const elapsedMs = await copyAll(sql, texts);
    const bytes = await measureBytesPerAttempt(sql, startOf(set));
    await sql.end();
    return { perSecond: (set.rows / elapsedMs) * 1000, bytes };
  } finally {
    await database.close();
    removeFolder(dataDir);
  }
}

/** A UTC midnight: what comes before lies in partitions of its own. */
function startOf({ endMs }: EventSet): number {
  return Math.floor((endMs - SPAN_MS) / 86_400_000) * 86_400_000;
}

/** The server as it runs at home: warm, and with the days' partitions made ahead. */
async function measureHttp(set: EventSet): Promise<Measurement> {
  const dataDir = makeFolder("bench-http");
  const server = await startProduct(dataDir);
  const order = { url: server.url, token: ADMIN_TOKEN, senders: SENDERS, eventsPerBatch: EVENTS_PER_BATCH };
  const before = { rows: WARM_UP_ROWS, seed: set.seed + 1, endMs: startOf(set) };
  const warmUp = await prepareSenders({ ...order, set: { ...set, ...before } });
  const senders = await prepareSenders({ ...order, set });
  try {
    await warmUp.go();
    await withDatabase(dataDir, waitUntilRolledUp);
    const { accepted, elapsedMs } = await senders.go();
    if (accepted !== set.rows) throw new Error(`${accepted} of ${set.rows} events were accepted`);
    const bytes = await withDatabase(dataDir, (sql) => measureBytesPerAttempt(sql, startOf(set)));
    return { perSecond: (set.rows / elapsedMs) * 1000, bytes };
  } finally {
    warmUp.close();
    senders.close();
    await server.stop();
    removeFolder(dataDir);
  }
}

/**
 * `busyhour import` from the start of its process until the last row is stored. Without a server it starts the
 * database first, and adds up afterwards: the whole command is told too.
 */
async function measureImport(set: EventSet, { withServer }: { withServer: boolean }): Promise<Measurement> {
  const dataDir = makeFolder("bench-import");
  const file = path.join(dataDir, "events.ndjson");
  writeLines(file, set);
  const server = withServer ? await startProduct(dataDir) : null;
  try {
    if (server === null) await runProduct(["migrate"], dataDir);
    const flags = server === null ? [] : ["--url", server.url, "--key", ADMIN_TOKEN];
    const args = ["import", file, "--rejects", `${file}.rejects`, ...flags];
    const { elapsedMs, markMs } = await runProduct(args, dataDir, "Adding up");
    const perSecond = (ms: number) => (set.rows / ms) * 1000;
    return { perSecond: perSecond(markMs ?? elapsedMs), wholePerSecond: perSecond(elapsedMs) };
  } finally {
    await server?.stop();
    removeFolder(dataDir);
  }
}

function writeLines(file: string, set: EventSet): void {
  const out = fs.openSync(file, "w");
  let lines: string[] = [];
  const flush = () => {
    fs.writeSync(out, lines.join(""));
    lines = [];
  };
  for (const event of makeEvents(set)) {
    lines.push(`${JSON.stringify(event)}\n`);
    if (lines.length >= 5_000) flush();
  }
  flush();
  fs.closeSync(out);
}

/** The ways in, measured alternately: a busy moment of the machine meets them alike. */
const WAYS: readonly { name: string; measure: (set: EventSet) => Promise<Measurement> }[] = [
  { name: "COPY, 500 rows a commit", measure: measureCopy },
  { name: `HTTP, ${SENDERS} senders of ${EVENTS_PER_BATCH}`, measure: measureHttp },
  { name: "import, no server", measure: (set) => measureImport(set, { withServer: false }) },
  { name: "import, through a server", measure: (set) => measureImport(set, { withServer: true }) },
];

async function measureRounds(kind: EventKind): Promise<Measurement[][]> {
  const measured: Measurement[][] = WAYS.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const set: EventSet = { kind, rows, endMs, seed: 10 * (round + 1) };
    for (const [at, way] of WAYS.entries()) measured[at]?.push(await way.measure(set));
  }
  return measured;
}

function report(kind: EventKind, measured: readonly Measurement[][]): void {
  console.log(`\n${NAMES[kind]}: ${count(rows)} a round, medians of ${rounds}`);
  const baseline = measured[0]?.map(({ perSecond }) => perSecond) ?? [];
  for (const [at, way] of WAYS.entries()) {
    const measurements = measured[at] ?? [];
    const rate = median(measurements.map(({ perSecond }) => perSecond));
    const ratios = measurements.map(({ perSecond }, round) => perSecond / (baseline[round] ?? Number.NaN));
    const whole = measurements.flatMap(({ wholePerSecond }) => wholePerSecond ?? []);
    const bytes = measurements.flatMap((measurement) => measurement.bytes ?? []);
    const line = [way.name.padEnd(26), `${count(rate).padStart(8)} rows/s`];
    if (at > 0) {
      const spread = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
      line.push(
        `${median(ratios).toFixed(2)} of COPY (${spread})`,
        judge(median(ratios) >= MIN_RATIO, `≥ ${MIN_RATIO}`),
      );
    }
    if (whole.length > 0) line.push(`whole command ${count(median(whole))} rows/s`);
    if (bytes.length > 0) {
      const perAttempt = median(bytes);
      line.push(`${perAttempt.toFixed(0)} bytes/attempt`);
      if (at > 0) line.push(judge(perAttempt <= MAX_BYTES[kind], `≤ ${MAX_BYTES[kind]}`));
    }
    console.log(line.join("  "));
  }
}

for (const kind of ["trace", "sdk"] as const) report(kind, await measureRounds(kind));
