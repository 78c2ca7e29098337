// Runs tools of the project from the project's folder.
import { spawn } from "node:child_process";
import path from "node:path";
import { root } from "./prepare.mjs";

/** Runs a program of node_modules/.bin; resolves with its exit code. Signals are passed on, nothing is left behind. */
export function run(name, args, { stdio = "inherit", onOutput = () => {} } = {}) {
  return new Promise((resolve) => {
    const child = spawn(path.join(root, "node_modules", ".bin", name), args, { cwd: root, stdio });
    const pass = (signal) => child.kill(signal);
    for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, pass);
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", onOutput);
    child.on("close", (code, signal) => {
      for (const name of ["SIGINT", "SIGTERM"]) process.off(name, pass);
      resolve(code ?? (signal === null ? 1 : 128));
    });
  });
}

/**
 * Runs programs at the same time: the first one shows its output as it comes, the others theirs when they have ended.
 *
 * @returns 0 when all succeeded, else the exit code of the first in the list that did not
 */
export async function runTogether([first, ...others]) {
  const codes = await Promise.all([run(first[0], first.slice(1)), ...others.map(runQuietly)]);
  const failed = [first, ...others].filter((_, i) => codes[i] !== 0);
  if (failed.length > 0) process.stderr.write(`Failed: ${failed.map(([name]) => name).join(", ")}\n`);
  return codes.find((code) => code !== 0) ?? 0;
}

async function runQuietly([name, ...args]) {
  const output = [];
  const stdio = ["ignore", "pipe", "pipe"];
  const code = await run(name, args, { stdio, onOutput: (bytes) => output.push(bytes) });
  process.stdout.write(`\n${name}: ${code === 0 ? "ok" : "failed"}\n${Buffer.concat(output)}`);
  return code;
}
