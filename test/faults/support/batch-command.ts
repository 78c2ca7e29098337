import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";

const root = path.join(import.meta.dirname, "..", "..", "..");

/** `busyhour batch`, in one file, so that a process of it starts in no time. */
export interface BatchCommand {
  /** A folder of its own, for input and output. */
  readonly folder: string;
  start(args: readonly string[], env?: Record<string, string>): BatchProcess;
  remove(): void;
}

export interface BatchProcess {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
}

export async function makeBatchCommand(): Promise<BatchCommand> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-batch-"));
  const file = path.join(folder, "busyhour.cjs");
  await build({
    stdin: {
      contents: `import { aloneMain } from "./server/cli/alone-main.ts"; void aloneMain(process.argv.slice(2), "test");`,
      resolveDir: root,
    },
    outfile: file,
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    logLevel: "warning",
  });
  const running = new Set<ChildProcess>();
  return {
    folder,
    start(args, env = {}) {
      const child = spawn(process.execPath, [file, "batch", ...args], {
        cwd: folder,
        env: { PATH: process.env["PATH"], ...env },
        stdio: ["ignore", "ignore", "pipe"],
      });
      running.add(child);
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      const ended = once(child, "close").then(([code]) => {
        running.delete(child);
        return { code: code as number | null, stderr };
      });
      return { child, ended };
    },
    remove() {
      for (const child of running) child.kill("SIGKILL");
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
