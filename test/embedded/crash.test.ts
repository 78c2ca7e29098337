import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { expect, onTestFinished, test } from "vitest";
import { isRunning } from "../../db/embedded/process-identity.ts";
import {
  aDataFolder,
  aUsedDataFolder,
  endByForce,
  findParent,
  listProcessesOf,
  readNotes,
  removeTemplateAfterAll,
  start,
  startAnotherAppOrThrow,
  TEST_TIMEOUT_MS,
  waitFor,
  writeNote,
} from "./support.ts";

removeTemplateAfterAll();

test(
  "the server ends when its app is killed, and nothing is lost",
  async () => {
    const dataDir = await aUsedDataFolder();
    const app = await startAnotherAppOrThrow(dataDir);
    await writeNote(app, "written before the kill");
    await endByForce(app.pid);
    await waitFor("the server and its guard are gone", () => listProcessesOf(dataDir).length === 0);
    expect(await readNotes(await start(dataDir))).toEqual(["written before the kill"]);
  },
  TEST_TIMEOUT_MS,
);

test(
  "a start right after the kill waits for the old server to end",
  async () => {
    const dataDir = await aUsedDataFolder();
    const app = await startAnotherAppOrThrow(dataDir);
    await writeNote(app, "written before the kill");
    await endByForce(app.pid);
    const server = await start(dataDir);
    expect(await readNotes(server)).toEqual(["written before the kill"]);
    expect(isRunning(app.postmasterPid)).toBe(false);
  },
  TEST_TIMEOUT_MS,
);

test(
  "a server whose guard was killed too is ended by the next start",
  async () => {
    const dataDir = await aUsedDataFolder();
    const app = await startAnotherAppOrThrow(dataDir);
    await writeNote(app, "written before the kill");
    const guard = findParent(app.postmasterPid);
    const watchers = listProcessesOf(dataDir).map((line) => Number.parseInt(line, 10));
    for (const pid of watchers) if (pid !== app.postmasterPid && pid !== guard) await endByForce(pid);
    process.kill(app.pid, "SIGSTOP"); // or it would bring the server back
    await endByForce(guard);
    await endByForce(app.pid);
    expect(isRunning(app.postmasterPid)).toBe(true);
    const lines: string[] = [];
    const server = await start(dataDir, { say: (line) => lines.push(line) });
    expect(lines).toEqual([expect.stringContaining("earlier run")]);
    expect(isRunning(app.postmasterPid)).toBe(false);
    expect(await readNotes(server)).toEqual(["written before the kill"]);
  },
  TEST_TIMEOUT_MS,
);

test(
  "a killed server comes back by itself, in the same place, for the same pool",
  async () => {
    const dataDir = await aUsedDataFolder();
    const lines: string[] = [];
    const server = await start(dataDir, { say: (line) => lines.push(line) });
    await writeNote(server, "written before the kill");
    const pool = postgres({ ...server.target, max: 3, backoff: () => 0.05, onnotice: () => {} });
    onTestFinished(() => pool.end({ timeout: 1 }));
    // postgres.js may answer the first query of a new connection with the last error of the old one: ask again.
    const answers = async () => {
      const asked = await Promise.allSettled([1, 2, 3].map(() => pool`select note from kept`));
      return (
        asked.every((answer) => answer.status === "fulfilled" && answer.value.length === 1) ||
        sleep(20, false)
      );
    };
    for (let round = 1; round <= 2; round++) {
      const before = server.pid();
      await endByForce(before ?? 0);
      await waitFor("the pool answers again", answers);
      expect(server.pid()).not.toBe(before);
    }
    expect(lines.filter((line) => line === "The database is back.")).toHaveLength(2);
    await server.stop();
    await waitFor("no process is left", () => listProcessesOf(dataDir).length === 0);
  },
  TEST_TIMEOUT_MS,
);

test(
  "a killed server comes back although one of its sessions lives on for a while",
  async () => {
    const server = await start(await aUsedDataFolder());
    await writeNote(server, "written before the kill");
    const busy = postgres({ ...server.target, max: 1, onnotice: () => {} });
    onTestFinished(() => busy.end({ timeout: 0 }));
    const [session] = await busy<{ pid: number }[]>`select pg_backend_pid() as pid`;
    if (session === undefined) throw new Error("no session");
    process.kill(session.pid, "SIGSTOP"); // so it can't notice that its server is gone
    const before = server.pid();
    process.kill(before ?? 0, "SIGKILL");
    await waitFor("the server has ended", () => server.pid() !== before);
    await sleep(400);
    expect(server.pid()).toBeNull();
    process.kill(session.pid, "SIGCONT");
    await waitFor("the server is back", () => server.pid() !== null);
    expect(await readNotes(server)).toEqual(["written before the kill"]);
  },
  TEST_TIMEOUT_MS,
);

test(
  "a start that is killed half way leaves nothing behind",
  async () => {
    const dataDir = aDataFolder();
    const starting = startAnotherAppOrThrow(dataDir).catch(() => null);
    await waitFor("initdb or the server is at work", () => listProcessesOf(dataDir).length > 0);
    const owner = listProcessesOf(dataDir)[0];
    await endByForce(findParent(Number.parseInt(owner ?? "", 10)));
    await starting;
    await waitFor("no process is left", () => listProcessesOf(dataDir).length === 0);
    await writeNote(await start(dataDir), "works");
  },
  TEST_TIMEOUT_MS,
);
