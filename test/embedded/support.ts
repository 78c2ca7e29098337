import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll, onTestFinished } from "vitest";
import type { ConnectionTarget } from "../../db/connection-target.ts";
import { createDataFolder } from "../../db/embedded/data-folder.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../db/embedded/launch.ts";
import { readPostmasterFile } from "../../db/embedded/postmaster-file.ts";
import { isRunning } from "../../db/embedded/process-identity.ts";
import { listSocketFolders } from "../../db/embedded/socket-folder.ts";

/** Long enough for a busy machine; every wait ends as soon as it can. */
export const TEST_TIMEOUT_MS = 60_000;
const WAIT_MS = 20_000;

/** A data folder that other users can reach, since as root the database runs as one. Gone after the test. */
export function aDataFolder(name = "data"): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "busyhour-test-"));
  chmodSync(folder, 0o755);
  onTestFinished(async () => {
    const file = readPostmasterFile(path.join(folder, name, "postgres"));
    if (file !== null) await endByForce(file.pid);
    for (const socketFolder of listSocketFolders(path.join(folder, name, "postgres"))) {
      rmSync(socketFolder, { recursive: true, force: true });
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return path.join(folder, name);
}

let template: Promise<string> | null = null;

/** For test files that use it: removes what copies are made of when the file ends. */
export function removeTemplateAfterAll(): void {
  afterAll(async () => {
    if (template !== null) rmSync(await template, { recursive: true, force: true });
    template = null;
  });
}

/** A data folder whose database was made by an earlier run: a copy, since making one takes a second. */
export async function aUsedDataFolder(): Promise<string> {
  template ??= makeTemplate();
  const dataDir = createDataFolder(aDataFolder());
  execFileSync("cp", ["-a", path.join(await template, "postgres"), dataDir]);
  return dataDir;
}

async function makeTemplate(): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "busyhour-template-"));
  chmodSync(folder, 0o755);
  const server = await startEmbeddedPostgres({ dataDir: folder, say: () => {} });
  await server.stop();
  return folder;
}

/** Starts the database in this process; stopped after the test at the latest. */
export async function start(
  dataDir: string,
  options: Partial<Parameters<typeof startEmbeddedPostgres>[0]> = {},
) {
  const server = await startEmbeddedPostgres({ dataDir, say: () => {}, ...options });
  onTestFinished(() => server.stop());
  return server;
}

/** Another process of the app, with the database of `dataDir`. */
export interface AnotherApp {
  pid: number;
  process: ChildProcess;
  target: ConnectionTarget;
  postmasterPid: number;
}

export type AppStart = AnotherApp | { failed: string; message: string };

/** Starts another process; it lives until the test ends it. */
export async function startAnotherApp(dataDir: string): Promise<AppStart> {
  const script = fileURLToPath(new URL("./another-app.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, dataDir], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await endByForce(child.pid ?? 0);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    return { ...JSON.parse(line), pid: child.pid, process: child };
  }
  throw new Error("the other app ended without a word");
}

export async function startAnotherAppOrThrow(dataDir: string): Promise<AnotherApp> {
  const app = await startAnotherApp(dataDir);
  if ("failed" in app) throw new Error(app.message);
  return app;
}

/** Runs `work` with a connection. */
export async function query<T>(
  target: ConnectionTarget,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  const sql = postgres({ ...target, max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 2 });
  }
}

/** Writes a row that a later `readNotes` must find. */
export async function writeNote({ target }: Pick<EmbeddedPostgres, "target">, note: string): Promise<void> {
  await query(target, async (sql) => {
    await sql`create table if not exists kept (note text)`;
    await sql`insert into kept values (${note})`;
  });
}

export async function readNotes({ target }: Pick<EmbeddedPostgres, "target">): Promise<string[]> {
  return await query(target, async (sql) => {
    const rows = await sql<{ note: string }[]>`select note from kept order by note`;
    return rows.map((row) => row.note);
  });
}

export async function waitFor(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await sleep(20);
  }
}

/** Ends a process without giving it a chance, and waits until it is gone. */
export async function endByForce(pid: number): Promise<void> {
  if (pid < 2 || !isRunning(pid)) return;
  process.kill(pid, "SIGKILL");
  await waitFor(`process ${pid} is gone`, () => !isRunning(pid));
}

export function findParent(pid: number): number {
  return Number(execFileSync("ps", ["-o", "ppid=", "-p", String(pid)], { encoding: "utf8" }));
}

/** Lines of `ps` that name the folder: our servers and guards carry it in their arguments. */
export function listProcessesOf(dataDir: string): string[] {
  const all = execFileSync("ps", ["-A", "-ww", "-o", "pid=,args="], { encoding: "utf8" });
  return all.split("\n").filter((line) => line.includes(path.join(dataDir, "postgres")));
}
