import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";

import type { AttemptEvent } from "@busyhour/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { importCommand } from "../../server/cli/import.ts";
import { createHttpSink } from "../../server/import/http-sink.ts";
import { unpack } from "./unpack.ts";

/** A server in this process that keeps ids, and refuses every event whose model is "bad". */
let server: Server;
let url: string;
let stored: Set<string>;
let onBatch: () => void;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "busyhour-import-"));
  stored = new Set();
  onBatch = () => {};
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    response.setHeader("content-type", "application/json");
    if (request.url === "/v1/limits") return void response.end('{"rawRetentionDays":36500}');
    const lines = unpack(Buffer.concat(parts), request.headers["content-encoding"]).trim().split("\n");
    response.writeHead(202).end(JSON.stringify(take(lines.map((line) => JSON.parse(line) as AttemptEvent))));
    onBatch();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(folder, { recursive: true });
});

function take(events: AttemptEvent[]) {
  const before = stored.size;
  const rejected = events.flatMap(({ model }, index) =>
    model === "bad" ? [{ index, pointer: "/model", detail: "is bad" }] : [],
  );
  for (const { eventId = "", model } of events) if (model !== "bad") stored.add(eventId);
  const accepted = stored.size - before;
  const duplicates = events.length - accepted - rejected.length;
  return { accepted, duplicates, rejected, withoutEventId: 0, unknownFields: {} };
}

async function run(...args: string[]) {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  let exitCode: number | undefined;
  let interrupt = () => {};
  onBatch = () => {
    if (args.includes("--break")) interrupt();
  };
  const command = importCommand({
    openSink: async ({ url: to = "", key = "", say, signal }) =>
      Object.assign(createHttpSink({ url: to, key, say, signal }), { close: async () => {} }),
    stdin: Readable.from([]),
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
    now: () => Date.parse("2026-07-05T00:00:00Z"),
    onInterrupt(callback) {
      interrupt = callback;
      return () => {};
    },
    setExitCode(code) {
      exitCode = code;
    },
  });
  const rejects = join(folder, "rejects.ndjson");
  const flags = [
    "--url",
    url,
    "--key",
    "k",
    "--rejects",
    rejects,
    ...args.filter((arg) => arg !== "--break"),
  ];
  await command.parseAsync(flags, { from: "user" });
  return { exitCode, stdout: stdout.join(""), stderr: stderr.join("") };
}

async function write(name: string, models: readonly string[]): Promise<string> {
  const path = join(folder, name);
  const rows = models.map((model, at) => `${1_783_173_548_000 + at},openai,${model}`);
  await writeFile(path, `ts,provider,model\n${rows.join("\n")}\n`);
  return path;
}

const many = Array.from({ length: 50_000 }, (_, at) => (at === 49_998 ? "bad" : "good"));

test("what the server rejects is found again by its line", async () => {
  const path = await write("a.csv", many);
  const { exitCode, stdout } = await run(path);
  expect(exitCode).toBe(3);
  expect(stdout).toContain("accepted    49,999");
  expect(stdout).toContain(`1 × /model is bad (${path}, line 50000)`);
  const rejects = (await readFile(join(folder, "rejects.ndjson"), "utf8")).trim();
  expect(JSON.parse(rejects)).toEqual({ file: path, line: 50_000, pointer: "/model", detail: "is bad" });
});

test("broken off and repeated it stores every row once", async () => {
  const path = await write("a.csv", many.slice(0, -2));
  const first = await run(path, "--break");
  expect(first.exitCode).toBe(130);
  expect(first.stdout).toContain("Run the same command again");
  expect(stored.size).toBeGreaterThan(0);
  expect(stored.size).toBeLessThan(49_998);
  const second = await run(path);
  expect(second.exitCode).toBe(0);
  expect(stored.size).toBe(49_998);
});

test("a fault in the options or the file ends with 1 and one clear message", async () => {
  const path = await write("a.csv", ["good"]);
  expect(await run(path, "--map", "speed=x")).toMatchObject({ exitCode: 1, stdout: "" });
  const { exitCode, stderr } = await run(join(folder, "none.csv"));
  expect(exitCode).toBe(1);
  expect(stderr).toBe(`${join(folder, "none.csv")}: there is no such file\n`);
  expect((await run(path, "--zone", "Mars")).stderr).toContain("no such time zone");
  expect(stored.size).toBe(0);
});

test("an import of nothing fails, and says of which file", async () => {
  const path = join(folder, "empty.csv");
  for (const [content, words] of [
    ["", "is empty"],
    ["ts,provider,model\n", "has a header line and no rows"],
  ]) {
    await writeFile(path, content ?? "");
    for (const flags of [[], ["--dry-run"]]) {
      const { exitCode, stdout, stderr } = await run(path, ...flags);
      expect([exitCode, stderr]).toEqual([1, `${path}: ${words}.\nNothing was imported.\n`]);
      expect(stdout).toBe("");
    }
  }
});

test("a dry run needs no server", async () => {
  const path = await write("a.csv", ["good", ""]);
  const { exitCode, stdout } = await run(path, "--dry-run", "--url", "http://127.0.0.1:1");
  expect(exitCode).toBe(3);
  expect(stdout).toContain("Of the first 2 rows 1 are good, 1 bad.");
});
