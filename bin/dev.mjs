#!/usr/bin/env node
// Development: the server from its sources, restarted when they change, and Vite for the pages.
import { spawn } from "node:child_process";
import path from "node:path";
import { prepare, root } from "./prepare.mjs";

await prepare({ build: false });
const bin = (name) => path.join(root, "node_modules", ".bin", name);
const children = [
  spawn(bin("tsx"), ["watch", "--clear-screen=false", "server/main.ts", "start"], {
    cwd: root,
    stdio: "inherit",
  }),
  spawn(bin("vite"), ["--config", "vite.config.ts"], { cwd: root, stdio: "inherit" }),
];
const end = () => {
  for (const child of children) child.kill("SIGTERM");
};
// When one of them ends, so does the other.
for (const child of children) child.on("exit", end);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, end);
