import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, onTestFinished } from "vitest";

const root = path.join(import.meta.dirname, "..", "..");
let work = "";

/** The SDK as it is published, built for the test file that says so; apps that import it need no compiler. */
export function buildPackageBeforeAll(): void {
  beforeAll(async () => {
    work = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-sdk-"));
    const folder = path.join(work, "node_modules", "@busyhour", "sdk");
    await promisify(execFile)(process.execPath, ["bin/build-sdk.mjs", folder], { cwd: root });
  }, 120_000);
  afterAll(() => fs.rmSync(work, { recursive: true, force: true }));
}

export interface Sink {
  readonly url: string;
  /** How often each event came, by id. */
  readonly arrived: Map<string, number>;
  /** What the next requests are answered with; 202 when it is empty. `hang`: not at all. */
  mode: "take" | "hang" | 503;
  close(): void;
}

/** A server that takes events, and stands for Busyhour's where only what was sent matters. */
export async function startSink(): Promise<Sink> {
  const arrived = new Map<string, number>();
  const server = http.createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const text = String(req.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body);
    if (sink.mode === "hang") return;
    if (sink.mode === 503) {
      res.writeHead(503, { "retry-after": "1" }).end("{}");
      return;
    }
    const { attempts } = JSON.parse(text) as { attempts: { eventId: string }[] };
    for (const { eventId } of attempts) arrived.set(eventId, (arrived.get(eventId) ?? 0) + 1);
    res.writeHead(202).end(JSON.stringify({ accepted: attempts.length, duplicates: 0, rejected: [] }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const sink: Sink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived,
    mode: "take",
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  onTestFinished(() => sink.close());
  return sink;
}

export interface App {
  readonly process: ChildProcess;
  /** Exit code, or the signal that ended it; and how long it took from `since`. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; atMs: number }>;
  /** Everything it printed. */
  readonly output: () => string;
  /** Resolves once it has printed this. */
  waitFor(text: string): Promise<void>;
}

let apps = 0;

/** Runs JavaScript as an app of its own, in ESM, with `createReporter` and `createSpool` imported. */
export function startApp(code: string): App {
  const file = path.join(work, `app-${apps++}.mjs`);
  fs.writeFileSync(
    file,
    `import { createReporter } from "@busyhour/sdk";\nimport { createSpool } from "@busyhour/sdk/spool";\n${code}`,
  );
  const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "pipe"] });
  let text = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      for (const listener of listeners) listener();
    });
  }
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, atMs: performance.now() }));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return {
    process: child,
    ended,
    output: () => text,
    waitFor: (wanted) =>
      new Promise((resolve, reject) => {
        const look = () => text.includes(wanted) && resolve();
        listeners.add(look);
        void ended.then(() => reject(new Error(`it ended without printing ${wanted}: ${text}`)));
        look();
      }),
  };
}

/** A folder that is gone after the test. */
export function aFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-spool-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}
