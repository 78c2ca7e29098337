import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { startTestServer } from "../support/server.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-pages-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const script = "console.info('a script')";
fs.mkdirSync(path.join(folder, "assets"));
fs.writeFileSync(path.join(folder, "index.html"), "<!doctype html><title>pages</title>");
fs.writeFileSync(path.join(folder, "icon.svg"), "<svg/>");
fs.writeFileSync(path.join(folder, "assets", "a-1.js"), script);
fs.writeFileSync(path.join(folder, "assets", "a-1.js.br"), brotliCompressSync(script));
fs.writeFileSync(path.join(folder, "assets", "a-1.js.gz"), gzipSync(script));
const api = await startTestServer({ webFolder: folder });

const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const open = (place: string, headers: Record<string, string> = asBrowser) =>
  fetch(api.url + place, { headers });

describe("the pages", () => {
  it("come for every path of the app, also one with a dot in it", async () => {
    for (const place of ["/", "/models", "/model?model=gpt-5.2", "/nowhere/gpt-5.2", "/apiary", "/v10"]) {
      const response = await open(place);
      expect([place, response.status, response.headers.get("content-type")]).toEqual([
        place,
        200,
        "text/html; charset=utf-8",
      ]);
      expect(response.headers.get("cache-control")).toBe("no-cache");
    }
  });

  it("do not stand in for routes and files that are not there", async () => {
    for (const place of ["/api", "/api/", "/v1", "/v1/", "/api/nothing", "/assets", "/assets/gone.js"]) {
      const response = await open(place);
      expect([place, response.status, response.headers.get("content-type")]).toEqual([
        place,
        404,
        "application/problem+json; charset=utf-8",
      ]);
    }
    expect((await open("/robots.txt", { accept: "*/*" })).status).toBe(404);
  });

  it("are asked for again with what one has, and not sent twice", async () => {
    const since = (await open("/")).headers.get("last-modified") ?? "";
    // Without the last one fetch asks for a fresh answer by itself.
    const headers = { ...asBrowser, "if-modified-since": since, "cache-control": "max-age=0" };
    expect((await open("/", headers)).status).toBe(304);
  });
});

describe("their files", () => {
  it("are kept for a year, and come packed to whoever unpacks", async () => {
    for (const [accepted, sent] of [
      ["gzip, deflate, br", "br"],
      ["gzip", "gzip"],
      ["identity", null],
      ["br;q=0, gzip;q=0", null],
    ] as const) {
      const response = await open("/assets/a-1.js", { "accept-encoding": accepted });
      expect([accepted, response.headers.get("content-encoding")]).toEqual([accepted, sent]);
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(response.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
      expect(response.headers.get("vary")).toContain("Accept-Encoding");
      expect(await response.text()).toBe(script);
    }
  });
});
