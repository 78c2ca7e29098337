// Runs tools of the project one after the other, from the project's folder, and ends with the first failure.
import { spawn } from "node:child_process";
import path from "node:path";
import { root } from "./prepare.mjs";

/** Runs a program of node_modules/.bin; resolves with its exit code. Signals are passed on, nothing is left behind. */
export function run(name, args, { env = {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(path.join(root, "node_modules", ".bin", name), args, {
      cwd: root,
      stdio: "inherit",
      env: { ...process.env, ...env },
    });
    const pass = (signal) => child.kill(signal);
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, pass);
    child.on("exit", (code, signal) => {
      for (const name of ["SIGINT", "SIGTERM"]) process.off(name, pass);
      resolve(code ?? (signal === null ? 1 : 128));
    });
  });
}

export async function runAll(steps) {
  for (const [name, ...args] of steps) {
    const code = await run(name, args);
    if (code !== 0) process.exit(code);
  }
}
