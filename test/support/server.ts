import pino, { type Logger } from "pino";
import { afterAll } from "vitest";
import type { Sql } from "../../db/connect.ts";
import type { OpenedDatabase } from "../../db/open-database.ts";
import { runProfiles } from "../../server/capacity/profile-job.ts";
import type { CreatedKey } from "../../server/contract/access.ts";
import type { IngestAnswer } from "../../server/contract/attempt-event.ts";
import type { KeyKind } from "../../server/contract/route.ts";
import type { Settings } from "../../server/env.ts";
import type { AllowList } from "../../server/outgoing/allow-list.ts";
import { runRollup } from "../../server/rollup/job.ts";
import { type RunningServer, startServer } from "../../server/server.ts";
import { createTestDatabase } from "./database.ts";

/** Names of receivers that run on this machine; every other name leads to where no test calls. */
const ALLOW: AllowList = { names: ["hooks.test"], networks: [] };
const resolve = async (host: string) => [host.endsWith(".test") ? "127.0.0.1" : "1.1.1.1"];

export const ADMIN_TOKEN = "an admin token for tests".replaceAll(" ", "-");

export interface TestServer {
  readonly server: RunningServer;
  readonly url: string;
  readonly database: OpenedDatabase & { sql: Sql };
  /** The server's clock; set it to move time. */
  readonly clock: { nowMs: number };
  /** Calls a route as the admin token, unless other headers are given. */
  fetch(path: string, init?: RequestInit & { headers?: Record<string, string> }): Promise<Response>;
  /** The JSON of a GET that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the contract tests hold
  get(path: string): Promise<any>;
  post(events: readonly unknown[], headers?: Record<string, string>): Promise<IngestAnswer>;
  createKey(kind: KeyKind, project?: string): Promise<CreatedKey>;
  /** Runs the jobs that the clock would run. */
  catchUp(): Promise<void>;
}

/** A server without clocks on a database of its own; its time stands still unless it is moved. */
export async function startTestServer({
  nowMs = Date.parse("2026-11-29T12:00:00Z"),
  rawRetentionDays = 400,
  log = pino({ level: process.env["BUSYHOUR_TEST_LOG"] ?? "silent" }),
  webFolder = null,
  network = {},
}: {
  nowMs?: number;
  rawRetentionDays?: number;
  log?: Logger;
  /** Folder of pages; without one the server serves the API alone. */
  webFolder?: string | null;
  network?: Partial<Pick<Settings, "publicUrl" | "trustedProxies">>;
} = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const clock = { nowMs };
  const server = await startServer({
    settings: {
      port: 0,
      host: "127.0.0.1",
      adminToken: ADMIN_TOKEN,
      roles: ["http"],
      rawRetentionDays,
      outgoingAllow: ALLOW,
      ...network,
    },
    resolve,
    database,
    version: "test",
    webFolder,
    now: () => clock.nowMs,
    log,
  });
  afterAll(() => server.close());
  const call: TestServer["fetch"] = (path, init = {}) =>
    fetch(server.url + path, {
      ...init,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...init.headers },
    });
  const json = async (response: Response) => {
    const body = await response.json();
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(body)}`);
    return body;
  };
  return {
    server,
    url: server.url,
    database,
    clock,
    fetch: call,
    get: async (path) => json(await call(path)),
    post: async (events, headers = {}) =>
      json(
        await call("/v1/attempts", {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ attempts: events }),
        }),
      ),
    createKey: async (kind, project = "default") =>
      json(
        await call(`/api/keys?project=${project}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ kind, name: "a test" }),
        }),
      ),
    async catchUp() {
      await runRollup(server.core.jobSql, clock.nowMs);
      await runProfiles(server.core.jobSql, clock.nowMs);
    },
  };
}
