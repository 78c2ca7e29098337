import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { build as bundle } from "esbuild";
import { defineConfig, type Plugin } from "vite";

/** In development the pages come from Vite and the API from the server. */
const api = `http://127.0.0.1:${process.env["PORT"] ?? 8420}`;
const web = path.join(import.meta.dirname, "web");

/**
 * Puts the script that asks for the first view's figures before the pages' own, which takes longer to arrive. It is
 * bundled by itself: sharing a module with the pages, it would have to wait for a file of theirs.
 */
const askEarly: Plugin = {
  name: "ask-early",
  apply: "build",
  async buildStart() {
    const { outputFiles } = await bundle({
      entryPoints: [path.join(web, "src", "early.ts")],
      bundle: true,
      minify: true,
      write: false,
      format: "iife",
      target: "es2022",
    });
    this.emitFile({ type: "asset", name: "early.js", source: outputFiles[0]?.text ?? "" });
  },
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle: files }) {
      const early = Object.values(files ?? {}).find(
        (file) => file.type === "asset" && file.names.includes("early.js"),
      );
      if (early === undefined) throw new Error("the build has no early script");
      return [{ tag: "script", attrs: { async: true, src: `/${early.fileName}` }, injectTo: "head-prepend" }];
    },
  },
};

/** Lays the packed twin of each file beside it, so that the server has nothing to pack. */
const packAssets: Plugin = {
  name: "pack-assets",
  apply: "build",
  writeBundle({ dir }, bundle) {
    for (const fileName of Object.keys(bundle).filter((name) => /^assets\/.*\.(?:js|css)$/.test(name))) {
      const file = path.join(dir ?? "", fileName);
      const content = fs.readFileSync(file);
      fs.writeFileSync(`${file}.br`, brotliCompressSync(content));
      fs.writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

export default defineConfig({
  root: web,
  cacheDir: path.join(tmpdir(), `busyhour-vite-${process.getuid?.() ?? "user"}`),
  plugins: [react(), askEarly, packAssets],
  build: {
    outDir: path.join(import.meta.dirname, "dist", "web"),
    emptyOutDir: true,
    target: "es2022",
    rolldownOptions: {
      checks: { pluginTimings: false },
      // What several pages share comes in one file, not in ten: a browser asks a server for six at a time.
      output: { codeSplitting: { groups: [{ name: "shared", minShareCount: 2 }] } },
    },
  },
  server: {
    port: 8421,
    proxy: { "/api": api, "/v1": api, "/sign-in": api, "/status": api, "/openapi.json": api },
  },
});
