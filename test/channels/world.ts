import pino from "pino";
import type { Sql } from "../../db/connect.ts";
import { createDeliveries, type Deliveries, type DeliveryDeps } from "../../server/channels/job.ts";
import type { Net } from "../../server/channels/kinds/kind.ts";
import { enqueueNotice } from "../../server/channels/outbox.ts";
import { sendTest } from "../../server/channels/send-test.ts";
import type { ChannelKind } from "../../server/contract/channel.ts";
import type { Notice } from "../../server/contract/notice.ts";
import { createKeyring } from "../../server/secrets/keyring.ts";
import { createSecrets, type Secrets } from "../../server/secrets/secrets.ts";
import { createTestDatabase } from "../support/database.ts";

export const START = Date.parse("2026-11-29T12:00:00Z");
export const MINUTE = 60_000;

export interface Posted {
  readonly atMs: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  // biome-ignore lint/suspicious/noExplicitAny: whatever was posted
  readonly body: any;
}

export interface World {
  readonly sql: Sql;
  readonly secrets: Secrets;
  readonly clock: { nowMs: number };
  /** What was posted, by the path of the channel's address. */
  readonly posted: Posted[];
  /** What is answered. One that never ends is a server that was killed meanwhile. */
  answer: (posted: Posted) => Response | Promise<Response>;
  addChannel(
    name: string,
    kind: ChannelKind,
    parts?: { isEnabled?: boolean; leastSeverity?: string },
  ): Promise<number>;
  enqueue(notice: Notice, channels?: number[] | null): Promise<void>;
  /** Presses “send test”. @returns whether it came */
  sendTest(id: number): Promise<boolean>;
  /** A server; each has a life of its own. */
  start(parts?: Partial<DeliveryDeps>): Deliveries;
  channel(id: number): Promise<Record<string, unknown>>;
  log(id: number): Promise<string[]>;
}

const KEY = "0123456789abcdefghijABCDEFGHIJ01";

/** An outbox on a database of its own, with a clock that stands still, and receivers in memory. */
export async function createWorld(): Promise<World> {
  const { sql } = await createTestDatabase();
  const secrets = createSecrets(sql, createKeyring({ setting: ["x".repeat(40)], dataDir: undefined }));
  const clock = { nowMs: START };
  const net: Net = {
    fetch: async (url, init) => {
      const headers = Object.fromEntries(new Headers(init?.headers));
      const one = { atMs: clock.nowMs, url: String(url), headers, body: JSON.parse(String(init?.body)) };
      world.posted.push(one);
      return world.answer(one);
    },
    lookUp: async () => ["192.0.2.1"],
    mayBePlain: () => false,
    timeoutMs: 1_000,
  };
  const shared = {
    sql,
    secrets,
    net,
    publicUrl: () => "https://busyhour.test",
    now: () => clock.nowMs,
    log: pino({ level: "silent" }),
  };
  const world: World = {
    sql,
    secrets,
    clock,
    posted: [],
    answer: () => new Response("ok"),
    async addChannel(name, kind, { isEnabled = true, leastSeverity = "info" } = {}) {
      const settings = {
        mask: "…",
        isSigned: false,
        hasAuthorization: false,
        keyword: null,
        to: [],
        from: null,
      };
      const [row] = await sql<{ id: number }[]>`
        insert into channel (project_id, name, kind, locale, least_severity, is_enabled, settings, created_at)
        values (1, ${name}, ${kind}, 'en', ${leastSeverity}, ${isEnabled}, ${sql.json(settings)}, ${new Date(START)})
        returning id`;
      const id = row?.id ?? 0;
      const address = `https://hooks.test/${name}${kind === "pagerduty" ? `?routing_key=${KEY}` : ""}`;
      const stored = { address, signing: null, before: null, authorization: null };
      await secrets.put({ projectId: 1, name: `channel/${id}` }, JSON.stringify(stored));
      return id;
    },
    enqueue: (notice, channels = null) =>
      sql.begin((tx) => enqueueNotice(tx, { projectId: 1, notice, channels, nowMs: clock.nowMs })),
    async sendTest(id) {
      return (await sendTest(shared, { projectId: 1, channelId: id }, "en")).isDelivered;
    },
    start(parts = {}) {
      return createDeliveries({
        ...shared,
        random: () => 0,
        patience: () => new Promise(() => {}),
        breathe: async () => {},
        ...parts,
      });
    },
    async channel(id) {
      const [row] = await sql`
        select is_enabled as "isEnabled", failure_count as failures, broken_since as "brokenSince",
               last_failure as "lastFailure", paused_until as "pausedUntil" from channel where id = ${id}`;
      return { ...row };
    },
    async log(id) {
      const rows = await sql<{ line: string }[]>`
        select outcome || coalesce(' ' || code, '') as line from delivery where channel_id = ${id} order by id`;
      return rows.map(({ line }) => line);
    },
  };
  return world;
}

/** The titles of what Slack was sent. */
export const titlesOf = (posted: readonly Posted[], name = "") =>
  posted.filter(({ url }) => url.includes(name)).map(({ body }) => String(body.text));

/** Does something over and over until it is so; without a clock, so that what leads there runs in the meantime. */
export async function until(
  isSo: () => boolean,
  again: () => Promise<unknown> = async () => {},
): Promise<void> {
  while (!isSo()) {
    await again();
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}
