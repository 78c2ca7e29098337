import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createDataFolder } from "../../db/embedded/data-folder.ts";
import { findDatabaseUser } from "../../db/embedded/database-user.ts";
import { acquireOwnerLock } from "../../db/embedded/owner-lock.ts";
import { readPostmasterFile } from "../../db/embedded/postmaster-file.ts";
import { describeMyself } from "../../db/embedded/process-identity.ts";
import { asUser } from "../../db/embedded/run-command.ts";
import {
  aDataFolder,
  aUsedDataFolder,
  endByForce,
  findParent,
  readNotes,
  removeTemplateAfterAll,
  start,
  startAnotherApp,
  startAnotherAppOrThrow,
  TEST_TIMEOUT_MS,
  waitFor,
  writeNote,
} from "./support.ts";

removeTemplateAfterAll();

test(
  "refuses a second app quickly, and names the first",
  async () => {
    const dataDir = await aUsedDataFolder();
    const app = await startAnotherAppOrThrow(dataDir);
    const startedAt = Date.now();
    await expect(start(dataDir)).rejects.toMatchObject({
      code: "embedded_in_use",
      message: expect.stringContaining(`process ${app.pid}`),
    });
    expect(Date.now() - startedAt).toBeLessThan(6_000);
    await writeNote(app, "the first goes on");
    app.process.stdin?.end();
    await waitFor("the first has ended", () => app.process.exitCode !== null);
    expect(await readNotes(await start(dataDir))).toEqual(["the first goes on"]);
  },
  TEST_TIMEOUT_MS,
);

test(
  "refuses a second start in the same process",
  async () => {
    const dataDir = await aUsedDataFolder();
    await start(dataDir);
    await expect(start(dataDir)).rejects.toMatchObject({ code: "embedded_in_use" });
  },
  TEST_TIMEOUT_MS,
);

test(
  "of several apps that start at once exactly one wins",
  async () => {
    const dataDir = aDataFolder();
    const apps = await Promise.all([1, 2, 3].map(() => startAnotherApp(dataDir)));
    const failures = apps.flatMap((app) => ("failed" in app ? [app.failed] : []));
    expect(failures).toEqual(["embedded_in_use", "embedded_in_use"]);
  },
  TEST_TIMEOUT_MS,
);

test(
  "of many that claim a folder at once exactly one wins, every time",
  async () => {
    const dataDir = createDataFolder(aDataFolder());
    for (let round = 0; round < 20; round++) {
      const claims = await Promise.allSettled(Array.from({ length: 8 }, () => acquireOwnerLock(dataDir)));
      const locks = claims.flatMap((claim) => (claim.status === "fulfilled" ? [claim.value] : []));
      expect(locks).toHaveLength(1);
      for (const lock of locks) lock.release();
    }
    expect(readdirSync(dataDir)).toEqual([]);
  },
  TEST_TIMEOUT_MS,
);

test("does not mind the claims of dead processes, cut or whole", async () => {
  const dataDir = createDataFolder(aDataFolder());
  writeClaimFile(dataDir, "aaaa", { startedAt: "an earlier process with our number" });
  writeClaimFile(dataDir, "bbbb", { pid: 2_147_483_647 });
  writeFileSync(path.join(dataDir, "owner.cccc.json"), '{"pid": 1');
  const halfWritten = path.join(dataDir, ".owner.dddd");
  writeFileSync(halfWritten, "{");
  utimesSync(halfWritten, 0, 0);
  const lock = await acquireOwnerLock(dataDir);
  expect(readdirSync(dataDir)).toHaveLength(1);
  lock.release();
  expect(readdirSync(dataDir)).toEqual([]);
});

test(
  "minds a claim from another container as long as it is kept fresh",
  async () => {
    const dataDir = createDataFolder(aDataFolder());
    const file = writeClaimFile(dataDir, "aaaa", { pidNamespace: "pid:[1]", hostname: "elsewhere", pid: 17 });
    const heartbeat = setInterval(() => utimesSync(file, new Date(), new Date()), 300);
    onTestFinished(() => clearInterval(heartbeat));
    await expect(acquireOwnerLock(dataDir)).rejects.toMatchObject({
      code: "embedded_in_use",
      message: expect.stringContaining("process 17 on elsewhere"),
    });
    clearInterval(heartbeat);
    (await acquireOwnerLock(dataDir)).release();
  },
  TEST_TIMEOUT_MS,
);

test(
  "refuses a folder that a server started by hand is using, and leaves that alone",
  async () => {
    const dataDir = await aUsedDataFolder();
    const { binDir, stop } = await start(dataDir);
    await stop();
    const cluster = path.join(dataDir, "postgres");
    const user = findDatabaseUser(cluster);
    const socketFolder = mkdtempSync("/tmp/busyhour-by-hand-");
    onTestFinished(() => rmSync(socketFolder, { recursive: true }));
    const args = ["-D", cluster, "-k", cluster, "-c", "listen_addresses="];
    const byHand = spawn(path.join(binDir, "postgres"), args, { ...asUser(user), cwd: "/", stdio: "ignore" });
    onTestFinished(() => endByForce(byHand.pid ?? 0));
    await waitFor("it is ready", () => readPostmasterFile(cluster)?.status === "ready");
    await expect(start(dataDir)).rejects.toMatchObject({
      code: "embedded_in_use",
      message: expect.stringContaining(`process number ${byHand.pid}`),
    });
    expect(byHand.exitCode).toBeNull();
    byHand.kill("SIGINT");
    await waitFor("it has ended", () => byHand.exitCode !== null);
  },
  TEST_TIMEOUT_MS,
);

test.each(["a program of the same user", "another PostgreSQL of the same user"])(
  "starts although the number in postmaster.pid now belongs to %s",
  async (kind) => {
    const dataDir = await aUsedDataFolder();
    const cluster = path.join(dataDir, "postgres");
    await killEverything(dataDir, "written before the kill");
    const pid = kind.startsWith("a program")
      ? startSleeper(cluster)
      : (await start(await aUsedDataFolder())).pid();
    const file = path.join(cluster, "postmaster.pid");
    writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, String(pid)));
    expect(await readNotes(await start(dataDir))).toEqual(["written before the kill"]);
  },
  TEST_TIMEOUT_MS,
);

/** Leaves the folder as a power failure does: a write in the log, `postmaster.pid` and the claim still there. */
async function killEverything(dataDir: string, note: string): Promise<void> {
  const app = await startAnotherAppOrThrow(dataDir);
  await writeNote(app, note);
  process.kill(app.pid, "SIGSTOP");
  const guard = findParent(app.postmasterPid);
  await endByForce(app.postmasterPid);
  await endByForce(guard);
  await endByForce(app.pid);
  expect(readdirSync(dataDir).some((name) => name.startsWith("owner."))).toBe(true);
}

function startSleeper(cluster: string): number {
  const sleeper = spawn("sleep", ["60"], { ...asUser(findDatabaseUser(cluster)), cwd: "/", stdio: "ignore" });
  onTestFinished(() => endByForce(sleeper.pid ?? 0));
  return sleeper.pid ?? 0;
}

function writeClaimFile(dataDir: string, token: string, fields: object): string {
  mkdirSync(dataDir, { recursive: true });
  const file = path.join(dataDir, `owner.${token}.json`);
  const claim = { ...describeMyself(), hostname: "here", ticket: "0", holds: true, ...fields, token };
  writeFileSync(file, JSON.stringify(claim));
  return file;
}
