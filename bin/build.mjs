#!/usr/bin/env node
// Builds the product into dist/: the server and its commands, the pages as static files.
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { prepare, root } from "./prepare.mjs";

export async function build() {
  const esbuild = await import("esbuild");
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
  // Chunks of builds before this one.
  for (const file of fs.existsSync(path.join(root, "dist")) ? fs.readdirSync(path.join(root, "dist")) : []) {
    if (/^busyhour-\w+\.js(?:\.map)?$/.test(file)) fs.rmSync(path.join(root, "dist", file));
  }
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: [{ in: "server/main.ts", out: "busyhour" }],
    outdir: "dist",
    bundle: true,
    // A command that needs no server loads none.
    splitting: true,
    chunkNames: "busyhour-[hash]",
    platform: "node",
    format: "esm",
    target: "node20.12",
    packages: "external",
    alias: {
      "@busyhour/sdk/files": "./sdk/src/files/index.ts",
      "@busyhour/sdk": "./sdk/src/index.ts",
    },
    define: { BUSYHOUR_VERSION: JSON.stringify(version) },
    sourcemap: true,
    logLevel: "warning",
  });
  await buildPages();
}

/** Always as they are shipped: a test run that builds would say `test`, and React would be built for development. */
async function buildPages() {
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = "production";
  try {
    const vite = await import("vite");
    await vite.build({ configFile: path.join(root, "vite.config.ts"), logLevel: "warn" });
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  await prepare({ build: false });
  await build();
}
