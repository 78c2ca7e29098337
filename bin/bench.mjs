#!/usr/bin/env node
// Runs a benchmark of test/bench: `npm run bench:ingest`. Arguments go to it.
import { prepare } from "./prepare.mjs";
import { run } from "./run.mjs";

const [name = "", ...args] = process.argv.slice(2);
await prepare();
process.exitCode = await run("tsx", [`test/bench/${name}.ts`, ...args]);
