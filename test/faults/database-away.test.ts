import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../db/embedded/launch.ts";
import { type RunningServer, startServer } from "../../server/server.ts";
import { anEvent } from "../support/events.ts";
import { ADMIN_TOKEN } from "../support/server.ts";

const TIMEOUT_MS = 120_000;
/** Whoever asks while the database is away gets an answer, and soon. */
const ANSWER_WITHIN_MS = 10_000;
const BACK_WITHIN_MS = 30_000;

let folder = "";
let postgres: EmbeddedPostgres;
let server: RunningServer;

beforeAll(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-test-"));
  fs.chmodSync(folder, 0o755);
  postgres = await startDatabase();
  server = await startServer({
    settings: {
      port: 0,
      host: "127.0.0.1",
      adminToken: ADMIN_TOKEN,
      roles: ["http", "jobs"],
      rawRetentionDays: 400,
    },
    database: {
      kind: "embedded",
      target: postgres.target,
      label: "",
      serverVersion: 0,
      close: () => postgres.stop(),
    },
    version: "test",
    webFolder: null,
    now: Date.now,
    log: pino({ level: process.env["BUSYHOUR_TEST_LOG"] ?? "silent" }),
  });
}, TIMEOUT_MS);

afterAll(async () => {
  await server?.close();
  await postgres?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
}, TIMEOUT_MS);

/** The same folder gives the same socket, so the server finds a later database where it knew the earlier one. */
function startDatabase(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: path.join(folder, "data"), say: () => {} });
}

async function call(route: string, init: RequestInit = {}) {
  const startedAt = performance.now();
  const response = await fetch(server.url + route, {
    ...init,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
  });
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the answer it looks into
  const body: any = await response.json();
  return {
    status: response.status,
    retryAfter: response.headers.get("retry-after"),
    body,
    elapsedMs: performance.now() - startedAt,
  };
}

const post = (events: readonly object[]) =>
  call("/v1/attempts", { method: "POST", body: JSON.stringify({ attempts: events }) });

/** Asks until the answer is this one; any other than 503 on the way there is a fault. */
async function waitFor(status: number, ask: () => ReturnType<typeof call>) {
  const deadline = Date.now() + BACK_WITHIN_MS;
  for (;;) {
    const answer = await ask();
    if (answer.status === status) return answer;
    expect(answer.status).toBe(503);
    if (Date.now() > deadline) throw new Error(`still ${answer.status} after ${BACK_WITHIN_MS} ms`);
    await sleep(100);
  }
}

const aRecentEvent = () => anEvent({ occurredAt: new Date(Date.now() - 60_000).toISOString() });

async function expectAway(answer: Awaited<ReturnType<typeof call>>): Promise<void> {
  expect(answer).toMatchObject({ status: 503, body: { code: "database_away" } });
  expect(Number(answer.retryAfter)).toBeGreaterThan(0);
  expect(answer.elapsedMs).toBeLessThan(ANSWER_WITHIN_MS);
}

test(
  "while the database is away everything that needs it is 503 with Retry-After, and comes back by itself",
  async () => {
    const before = aRecentEvent();
    expect(await post([before])).toMatchObject({ status: 202, body: { accepted: 1 } });
    for (let time = 0; time < 2; time++) {
      await postgres.stop();
      const meanwhile = aRecentEvent();
      // More than the pools have connections, so that none is left that has not met the failure.
      for (const answer of await Promise.all(Array.from({ length: 8 }, () => post([meanwhile])))) {
        await expectAway(answer);
      }
      for (const answer of await Promise.all(Array.from({ length: 8 }, () => call("/api/overview")))) {
        await expectAway(answer);
      }
      await expectAway(await call("/readyz"));
      expect(await call("/healthz")).toMatchObject({ status: 200, body: { status: "ok" } });

      postgres = await startDatabase();
      const back = await waitFor(202, () => post([before, meanwhile]));
      expect(back.body).toMatchObject({ accepted: 1, duplicates: 1, rejected: [] });
      await waitFor(200, () => call("/readyz"));
      await waitFor(200, () => call("/api/overview"));
    }
  },
  TIMEOUT_MS,
);
