import { randomUUID } from "node:crypto";
import { ADMIN_TOKEN, type Product, withDatabase } from "../../../bench/support/product.ts";

/** Words of which one stands in every text of a project: where they turn up says whose data it is. */
export const MARKS = { ours: "zqoursmark", theirs: "zqtheirsmark" } as const;
export type Side = keyof typeof MARKS;
export const SLUGS: Readonly<Record<Side, string>> = { ours: "default", theirs: "theirs" };

export interface Caller {
  readonly name: string;
  /** Which project it may see; `null`: none. */
  readonly sees: Side | "both" | null;
  headers(): Readonly<Record<string, string>>;
}

/** Two projects with planted texts, and all kinds of callers. */
export interface World {
  readonly callers: readonly Caller[];
  /** Numbers of keys of both projects. */
  readonly ids: readonly number[];
  /** Plants what was changed anew, and throws away what only makes lists long. */
  refresh(): Promise<void>;
  /** Replaces credentials that callers have revoked or ended. */
  renew(): Promise<void>;
}

const KINDS = ["ingest", "read", "admin"] as const;
const SIDES = ["ours", "theirs"] as const;
/** Ids and names that both projects have, so that asking for them could find the other's. */
export const SHARED_NAMES = ["acme", "acme-large", "shared-event", "shared-request", "default"] as const;

/** The product must be running on a data folder of its own. */
export async function createWorld(product: Product): Promise<World> {
  const tokens = new Map<string, string>();
  const ids: number[] = [];
  let cookie = "";

  const call = (path: string, method: string, body?: unknown) =>
    fetch(product.url + path, {
      method,
      redirect: "manual",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  async function must(path: string, method: string, body: unknown): Promise<Record<string, unknown>> {
    const response = await call(path, method, body);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  }

  async function isLive(headers: Record<string, string>): Promise<boolean> {
    return (await fetch(`${product.url}/api/me`, { headers })).status !== 401;
  }

  async function refreshKey(side: Side, kind: (typeof KINDS)[number]): Promise<void> {
    const name = `${side} ${kind}`;
    const token = tokens.get(name);
    if (token !== undefined && (await isLive({ authorization: `Bearer ${token}` }))) return;
    const made = await must(`/api/keys?project=${SLUGS[side]}`, "POST", { kind, name: `${MARKS[side]} key` });
    tokens.set(name, String(made["key"]));
    ids.push(Number(made["id"]));
  }

  async function refreshSession(): Promise<void> {
    if (cookie !== "" && (await isLive({ cookie }))) return;
    const { url } = await must("/api/sign-in-links", "POST", undefined);
    const opened = await fetch(String(url), { redirect: "manual" });
    cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  }

  async function plant(side: Side): Promise<void> {
    const mark = MARKS[side];
    const query = `?project=${SLUGS[side]}`;
    const now = Date.now();
    const events = Array.from({ length: 40 }, (_, i) => ({
      eventId: i === 0 ? "shared-event" : randomUUID(),
      occurredAt: now - i * 60_000,
      provider: i % 2 === 0 ? "acme" : `${mark}-provider`,
      model: i % 2 === 0 ? "acme-large" : `${mark}-model`,
      endpoint: `${mark}-endpoint`,
      source: `${mark}-source`,
      account: `${mark}-account`,
      chain: `${mark}-chain`,
      servedModel: `${mark}-served`,
      requestId: "shared-request",
      outcome: i % 3 === 0 ? "capacity" : "ok",
      latencyMs: 100,
      ...(i % 3 === 0 ? { error: { type: mark, message: `${mark} is full` } } : {}),
    }));
    await must(`/v1/attempts${query}`, "POST", { attempts: [...events, { source: `${mark}-source` }] });
    await must(`/api/classification-rules${query}`, "PUT", {
      rules: [{ id: `${mark}/rule`, outcome: "capacity", because: `${mark} says so`, code: mark }],
    });
  }

  /** What callers made would only measure long lists; and the projects have their names back. */
  async function tidy(): Promise<void> {
    await withDatabase(product.dataDir, async (sql) => {
      await sql`delete from api_key where name not in (${`${MARKS.ours} key`}, ${`${MARKS.theirs} key`})`;
      await sql`delete from api_key where revoked_at is not null`;
      for (const side of SIDES) {
        await sql`update project set name = ${`${MARKS[side]} project`} where slug = ${SLUGS[side]}`;
      }
    });
  }

  async function replaceCredentials(): Promise<void> {
    for (const side of SIDES) for (const kind of KINDS) await refreshKey(side, kind);
    await refreshSession();
  }

  let renewing: Promise<void> | null = null;
  /** All who wait for new credentials wait for the same ones. */
  function renew(): Promise<void> {
    renewing ??= replaceCredentials().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  async function refresh(): Promise<void> {
    await tidy();
    await renew();
    for (const side of SIDES) await plant(side);
  }

  await withDatabase(product.dataDir, async (sql) => {
    await sql`insert into project (slug, name) values (${SLUGS.theirs}, 'theirs') on conflict do nothing`;
  });
  await refresh();
  const keyCallers = SIDES.flatMap((side) =>
    KINDS.map((kind) => ({
      name: `${side} ${kind} key`,
      sees: side,
      headers: () => ({ authorization: `Bearer ${tokens.get(`${side} ${kind}`)}` }),
    })),
  );
  return {
    ids,
    refresh,
    renew,
    callers: [
      ...keyCallers,
      { name: "nobody", sees: null, headers: () => ({}) },
      { name: "a wrong key", sees: null, headers: () => ({ authorization: `Bearer bha_${"x".repeat(43)}` }) },
      { name: "the admin token", sees: "both", headers: () => ({ authorization: `Bearer ${ADMIN_TOKEN}` }) },
      { name: "the owner", sees: "both", headers: () => ({ cookie, "sec-fetch-site": "same-origin" }) },
      { name: "the owner from elsewhere", sees: "both", headers: () => ({ cookie }) },
    ],
  };
}
