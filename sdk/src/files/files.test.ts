import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { isBatchError } from "../batch/batch-error.ts";
import { runBatch } from "../batch/run-batch.ts";
import type { BatchResult } from "../batch/types.ts";
import { takeLock } from "./file-lock.ts";
import { stopOnInterrupt } from "./interrupt.ts";
import { readLines, readNdjson } from "./read-items.ts";
import { readResults, resultFile } from "./result-file.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-batch-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
let files = 0;

function aFile(text?: string | Uint8Array): string {
  const file = path.join(folder, `file-${files++}.ndjson`);
  if (text !== undefined) fs.writeFileSync(file, text);
  return file;
}

const result = (id: string | number, more: Partial<BatchResult> = {}): BatchResult => ({
  id,
  index: 0,
  outcome: "ok",
  value: `answer to ${id}`,
  attempts: 1,
  target: null,
  latencyMs: 5,
  finishedAt: "2026-11-30T00:00:00.000Z",
  input: "00000000000000aa",
  ...more,
});
const line = (...given: Parameters<typeof result>) => `${JSON.stringify(result(...given))}\n`;
const read = (file: string) => fs.readFileSync(file, "utf8");

async function open(file: string, forgetFailed = false) {
  return resultFile(file).open({ forgetFailed });
}

const faultOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

describe("a file of results", () => {
  it("holds a line for each result, whole when it says so, however many come at once", async () => {
    const file = aFile();
    const store = await open(file);
    const adding = Array.from({ length: 200 }, (_, i) => store.add(result(i)));
    await adding[0];
    expect(read(file).startsWith(line(0))).toBe(true);
    await Promise.all(adding);
    expect(read(file)).toBe(Array.from({ length: 200 }, (_, i) => line(i)).join(""));
    await store.close();
    expect(fs.readdirSync(folder).filter((name) => name.startsWith(path.basename(file)))).toEqual([
      path.basename(file),
    ]);
    expect(await readResults(file)).toHaveLength(200);
  });

  it("loses of a line that broke off, at whatever byte, nothing but that line", async () => {
    const whole = line("a") + line("b", { value: "ü“”😀" });
    const torn = Buffer.from(line("c"));
    for (let bytes = 0; bytes < torn.length - 1; bytes += 7) {
      const file = aFile(Buffer.concat([Buffer.from(whole), torn.subarray(0, bytes)]));
      const store = await open(file);
      expect([...store.finished].map(({ id }) => id)).toEqual(["a", "b"]);
      await store.add(result("c"));
      await store.close();
      expect(read(file)).toBe(whole + line("c"));
    }
  });

  it("keeps a last line that only lacks its break", async () => {
    const file = aFile((line("a") + line("b")).trimEnd());
    const store = await open(file);
    expect([...store.finished].map(({ id }) => id)).toEqual(["a", "b"]);
    await store.add(result("c"));
    await store.close();
    expect(read(file)).toBe(line("a") + line("b") + line("c"));
  });

  it("begins anew where the very first line broke off, and takes zeros off that a loss of power left", async () => {
    for (const text of ['{"i', '{"id":"a","index":', "\0".repeat(512)]) {
      const file = aFile(text);
      const store = await open(file);
      await store.add(result("a"));
      await store.close();
      expect(read(file)).toBe(line("a"));
    }
    const file = aFile(`${line("a")}\0\0\0\0\n\0\0`);
    await (await open(file)).close();
    expect(read(file)).toBe(line("a"));
  });

  it.each([
    ["a line of something else", `${line("a")}hello\n${line("b")}`, /line 2 is no result of a batch/],
    ["another line at its end", `${line("a")}{"id":1}\n`, /line 2 is no result/],
    ["a text", "My notes", /line 1 is no result/],
    [
      "a result that stands twice",
      line("a") + line("b") + line("a"),
      /line 3: the result of "a" is there already, on line 1/,
    ],
  ])("refuses %s, and leaves the file as it is", async (_, text, message) => {
    const file = aFile(text);
    const fault = await faultOf(open(file));
    expect(isBatchError(fault) && fault.kind).toBe("store");
    expect(String(fault)).toMatch(message);
    expect(read(file)).toBe(text);
    expect(fs.existsSync(`${file}.lock`)).toBe(false);
  });

  it("forgets what failed, when told to", async () => {
    const failed = line("b", { outcome: "invalid_request" });
    const file = aFile(line("a") + failed + line("c") + failed.slice(0, 20).replace("b", "d"));
    const store = await open(file, true);
    expect([...store.finished].map(({ id }) => id)).toEqual(["a", "c"]);
    await store.close();
    expect(read(file)).toBe(line("a") + line("c"));
    await (await open(aFile(), true)).close();
  });

  it("says that it cannot be written", async () => {
    const fault = await faultOf(open(path.join(folder, "missing", "results.ndjson")));
    expect(fault).toMatchObject({
      kind: "store",
      message: expect.stringMatching(/results\.ndjson cannot be written: ENOENT/),
    });
  });
});

describe("the lock of a file", () => {
  it("refuses a second batch in the same process, and says who has it", async () => {
    const file = aFile();
    const store = await open(file);
    const fault = await faultOf(open(file));
    expect(fault).toMatchObject({
      kind: "in_use",
      message: expect.stringMatching(new RegExp(`is in use by process ${process.pid} on `)),
    });
    await store.close();
    await (await open(file)).close();
  });

  const lockOf = (file: string, owner: object) => {
    fs.writeFileSync(
      `${file}.lock`,
      JSON.stringify({ pid: 1, host: os.hostname(), since: "2026-11-30", token: "x", ...owner }),
    );
  };

  it("of a process that is gone is taken over, also where this one has got its number", () => {
    for (const pid of [2 ** 30, process.pid]) {
      const file = aFile();
      lockOf(file, { pid, since: "2020-01-01T00:00:00Z" });
      const lock = takeLock(file);
      expect("release" in lock).toBe(true);
      if ("release" in lock) lock.release();
      expect(fs.existsSync(`${file}.lock`)).toBe(false);
    }
  });

  it("of another process or another thread that lives is kept", () => {
    const file = aFile();
    lockOf(file, { pid: process.ppid });
    expect(takeLock(file)).toMatchObject({ pid: process.ppid });
    lockOf(file, { pid: process.pid, since: new Date().toISOString() });
    expect(takeLock(file)).toMatchObject({ pid: process.pid });
  });

  it("of another machine is kept while that says that it lives", () => {
    const file = aFile();
    lockOf(file, { host: "elsewhere" });
    expect(takeLock(file)).toMatchObject({ host: "elsewhere" });
    const old = new Date(Date.now() - 180_000);
    fs.utimesSync(`${file}.lock`, old, old);
    const lock = takeLock(file);
    expect("release" in lock).toBe(true);
    if ("release" in lock) lock.release();
  });
});

describe("items of a file", () => {
  const collect = async <T>(items: AsyncIterable<T>) => {
    const all: T[] = [];
    for await (const item of items) all.push(item);
    return all;
  };

  it("are its lines, or the JSON in them, without empty ones, and can be read again", async () => {
    const lines = readLines(aFile("\uFEFFone\r\n\n  \ntwo"));
    expect([await lines.count(), await collect(lines), await collect(lines)]).toEqual([
      2,
      ["one", "two"],
      ["one", "two"],
    ]);
    expect(await collect(readNdjson(aFile('{"a":1}\n\n"b"\n')))).toEqual([{ a: 1 }, "b"]);
    expect(await readLines(aFile("")).count()).toBe(0);
  });

  it.each([
    ["no JSON", (file: string) => readNdjson(file), /line 3 is no JSON \(.*\)$/],
    [
      "not what is wanted",
      (file: string) =>
        readNdjson(file, (value) => {
          if (value === "b") throw new Error("has no prompt");
          return value;
        }),
      /line 2 has no prompt$/,
    ],
  ])("that are %s are told with their line, before anything is asked", async (_, items, message) => {
    const file = aFile('"a"\n"b"\n{"c":\n');
    let calls = 0;
    const fault = await faultOf(runBatch({ items: items(file), run: () => ++calls }));
    expect(fault).toMatchObject({ kind: "input", message: expect.stringMatching(message) });
    expect(String(fault)).toContain(file);
    expect(calls).toBe(0);
  });

  it("of a file that is not there", async () => {
    const fault = await faultOf(runBatch({ items: readLines(path.join(folder, "no.txt")), run: () => 1 }));
    expect(fault).toMatchObject({
      kind: "input",
      message: expect.stringMatching(/no\.txt cannot be read: ENOENT/),
    });
  });
});

describe("a batch from file to file", () => {
  it("writes what it reads, and goes on in a file that was cut anywhere", async () => {
    const items = aFile(Array.from({ length: 40 }, (_, i) => `${JSON.stringify({ n: i })}\n`).join(""));
    const file = aFile();
    const run = async ({ n }: { n: number }) => ({ twice: 2 * n });
    const read = () => readNdjson<{ n: number }>(items);
    const first = await runBatch({ items: read(), run, store: resultFile(file) });
    expect(first).toMatchObject({ done: 40, isComplete: true });
    const bytes = fs.readFileSync(file);
    for (let cut = 0; cut < bytes.length; cut += 501) {
      fs.writeFileSync(file, bytes.subarray(0, cut));
      await runBatch({ items: read(), run, store: resultFile(file, { sync: "system" }) });
      const results = await readResults<{ twice: number }>(file);
      expect(
        results.map(({ index, value }) => [index, value?.twice]).sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0)),
      ).toEqual(Array.from({ length: 40 }, (_, i) => [i, 2 * i]));
    }
  });
});

describe("stopOnInterrupt", () => {
  it("fires at the first Ctrl-C, which may come twice at once, and ends the process at the second", () => {
    const exit = vi.spyOn(process, "exit").mockImplementation((() => {}) as never);
    const clock = vi.spyOn(performance, "now").mockReturnValue(1_000);
    const before = process.listenerCount("SIGINT");
    const interrupt = stopOnInterrupt();
    const press = process.listeners("SIGINT").at(-1) as () => void;
    expect(interrupt.signal.aborted).toBe(false);
    press();
    press();
    expect([interrupt.signal.aborted, exit.mock.calls]).toEqual([true, []]);
    clock.mockReturnValue(3_000);
    press();
    expect(exit).toHaveBeenCalledWith(130);
    interrupt.dispose();
    expect(process.listenerCount("SIGINT")).toBe(before);
    vi.restoreAllMocks();
  });
});
