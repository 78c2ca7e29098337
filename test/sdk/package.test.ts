import { execFile } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import vm from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const root = path.join(import.meta.dirname, "..", "..");
const tool = (file: string) => path.join(root, "node_modules", file);
const work = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-sdk-"));
afterAll(() => fs.rmSync(work, { recursive: true, force: true }));

let tarball = "";

beforeAll(async () => {
  const folder = path.join(work, "sdk");
  await run(process.execPath, ["bin/build-sdk.mjs", folder], { cwd: root });
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", work], { cwd: folder });
  tarball = path.join(work, JSON.parse(stdout)[0].filename);
});

/** Hands 600 events to a server of its own, half of them by way of a spool, and prints what arrived. */
const APP = `
async function main(createReporter, createSpool, OUTCOMES) {
  const bodies = [];
  const server = http.createServer(async (req, res) => {
    const chunks = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const isPacked = req.headers["content-encoding"] === "gzip";
    const { attempts } = JSON.parse(String(isPacked ? zlib.gunzipSync(body) : body));
    bodies.push({ isPacked, ids: attempts.map(({ eventId }) => eventId) });
    res.writeHead(202).end(JSON.stringify({ accepted: attempts.length, duplicates: 0, rejected: [] }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = \`http://127.0.0.1:\${server.address().port}\`;
  const reporters = [
    createReporter({ url, key: "k", source: "memory" }),
    createReporter({ url, key: "k", source: "spool", spool: createSpool({ folder: "spool" }) }),
  ];
  for (const { report } of reporters) {
    for (let i = 0; i < 300; i++) report({ occurredAt: Date.now(), provider: "p", model: "m", outcome: OUTCOMES[0] });
  }
  await Promise.all(reporters.map((reporter) => reporter.close()));
  server.close();
  server.closeAllConnections();
  process.stdout.write(JSON.stringify({
    stored: reporters.map((reporter) => reporter.stats().stored),
    distinct: new Set(bodies.flatMap(({ ids }) => ids)).size,
    isPacked: bodies.every((body) => body.isPacked),
  }));
}`;

const EXPECTED = { stored: [300, 300], distinct: 600, isPacked: true };

async function aProject(name: string, manifest: object, files: Record<string, string>): Promise<string> {
  const folder = path.join(work, name);
  fs.mkdirSync(folder);
  fs.writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name, private: true, ...manifest }));
  for (const [file, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, file), text);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: folder });
  return folder;
}

describe("the packed SDK", () => {
  it("holds what is meant to be published, and needs nothing", async () => {
    const { stdout } = await run("tar", ["-tzf", tarball]);
    const files = stdout.trim().split("\n");
    expect(files).toEqual(
      expect.arrayContaining(["package/README.md", "package/esm/index.js", "package/cjs/index.js"]),
    );
    expect(files.filter((file) => /\.test\.|virtual|(?<!\.d)\.ts$/.test(file))).toEqual([]);
    const { stdout: text } = await run("tar", ["-xzOf", tarball, "package/package.json"]);
    const manifest = JSON.parse(text);
    expect(manifest).toMatchObject({ name: "@busyhour/sdk", sideEffects: false });
    expect([manifest.private, manifest.dependencies]).toEqual([undefined, undefined]);
  });

  it("works in an ESM project", async () => {
    const folder = await aProject(
      "esm",
      { type: "module" },
      {
        "app.js": `import http from "node:http"; import zlib from "node:zlib";
        import { createReporter, OUTCOMES } from "@busyhour/sdk"; import { createSpool } from "@busyhour/sdk/spool";
        ${APP} await main(createReporter, createSpool, OUTCOMES);`,
      },
    );
    expect(JSON.parse((await run(process.execPath, ["app.js"], { cwd: folder })).stdout)).toEqual(EXPECTED);
  });

  it("works in a CommonJS project", async () => {
    const folder = await aProject(
      "cjs",
      {},
      {
        "app.js": `const http = require("node:http"); const zlib = require("node:zlib");
        const { createReporter, OUTCOMES } = require("@busyhour/sdk"); const { createSpool } = require("@busyhour/sdk/spool");
        ${APP} main(createReporter, createSpool, OUTCOMES);`,
      },
    );
    expect(JSON.parse((await run(process.execPath, ["app.js"], { cwd: folder })).stdout)).toEqual(EXPECTED);
  });

  const TYPED = `import { type AttemptEvent, createReporter, type Reporter, type ReporterStats } from "@busyhour/sdk";
    const reporter: Reporter = createReporter({ url: "http://127.0.0.1:1", key: "k", onProblem: ({ code }) => { const c: string = code; void c; } });
    const event: AttemptEvent = { occurredAt: Date.now(), provider: "p", model: "m", outcome: "capacity" };
    const report: (event: AttemptEvent) => void = reporter.report;
    report(event);
    // @ts-expect-error no such outcome
    report({ ...event, outcome: "full" });
    const stats: ReporterStats = reporter.stats();
    console.log(stats.reported + stats.waiting);
    void reporter.close();`;
  const tsc = [tool("typescript/bin/tsc"), "-p", "."];
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, target: "es2022" };
  const nodeTypes = { types: ["node"], typeRoots: [tool("@types")] };

  it("works in a TypeScript project, compiled to ESM and to CommonJS", async () => {
    const typed = `${TYPED}
      import { createSpool } from "@busyhour/sdk/spool";
      import { type BatchSummary, runBatch } from "@busyhour/sdk";
      import { readNdjson, resultFile } from "@busyhour/sdk/files";
      void createSpool({ folder: "spool" });
      export const ask = (): Promise<BatchSummary<number>> =>
        runBatch({ items: readNdjson<{ n: number }>("in"), run: ({ n }) => 2 * n, store: resultFile("out") });`;
    const folder = await aProject(
      "typescript",
      {},
      {
        "tsconfig.json": JSON.stringify({
          compilerOptions: { ...strict, ...nodeTypes, module: "nodenext", outDir: "out" },
          files: ["esm.mts", "cjs.cts"],
        }),
        "esm.mts": typed,
        "cjs.cts": typed,
      },
    );
    await run(process.execPath, tsc, { cwd: folder });
    for (const file of ["out/esm.mjs", "out/cjs.cjs"]) {
      expect((await run(process.execPath, [file], { cwd: folder })).stdout).toBe("4\n");
    }
  });

  it("works where there is nothing of Node: types with a bundler's settings, code with the web's globals alone", async () => {
    const folder = await aProject(
      "edge",
      { type: "module" },
      {
        "tsconfig.json": JSON.stringify({
          compilerOptions: {
            ...strict,
            module: "esnext",
            moduleResolution: "bundler",
            lib: ["es2022", "dom"],
            types: [],
            noEmit: true,
          },
          files: ["typed.ts"],
        }),
        "typed.ts": TYPED,
        "app.js": `import { createReporter, runBatch } from "@busyhour/sdk";
        const held = [];
        batch = runBatch({ items: [1, 2, 3], run: (n) => 2 * n });
        const reporter = createReporter({
          url: "http://server", key: "k", waitUntil: (promise) => held.push(promise),
          fetch: async (url, init) => {
            sent.push({ url, encoding: init.headers["content-encoding"], size: init.body.byteLength });
            return Response.json({ accepted: 100, duplicates: 0, rejected: [] }, { status: 202 });
          },
        });
        for (let i = 0; i < 100; i++) reporter.report({ occurredAt: Date.now(), provider: "p", model: "m" });
        done = reporter.flush().then(() => Promise.all(held)).then(() => reporter.stats());`,
      },
    );
    await run(process.execPath, tsc, { cwd: folder });
    const bundle = await build({
      absWorkingDir: folder,
      entryPoints: ["app.js"],
      bundle: true,
      write: false,
      format: "iife",
      platform: "browser",
      minify: true,
    });
    const code = bundle.outputFiles[0]?.text ?? "";
    expect(code).not.toContain("node:");
    const sent: { url: string; encoding: string; size: number }[] = [];
    const {
      URL,
      Response,
      CompressionStream,
      TextEncoder,
      AbortController,
      crypto,
      performance,
      setTimeout,
      clearTimeout,
    } = globalThis;
    const web = {
      URL,
      Response,
      CompressionStream,
      TextEncoder,
      AbortController,
      crypto,
      performance,
      setTimeout,
      clearTimeout,
    };
    const context = vm.createContext({ ...web, console, sent, done: null, batch: null });
    vm.runInContext(code, context);
    expect(await context["done"]).toMatchObject({ reported: 100, stored: 100 });
    expect(sent).toEqual([{ url: "http://server/v1/attempts", encoding: "gzip", size: expect.any(Number) }]);
    expect(sent[0]?.size).toBeLessThan(5_000);
    expect(await context["batch"]).toMatchObject({
      done: 3,
      results: [{ value: 2 }, { value: 4 }, { value: 6 }],
    });
  });

  it("is packed as publint and Are the types wrong? want it", async () => {
    await run(process.execPath, [tool("publint/src/cli.js"), "run", tarball, "--strict"]);
    await run(process.execPath, [tool("@arethetypeswrong/cli/dist/index.js"), tarball]);
  });

  it("is small, each part for itself", async () => {
    const sizeOf = async (contents: string) => {
      const { outputFiles } = await build({
        stdin: { contents, resolveDir: path.join(work, "sdk", "esm") },
        bundle: true,
        write: false,
        format: "esm",
        minify: true,
        external: ["node:*"],
      });
      return gzipSync(outputFiles[0]?.contents ?? "").byteLength;
    };
    expect(await sizeOf(`export { createReporter } from "./index.js"`)).toBeLessThan(6_144);
    expect(await sizeOf(`export { createSpool } from "./spool/index.js"`)).toBeLessThan(4_096);
    expect(await sizeOf(`export { resultFile, readNdjson } from "./files/index.js"`)).toBeLessThan(4_096);
  });
}, 180_000);
