import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listFatalStates, openServerLog } from "./server-log.ts";

const me = { name: "me", uid: 0, switchTo: null };
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "busyhour-log-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("finds the SQLSTATE of fatal lines only", () => {
  const log = [
    "2026-11-29 22:17:28.517 UTC [5950] 00000 LOG:  starting",
    '2026-11-29 22:17:28.518 UTC [5950] F0001 FATAL:  lock file "postmaster.pid" already exists',
    "2026-11-29 22:17:28.519 UTC [5950] 22012 ERROR:  said FATAL: in passing",
  ].join("\n");
  expect(listFatalStates(log)).toEqual(["F0001"]);
});

test("shows only what was written since it was opened", () => {
  const file = path.join(folder, "postgres.log");
  writeFileSync(file, "an earlier run\n");
  const log = openServerLog(file, me);
  writeSync(log.fd, "this run\n");
  log.close();
  expect(log.tail(1000)).toBe("this run\n");
  expect(log.tail(4)).toBe("run\n");
});

test("moves a log above 10 MB aside", () => {
  const file = path.join(folder, "postgres.log");
  writeFileSync(file, Buffer.alloc(10 * 1024 * 1024 + 1, "x"));
  openServerLog(file, me).close();
  expect(readFileSync(file, "utf8")).toBe("");
  expect(statSync(`${file}.1`).size).toBe(10 * 1024 * 1024 + 1);
});
