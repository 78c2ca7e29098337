import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import type { AttemptRecord } from "../../server/contract/listing.ts";
import {
  EXPECTED,
  SNIPPETS,
  type SnippetName,
  writeSnippet,
} from "../../web/src/features/sources/snippets.ts";
import { startTestServer } from "../support/server.ts";

/** Snippets are run as they are, by what people have: their times are those of this machine. */
const api = await startTestServer({ nowMs: Date.now() });
const { key } = await api.createKey("ingest");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour snippets "));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
// As in an app that has installed what the snippets import.
fs.symlinkSync(path.join(import.meta.dirname, "..", "..", "node_modules"), path.join(folder, "node_modules"));

/** A provider that is at capacity at the first call, and answers at the next. */
let calls = 0;
const provider = createServer((_req, res) => {
  calls += 1;
  res.writeHead(calls % 2 === 1 ? 503 : 200, { "content-type": "application/json" });
  res.end(JSON.stringify(calls % 2 === 1 ? { error: { type: "overloaded", message: "at capacity" } } : {}));
});
await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
afterAll(() => provider.close());
const providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;

const snippet = (name: SnippetName) =>
  writeSnippet(name, { origin: api.url, key, occurredAt: new Date(api.clock.nowMs - 60_000).toISOString() });

const has = (program: string) => spawnSync(program, ["--version"]).status === 0;
const root = path.join(import.meta.dirname, "..", "..");

/** Runs a program in the test's own folder. The server is in this process, so nothing may block. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { cwd: folder, timeout: 60_000 });
  return stdout;
}

const runNode = (args: readonly string[]) =>
  run(process.execPath, ["--import", import.meta.resolve("tsx"), ...args]);

/** What a model was stored with, newest first; each snippet's test uses a model of its own name. */
async function stored(model: string): Promise<AttemptRecord[]> {
  api.clock.nowMs = Date.now();
  return (await api.get(`/api/attempts?model=${model}`)).attempts;
}

const asModel = (text: string, model: string) => text.replaceAll("gpt-5", model);

describe("snippets, run for real", () => {
  it.skipIf(!has("curl"))("curl: one event, and the answer that is promised", async () => {
    const answer = await run("bash", ["-c", asModel(snippet("curl"), "by-curl")]);
    const [expected = ""] = (EXPECTED.curl ?? "").split("…");
    expect(answer.startsWith(expected)).toBe(true);
    expect(await stored("by-curl")).toMatchObject([
      { source: "my-app", outcome: "capacity", httpStatus: 503, latencyMs: 820 },
    ]);
  });

  it("TypeScript: wraps calls, reports both ends, and disturbs neither", async () => {
    const file = path.join(folder, "measured.mts");
    const use = `
for (let i = 0; i < 2; i++) console.log((await measured("acme", "by-typescript", () => fetch("${providerUrl}"))).status);
await measured("acme", "by-typescript", () => fetch("http://127.0.0.1:1")).catch((error) => console.log(error.name));
export {};
`;
    fs.writeFileSync(file, snippet("typescript") + use);
    expect(await runNode([file])).toBe("503\n200\nTypeError\n");
    const attempts = await stored("by-typescript");
    expect(attempts.map(({ httpStatus }) => httpStatus).sort()).toEqual([200, 503, null]);
    const failure = attempts.find(({ httpStatus }) => httpStatus === 503);
    expect(failure?.error).toMatchObject({ type: "overloaded", message: "at capacity" });
    expect(attempts.find(({ httpStatus }) => httpStatus === null)?.outcome).toBe("network");
  });

  it("SDK: reports each attempt, names what failed, and ends when it has", async () => {
    const file = path.join(folder, "reported.mts");
    const use = `
for (let i = 0; i < 2; i++) console.log((await reported("acme", "by-sdk", () => fetch("${providerUrl}"))).status);
await reported("acme", "by-sdk", () => fetch("http://127.0.0.1:1")).catch((error) => console.log(error.name));
`;
    fs.writeFileSync(file, snippet("sdk") + use);
    expect(await runNode([file])).toBe("503\n200\nTypeError\n");
    const attempts = await stored("by-sdk");
    expect(attempts.map(({ outcome, httpStatus }) => [outcome, httpStatus]).sort()).toEqual([
      ["capacity", 503],
      ["network", null],
      ["ok", 200],
    ]);
  });

  it("OpenTelemetry: an exporter finds the way by the variables alone", async () => {
    const file = path.join(folder, "trace.mts");
    fs.writeFileSync(
      file,
      `import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
const provider = new TracerProvider({
  resource: resourceFromAttributes({ "service.name": process.env.OTEL_SERVICE_NAME }),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
});
const attributes = { "gen_ai.operation.name": "chat", "gen_ai.provider.name": "acme", "gen_ai.request.model": "by-otel" };
provider.getTracer("x").startSpan("chat", { attributes }).end();
await provider.forceFlush();
await provider.shutdown();
`,
    );
    const start = `"${process.execPath}" --import "${import.meta.resolve("tsx")}" "${file}"`;
    await run("bash", ["-c", `${snippet("opentelemetry")}\n${start}`]);
    expect(await stored("by-otel")).toMatchObject([{ source: "my-app", provider: "acme", outcome: "ok" }]);
  });

  it("LiteLLM: what its callback sends to that address with that header is stored", async () => {
    const text = snippet("litellm");
    const read = (name: string) => new RegExp(`^ +${name}: (.*)$`, "m").exec(text)?.[1] ?? "";
    const startTime = Date.now() / 1_000 - 60;
    const answer = await fetch(read("endpoint"), {
      method: "POST",
      headers: { authorization: read("Authorization"), "content-type": "application/json" },
      body: JSON.stringify([
        {
          id: "chatcmpl-1",
          call_type: "acompletion",
          status: "success",
          custom_llm_provider: "acme",
          model: "by-litellm",
          startTime,
          endTime: startTime + 1,
        },
      ]),
    });
    expect([answer.status, (await answer.json()).accepted]).toEqual([202, 1]);
    expect(await stored("by-litellm")).toMatchObject([{ source: "litellm", provider: "acme" }]);
  });

  it.skipIf(!has("python3"))("Python: reports from a thread, and ends when it has", async () => {
    const file = path.join(folder, "report.py");
    fs.writeFileSync(file, asModel(snippet("python"), "by-python"));
    await run("python3", [file]);
    expect(await stored("by-python")).toMatchObject([{ source: "my-app", httpStatus: 200 }]);
  });

  it("CSV: the file that it describes is imported by the command that it names, and not twice", {
    timeout: 120_000,
  }, async () => {
    const text = asModel(snippet("csv"), "by-csv");
    const lines = text.split("\n");
    const csv = lines.filter((line) => line.startsWith("#   ")).map((line) => line.slice(4));
    expect(csv).toHaveLength(2);
    fs.writeFileSync(path.join(folder, "calls.csv"), `${csv.join("\n")}\n`);
    const command = lines.find((line) => line.startsWith("npx busyhour ")) ?? "";
    const args = command.split(" ").slice(2);
    for (const _ of [1, 2]) await runNode([path.join(root, "server", "main.ts"), ...args]);
    expect(await stored("by-csv")).toMatchObject([
      { source: "my-app", outcome: "capacity", httpStatus: 503, latencyMs: 820 },
    ]);
  });

  it("are all of them here", () => {
    expect([...SNIPPETS].sort()).toEqual([
      "csv",
      "curl",
      "litellm",
      "opentelemetry",
      "python",
      "sdk",
      "typescript",
    ]);
  });
});
