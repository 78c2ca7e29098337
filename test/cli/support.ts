import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";

const root = path.join(import.meta.dirname, "..", "..");

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCommand {
  readonly process: ChildProcess;
  /** Resolves once stdout or stderr matches. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
  readonly finished: Promise<Finished>;
}

/** The commands as people run them, built, each in a process of its own, on a data folder of the test's own. */
export function createShell(environment: Record<string, string> = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour cli "));
  fs.chmodSync(folder, 0o755);
  const running = new Set<ChildProcess>();
  afterAll(async () => {
    for (const child of running) child.kill("SIGKILL");
    await new Promise((resolve) => setTimeout(resolve, running.size > 0 ? 500 : 0));
    fs.rmSync(folder, { recursive: true, force: true });
  });

  function start(args: readonly string[], input?: string, env: Record<string, string> = {}): RunningCommand {
    const child = spawn(process.execPath, [path.join(root, "bin", "busyhour.mjs"), ...args], {
      cwd: folder,
      env: {
        ...inherited(),
        BUSYHOUR_DATA_DIR: path.join(folder, "data"),
        PORT: "0",
        ...environment,
        ...env,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    running.add(child);
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
    const seen = { stdout: "", stderr: "" };
    const listeners = new Set<() => void>();
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        seen[name] += text;
        for (const listener of listeners) listener();
      });
    }
    const finished = new Promise<Finished>((resolve) => {
      child.on("close", (code) => {
        running.delete(child);
        resolve({ code, ...seen });
        for (const listener of listeners) listener();
      });
    });
    return {
      process: child,
      finished,
      until(pattern) {
        return new Promise((resolve, reject) => {
          const look = () => {
            const match = pattern.exec(seen.stderr) ?? pattern.exec(seen.stdout);
            if (match !== null) resolve(match);
            else if (child.exitCode !== null)
              reject(new Error(`ended without ${pattern}:\n${seen.stderr}${seen.stdout}`));
          };
          listeners.add(look);
          look();
        });
      },
    };
  }

  return { folder, start, run: (...given: Parameters<typeof start>) => start(...given).finished };
}

/** Nothing of the developer's own settings reaches the commands under test. */
function inherited(): Record<string, string | undefined> {
  const names = ["PATH", "HOME", "TMPDIR", "LANG", "NODE_PATH", "USER", "LOGNAME"];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
