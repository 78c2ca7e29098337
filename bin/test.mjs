#!/usr/bin/env node
// All tests. Arguments go to Vitest: `npm test -- test/ingest`.
import { prepare } from "./prepare.mjs";
import { run } from "./run.mjs";

await prepare();
process.exitCode = await run("vitest", ["run", ...process.argv.slice(2)]);
