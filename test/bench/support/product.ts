import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { connect, type Sql } from "../../../db/connect.ts";
import { readPostmasterFile } from "../../../db/embedded/postmaster-file.ts";
import { listSocketFolders } from "../../../db/embedded/socket-folder.ts";
import type { ConnectionTarget } from "../../../db/open-database.ts";

export const root = fileURLToPath(new URL("../../..", import.meta.url));
export const ADMIN_TOKEN = randomBytes(24).toString("base64url");

/** Another build can be named, to compare two. */
const BUNDLE = process.env["BUSYHOUR_BENCH_BUNDLE"] ?? path.join(root, "dist", "busyhour.js");
const START_WITHIN_MS = 60_000;

const folders = new Set<string>();
const children = new Set<ChildProcess>();

process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  for (const folder of folders) removeFolder(folder);
});

/** A temporary folder that the database's user can reach. Gone at the end of this process. */
export function makeFolder(name: string): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `busyhour-${name}-`));
  fs.chmodSync(folder, 0o755);
  folders.add(folder);
  return folder;
}

/** Removes it with the folder of its database's socket, also while a database that was ended still writes there. */
export function removeFolder(folder: string): void {
  const sockets = listSocketFolders(path.join(folder, "postgres"));
  for (const gone of [folder, ...sockets]) {
    fs.rmSync(gone, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  folders.delete(folder);
}

/** A process of ours, which does not outlive this one. */
export function track(child: ChildProcess): ChildProcess {
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** Starts the built product as an installation would run it. */
function spawnProduct(args: readonly string[], dataDir: string): ChildProcess {
  if (!fs.existsSync(BUNDLE)) throw new Error(`${BUNDLE} is missing: run npm run build first`);
  const { DATABASE_URL: _, ...inherited } = process.env;
  const env = {
    ...inherited,
    PORT: "0",
    HOST: "127.0.0.1",
    BUSYHOUR_DATA_DIR: dataDir,
    BUSYHOUR_ADMIN_TOKEN: ADMIN_TOKEN,
    BUSYHOUR_LOG_LEVEL: "warn",
  };
  return track(
    spawn(process.execPath, [BUNDLE, ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] }),
  );
}

export interface Product {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  /** What it wrote, both streams. */
  output(): string;
  /** Asks it to stop, and waits until it has. */
  stop(): Promise<void>;
  /** Ends it without giving it a chance, and waits until it is gone. */
  kill(): Promise<void>;
}

/** `busyhour start` on a free port; resolves when it takes requests. */
export async function startProduct(dataDir: string): Promise<Product> {
  const child = spawnProduct(["start"], dataDir);
  const output = collectOutput(child);
  const ended = whenEnded(child);
  const url = await waitForUrl(child, dataDir, output);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  return {
    url,
    pid: child.pid ?? 0,
    dataDir,
    output,
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
  };
}

async function waitForUrl(child: ChildProcess, dataDir: string, output: () => string): Promise<string> {
  const deadline = Date.now() + START_WITHIN_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    const run = readRun(dataDir);
    if (run !== null && run.pid === child.pid) return run.url;
    await sleep(10);
  }
  child.kill("SIGKILL");
  throw new Error(`the server did not start:\n${output()}`);
}

/** Where the server of the data folder says it is. */
function readRun(dataDir: string): { url: string; pid: number } | null {
  try {
    return JSON.parse(fs.readFileSync(path.join(dataDir, "server.json"), "utf8"));
  } catch {
    return null;
  }
}

function collectOutput(child: ChildProcess): () => string {
  const parts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => parts.push(String(data)));
  return () => parts.join("");
}

function whenEnded(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}

export interface CommandRun {
  /** From the start of the process to its end. */
  readonly elapsedMs: number;
  /** From the start of the process until it wrote `mark`; `null` when it never did. */
  readonly markMs: number | null;
}

/** Runs a command of the product to its end. @throws Error with its output when it fails */
export async function runProduct(
  args: readonly string[],
  dataDir: string,
  mark?: string,
): Promise<CommandRun> {
  const startedAt = performance.now();
  const child = spawnProduct(args, dataDir);
  const output = collectOutput(child);
  let markMs: number | null = null;
  child.stderr?.on("data", (data) => {
    if (mark !== undefined && String(data).includes(mark)) markMs ??= performance.now() - startedAt;
  });
  const code = await whenEnded(child);
  if (code !== 0) throw new Error(`busyhour ${args[0]} ended with ${code}:\n${output()}`);
  return { elapsedMs: performance.now() - startedAt, markMs };
}

/** How to reach the database that runs in the data folder, `null` when none does. */
export function findDatabase(dataDir: string): ConnectionTarget | null {
  const file = readPostmasterFile(path.join(dataDir, "postgres"));
  if (file === null) return null;
  return { host: file.socketFolder, port: 5432, user: "postgres", database: "busyhour" };
}

/** Asks the database in the data folder. */
export async function withDatabase<T>(dataDir: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const target = findDatabase(dataDir);
  if (target === null) throw new Error(`no database runs in ${dataDir}`);
  const sql = connect(target, { max: 1, name: "bench" });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 2 });
  }
}

/** Bytes on disk per raw attempt: all partitions with their indexes and maps. */
export async function measureBytesPerAttempt(sql: Sql, fromMs: number): Promise<number> {
  const from = new Date(fromMs);
  const firstPartition = `attempt_${from.toISOString().slice(0, 10).replaceAll("-", "")}`;
  const [row] = await sql<{ bytes: number; rows: number }[]>`
    select sum(pg_total_relation_size(i.inhrelid))::float8 as bytes,
           (select count(*)::float8 from attempt where occurred_at >= ${from}) as rows
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'attempt'::regclass and c.relname between ${firstPartition} and 'attempt_9'`;
  return row === undefined ? Number.NaN : row.bytes / row.rows;
}

/** Resolves when the rollup job has nothing to do. */
export async function waitUntilRolledUp(sql: Sql, withinMs = 120_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    const waiting = await sql`select from touched_bucket limit 1`;
    if (waiting.length === 0) return;
    await sleep(50);
  }
  throw new Error("the rollup job did not come to an end");
}
