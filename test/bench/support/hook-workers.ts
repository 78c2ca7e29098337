import { type ChildProcess, fork } from "node:child_process";
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Order } from "./hook-process.ts";
import type { HookName } from "./hooks.ts";

/** A watched process, and the way to give it an order. */
export interface Worker {
  readonly name: HookName;
  order(order: Order): Promise<number>;
  stop(): void;
}

/**
 * Processes that run what is shipped: compiled once, with nothing of the tool that runs the benchmark, which would
 * slow down our code and not that of packages.
 */
export async function startWorkers(names: readonly HookName[], url: string): Promise<Worker[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-bench-"));
  process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
  const script = path.join(folder, "hook-process.mjs");
  const resolve = createRequire(import.meta.url).resolve;
  await build({
    entryPoints: [path.join(import.meta.dirname, "hook-process.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    plugins: [
      {
        name: "packages-where-they-are",
        setup({ onResolve }) {
          onResolve({ filter: /^@opentelemetry\// }, ({ path: id }) => ({
            path: pathToFileURL(resolve(id)).href,
            external: true,
          }));
        },
      },
    ],
  });
  return Promise.all(names.map((name) => startWorker(name, script, url)));
}

function startWorker(name: HookName, script: string, url: string): Promise<Worker> {
  const child = fork(script, [name, url], { execArgv: ["--expose-gc"] });
  child.setMaxListeners(0);
  const worker: Worker = { name, order: (order) => ask(child, order), stop: () => void child.kill() };
  return new Promise((resolve) => child.once("message", () => resolve(worker)));
}

function ask(child: ChildProcess, order: Order): Promise<number> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("a measured process has ended"));
    child.once("exit", onExit);
    child.once("message", (cost) => {
      child.removeListener("exit", onExit);
      resolve(cost as number);
    });
    child.send(order);
  });
}
