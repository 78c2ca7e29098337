#!/usr/bin/env node
// The command `busyhour`. In a clone it makes itself ready first.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, root } from "./prepare.mjs";

await prepare();
await import(pathToFileURL(path.join(root, "dist", "busyhour.js")).href);
