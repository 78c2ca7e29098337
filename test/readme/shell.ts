import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..", "..");

export interface ShellResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Shell {
  /** Runs code to its end, as if it were typed after what ran before: variables stay. */
  run(code: string): Promise<ShellResult>;
  /** Runs code until its output matches; it goes on behind. @throws Error when it ends before */
  start(code: string, until: RegExp): Promise<Background>;
}

export interface Background {
  /** stdout and stderr so far. */
  output(): string;
  /** Exit code, once it has ended. */
  readonly ended: Promise<number | null>;
}

/** A shell in the project's folder that keeps what it must remember in `folder`. */
export function openShell(folder: string, env: Record<string, string>): Shell {
  const memory = path.join(folder, "variables.sh");
  fs.writeFileSync(memory, "");
  const open = (code: string) =>
    spawn("bash", ["-c", `set -euo pipefail\nset -a\n. '${memory}'\n${code}\nexport -p > '${memory}'`], {
      cwd: root,
      env: { ...ordinaryEnvironment(), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
  return {
    run(code) {
      return new Promise((resolve, reject) => {
        const child = open(code);
        let [stdout, stderr] = ["", ""];
        child.stdout.setEncoding("utf8").on("data", (text: string) => {
          stdout += text;
        });
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          stderr += text;
        });
        child.once("error", reject);
        child.once("close", (exitCode) => resolve({ code: exitCode, stdout, stderr }));
      });
    },
    start(code, until) {
      const child = open(code);
      let output = "";
      const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
      return new Promise((resolve, reject) => {
        const hear = (text: string) => {
          output += text;
          if (until.test(output)) resolve({ output: () => output, ended });
        };
        child.stdout.setEncoding("utf8").on("data", hear);
        child.stderr.setEncoding("utf8").on("data", hear);
        ended.then((exitCode) => reject(new Error(`ended with ${exitCode}: ${output}`)));
      });
    },
  };
}

/** What a person's terminal has: nothing of the test runner, and no settings of a product that runs elsewhere. */
function ordinaryEnvironment(): Record<string, string> {
  const foreign =
    /^(?:VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|npm_(?:command|lifecycle|package)|BUSYHOUR_|DATABASE_URL$|HOST$)/;
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined || foreign.test(name) ? [] : [[name, value]],
    ),
  );
}
