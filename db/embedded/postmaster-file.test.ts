import { expect, test } from "vitest";
import { disown, parsePostmasterFile } from "./postmaster-file.ts";

const READY = "4711\n/data/postgres\n1796000000\n5432\n/tmp/busyhour-1\n\n  1234567    65536\nready   \n";

test("reads who runs, where its socket is, and whether it takes connections", () => {
  expect(parsePostmasterFile(READY)).toEqual({ pid: 4711, socketFolder: "/tmp/busyhour-1", status: "ready" });
});

test("knows no status while the file is being written", () => {
  expect(parsePostmasterFile("4711\n/data/postgres\n1796000000\n5432\n")).toEqual({
    pid: 4711,
    socketFolder: "",
    status: null,
  });
});

test.each(["", "\n", "no number\n"])("is nothing when cut off: %j", (text) => {
  expect(parsePostmasterFile(text)).toBeNull();
});

test("a disowned file names nobody and is not ready, but keeps the shared memory's key", () => {
  const disowned = disown(READY);
  expect(parsePostmasterFile(disowned)).toMatchObject({ pid: 2_147_483_647, status: "stopping" });
  expect(disowned.split("\n")[6]).toBe("  1234567    65536");
});
