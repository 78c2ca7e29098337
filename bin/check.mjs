#!/usr/bin/env node
// What can be checked in seconds and without a database: format, lint, types, pure tests, all at the same time.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { prepare } from "./prepare.mjs";
import { runTogether } from "./run.mjs";

await prepare({ build: false });
// What TypeScript found the last time lies outside of the checkout, as what Vitest keeps does.
const cache = path.join(os.tmpdir(), `busyhour-check-${process.getuid?.() ?? "user"}`);
fs.mkdirSync(cache, { recursive: true, mode: 0o700 });
process.exitCode = await runTogether([
  ["vitest", "run", "--project", "unit"],
  ["tsc", "-p", ".", "--incremental", "--tsBuildInfoFile", path.join(cache, "types.json")],
  ["biome", "check", "."],
]);
