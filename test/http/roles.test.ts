import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pino from "pino";
import { afterAll, describe, expect, it } from "vitest";
import type { ServerRole } from "../../server/env.ts";
import { startServer } from "../../server/server.ts";
import { createTestDatabase } from "../support/database.ts";

const database = await createTestDatabase();
const webFolder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-web-"));
fs.writeFileSync(path.join(webFolder, "index.html"), "<!doctype html><title>page</title>");
fs.mkdirSync(path.join(webFolder, "assets"));
fs.writeFileSync(path.join(webFolder, "assets", "app-1.js"), "1;");

async function statuses(roles: readonly ServerRole[], paths: readonly string[]) {
  const server = await startServer({
    settings: { port: 0, host: "127.0.0.1", adminToken: undefined, roles, rawRetentionDays: 400 },
    database,
    version: "test",
    webFolder,
    now: Date.now,
    log: pino({ level: "silent" }),
  });
  const seen = await Promise.all(paths.map(async (place) => (await fetch(server.url + place)).status));
  await server.close();
  return seen;
}

describe("a server", () => {
  afterAll(() => fs.rmSync(webFolder, { recursive: true }));

  it("serves pages at every path but those of the API, and no file that is not there", async () => {
    const paths = [
      "/",
      "/models/acme",
      "/assets/app-1.js",
      "/assets/none.js",
      "/none.txt",
      "/api/none",
      "/healthz",
    ];
    expect(await statuses(["http"], paths)).toEqual([200, 200, 200, 404, 404, 404, 200]);
  });

  it("that only runs jobs says whether it lives, and nothing else", async () => {
    expect(await statuses(["jobs"], ["/healthz", "/readyz", "/", "/api/overview", "/v1/limits"])).toEqual([
      200, 200, 404, 404, 404,
    ]);
  });
});
