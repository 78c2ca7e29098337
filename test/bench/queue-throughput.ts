/**
 * How fast jobs are handed over, and leased and completed, over HTTP: with 100,000 jobs waiting and with 1,000,000, in turns
 * in one run, each beside its own statements without HTTP (the baseline "bare SQL": the same functions on a connection).
 *
 *   npm run bench:queue-throughput -- [--few 100000] [--many 1000000] [--rounds 8] [--seconds 2]
 */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { connect, type Sql } from "../../db/connect.ts";
import { toHash } from "../../server/queue/lane.ts";
import { listOpenLanes } from "../../server/queue/lane-queries.ts";
import { leaseJobs } from "../../server/queue/lease-queries.ts";
import { settleAll } from "../../server/queue/settle.ts";
import { insertJobs } from "../../server/queue/submit-queries.ts";
import { count, judge, median, readNumber } from "./support/numbers.ts";
import {
  ADMIN_TOKEN,
  findDatabase,
  makeFolder,
  type Product,
  removeFolder,
  root,
  startProduct,
  track,
} from "./support/product.ts";
import { makeJobs, type QueueDone, type QueueOrder } from "./support/queue-clients.ts";

const PER_BATCH = 1_000;
const SUBMITTERS = 4;
const WORKERS = 8;
const LIMIT = 10;
const MIN_SUBMITS = 1_000;
const MIN_WORK = 300;
const MAX_RATIO = 1.3;

const few = readNumber(process.argv, "few", 100_000);
const many = readNumber(process.argv, "many", 1_000_000);
const rounds = readNumber(process.argv, "rounds", 8);
const seconds = readNumber(process.argv, "seconds", 2);
process.once("SIGINT", () => process.exit(130));

/** A server with a database of its own, in which so many jobs wait. */
interface Bed {
  readonly name: string;
  readonly product: Product;
  readonly clients: ChildProcess;
  /** As apps have one. */
  readonly key: string;
  readonly sql: Sql;
  readonly figures: Record<"submit" | "work" | "bareSubmit" | "bareWork", number[]>;
}

function ask(
  { product, clients, key }: Pick<Bed, "product" | "clients" | "key">,
  order: QueueOrder,
): Promise<QueueDone> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("the clients failed; see above"));
    clients.once("exit", onExit);
    clients.once("message", (done: QueueDone) => {
      clients.off("exit", onExit);
      resolve(done);
    });
    clients.send({ target: { url: product.url, token: key }, order });
  });
}

const perSecond = ({ jobs, elapsedMs }: QueueDone) => (jobs / elapsedMs) * 1_000;

async function prepareBed(waiting: number): Promise<Bed> {
  const product = await startProduct(makeFolder("bench-queue"));
  const script = fileURLToPath(new URL("./support/queue-clients.ts", import.meta.url));
  const clients = fork(script, { cwd: root, execArgv: ["--import", "tsx"] });
  track(clients);
  const target = findDatabase(product.dataDir);
  if (target === null) throw new Error("no database runs");
  const response = await fetch(`${product.url}/api/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ kind: "ingest", name: "bench" }),
  });
  const { key } = (await response.json()) as { key: string };
  const sql = connect(target, { max: 4, name: "bench" });
  const bed: Bed = {
    name: count(waiting),
    product,
    clients,
    key,
    sql,
    figures: { submit: [], work: [], bareSubmit: [], bareWork: [] },
  };
  const first = 20_000;
  await ask(bed, {
    do: "submit",
    batches: first / PER_BATCH,
    perBatch: PER_BATCH,
    at: SUBMITTERS,
    prefix: "fill",
  });
  // The rest as it would lie there, without the minutes that it takes to send it.
  for (let there = first; there < waiting; there += 20_000)
    await sql`
      with copied as materialized (
        select j.*, nextval(pg_get_serial_sequence('job', 'id')) as copy_id, gen_random_uuid() as copy_hash
          from job j order by id limit ${Math.min(20_000, waiting - there)}
      ), keyed as (
        insert into job_key (project_id, hash, job_id) select project_id, copy_hash, copy_id from copied
      )
      insert into job (project_id, id, lane_id, key, key_hash, reference, submitted_at, not_after, expected_ms, due_at,
             max_attempts)
      select project_id, copy_id, lane_id, key || '-' || copy_id, copy_hash, reference, submitted_at, not_after,
             expected_ms, due_at, max_attempts
        from copied`;
  // What autovacuum and the checkpointer do in some minutes: what was filled in is not to be written while it is measured.
  await sql`vacuum analyze job`;
  await sql`vacuum job_key`;
  await sql`checkpoint`;
  return bed;
}

/** The statements of a submission without HTTP. */
async function submitBare({ sql }: Bed, batches: number, prefix: string): Promise<QueueDone> {
  const lanes = await listOpenLanes(sql, 1, "bench", Date.now());
  const rows = Array.from({ length: batches }, (_, batch) =>
    makeJobs(prefix, batch, PER_BATCH, Date.now()).map((job, i) => ({
      laneId: lanes[i % lanes.length]?.id ?? 0,
      key: job.key,
      keyHash: toHash("bench", job.key),
      reference: job.reference,
      payload: null,
      payloadBytes: null,
      notify: null,
      submittedAt: new Date(),
      notBefore: null,
      notAfter: new Date(job.notAfter),
      expectedMs: 60_000,
      dueAt: new Date(Date.parse(job.notAfter) - 60_000),
      maxAttempts: 5,
    })),
  );
  const startedAt = performance.now();
  for (const batch of rows) await sql.begin((tx) => insertJobs(tx, 1, batch));
  return { jobs: batches * PER_BATCH, elapsedMs: performance.now() - startedAt };
}

/** The statements of leasing and completing without HTTP, as many jobs at once as the workers' requests come to. */
async function workBare({ sql }: Bed, forMs: number): Promise<QueueDone> {
  const startedAt = performance.now();
  let jobs = 0;
  const slots = Array.from({ length: WORKERS * LIMIT }, () => ({ worker: "bare", leaseMs: 60_000 }));
  while (performance.now() - startedAt < forMs) {
    const nowMs = Date.now();
    const lanes = await listOpenLanes(sql, 1, "bench", nowMs);
    const turns = lanes.map((lane, turn) => ({ ...lane, turn }));
    const rows = await leaseJobs(sql, 1, turns, slots, { oldest: slots.length / 8, nowMs });
    const ending = { is: "completed", result: { summary: "ok" } } as const;
    const settlements = rows.map(({ id, token }) => ({ id, token, ending, nowMs }));
    await sql.begin((tx) => settleAll(tx, 1, settlements));
    jobs += rows.length;
  }
  return { jobs, elapsedMs: performance.now() - startedAt };
}

async function measure(bed: Bed, round: number): Promise<void> {
  const batches = 10;
  const forMs = seconds * 1_000;
  const { figures } = bed;
  const submit = {
    do: "submit",
    batches,
    perBatch: PER_BATCH,
    at: SUBMITTERS,
    prefix: `http-${round}`,
  } as const;
  figures.submit.push(perSecond(await ask(bed, submit)));
  figures.bareSubmit.push(perSecond(await submitBare(bed, batches, `bare-${round}`)));
  figures.work.push(perSecond(await ask(bed, { do: "work", workers: WORKERS, limit: LIMIT, forMs })));
  figures.bareWork.push(perSecond(await workBare(bed, forMs)));
}

const middle = (bed: Bed, name: keyof Bed["figures"]) => median(bed.figures[name]);
const range = (values: readonly number[]) => `${count(Math.min(...values))}–${count(Math.max(...values))}`;

const beds = [await prepareBed(few), await prepareBed(many)] as const;
try {
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const bed of round % 2 === 0 ? beds : [...beds].reverse()) await measure(bed, round);
    if (round === 0)
      for (const { figures } of beds) for (const values of Object.values(figures)) values.length = 0;
  }
  let isMet = true;
  const line = (what: string, value: string, target?: [boolean, string]) => {
    if (target !== undefined) isMet &&= target[0];
    console.log(`${what.padEnd(44)} ${value.padEnd(22)} ${target === undefined ? "" : judge(...target)}`);
  };
  for (const bed of beds) {
    const [submits, works] = [middle(bed, "submit"), middle(bed, "work")];
    console.log(`\nwith ${bed.name} jobs waiting, jobs per second (median of ${rounds}, range)`);
    line("submitted, 1,000 in a request", `${count(submits)} (${range(bed.figures.submit)})`, [
      submits >= MIN_SUBMITS,
      `≥ ${count(MIN_SUBMITS)}`,
    ]);
    line("  the same as bare SQL", `${count(middle(bed, "bareSubmit"))} (${range(bed.figures.bareSubmit)})`);
    line(
      `leased by ${LIMIT}s and completed, ${WORKERS} workers`,
      `${count(works)} (${range(bed.figures.work)})`,
      [works >= MIN_WORK, `≥ ${count(MIN_WORK)}`],
    );
    line("  the same as bare SQL", `${count(middle(bed, "bareWork"))} (${range(bed.figures.bareWork)})`);
  }
  console.log(`\n${beds[0].name} waiting against ${beds[1].name}: how many times slower (median of rounds)`);
  for (const [what, name] of [
    ["submitting", "submit"],
    ["leasing and completing", "work"],
    ["submitting, bare SQL", "bareSubmit"],
    ["leasing and completing, bare SQL", "bareWork"],
  ] as const) {
    // Of the same round: other work on this machine comes and goes.
    const ratio = median(
      beds[0].figures[name].map((fast, i) => fast / (beds[1].figures[name][i] ?? Number.NaN)),
    );
    const isOurs = name === "submit" || name === "work";
    line(what, ratio.toFixed(2), isOurs ? [ratio <= MAX_RATIO, `≤ ${MAX_RATIO}`] : undefined);
  }
  process.exitCode = isMet ? 0 : 1;
} finally {
  for (const { product, clients, sql } of beds) {
    clients.kill();
    await sql.end({ timeout: 1 });
    await product.stop();
    removeFolder(product.dataDir);
  }
}
