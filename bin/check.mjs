#!/usr/bin/env node
// What can be checked in seconds and without a database: format, lint, types, pure tests.
import { prepare } from "./prepare.mjs";
import { runAll } from "./run.mjs";

await prepare({ build: false });
await runAll([
  ["biome", "check", "."],
  ["tsc", "-p", "."],
  ["vitest", "run", "--project", "unit"],
]);
