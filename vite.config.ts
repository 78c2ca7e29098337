import { tmpdir } from "node:os";
import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** In development the pages come from Vite and the API from the server. */
const api = `http://127.0.0.1:${process.env["PORT"] ?? 8420}`;

export default defineConfig({
  root: path.join(import.meta.dirname, "web"),
  cacheDir: path.join(tmpdir(), `busyhour-vite-${process.getuid?.() ?? "user"}`),
  plugins: [react()],
  build: { outDir: path.join(import.meta.dirname, "dist", "web"), emptyOutDir: true, target: "es2022" },
  server: { port: 8421, proxy: { "/api": api, "/v1": api, "/sign-in": api, "/openapi.json": api } },
});
