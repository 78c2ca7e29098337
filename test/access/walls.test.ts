import { describe, expect, it } from "vitest";
import { mayCall, type Principal } from "../../server/access/principal.ts";
import type { KeyKind, RouteContract } from "../../server/contract/route.ts";
import { ROUTES } from "../../server/contract/routes.ts";
import { anEvent } from "../support/events.ts";
import { ADMIN_TOKEN, startTestServer } from "../support/server.ts";

const api = await startTestServer();
const { sql } = api.database;
await sql`insert into project (slug, name) values ('other', 'Other')`;
await api.post([anEvent({ model: "model-of-default" })]);
await (
  await api.fetch("/v1/attempts?project=other", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ attempts: [anEvent({ model: "theirs", error: { message: "theirs" } })] }),
  })
).json();
await api.catchUp();

const keys = Object.fromEntries(
  await Promise.all(
    (["ingest", "read", "admin"] as const).map(async (kind) => [kind, (await api.createKey(kind)).key]),
  ),
) as Record<KeyKind, string>;
const othersKeys = Object.fromEntries(
  await Promise.all(
    (["ingest", "read", "admin"] as const).map(async (kind) => [
      kind,
      (await api.createKey(kind, "other")).key,
    ]),
  ),
) as Record<KeyKind, string>;

async function revokedKey(kind: KeyKind): Promise<string> {
  const { id, key } = await api.createKey(kind);
  await api.fetch(`/api/keys/${id}`, { method: "DELETE" });
  return key;
}

async function signIn(): Promise<string> {
  const { url } = await (await api.fetch("/api/sign-in-links", { method: "POST" })).json();
  const response = await fetch(url, { redirect: "manual" });
  return (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
}

interface Caller {
  readonly name: string;
  readonly headers: Record<string, string>;
  /** What the access table says of this caller; `null`: a stranger to everything. */
  readonly is:
    | Pick<Extract<Principal, { via: "key" }>, "via" | "keyKind">
    | { via: "token" }
    | { via: "session" }
    | null;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const cookie = await signIn();
const endedCookie = await signIn();
await fetch(`${api.url}/api/sign-out`, {
  method: "POST",
  headers: { cookie: endedCookie, "sec-fetch-site": "same-origin" },
});

const callers: readonly Caller[] = [
  { name: "nobody", headers: {}, is: null },
  { name: "a made-up key", headers: bearer(`bha_${"x".repeat(43)}`), is: null },
  { name: "a malformed header", headers: { authorization: "Basic abc" }, is: null },
  { name: "a revoked admin key", headers: bearer(await revokedKey("admin")), is: null },
  { name: "an ended session", headers: { cookie: endedCookie, "sec-fetch-site": "same-origin" }, is: null },
  ...(["ingest", "read", "admin"] as const).map((kind) => ({
    name: `the ${kind} key`,
    headers: bearer(keys[kind]),
    is: { via: "key" as const, keyKind: kind },
  })),
  { name: "the admin token", headers: bearer(ADMIN_TOKEN), is: { via: "token" } },
  {
    name: "the owner's session",
    headers: { cookie, "sec-fetch-site": "same-origin" },
    is: { via: "session" },
  },
];

/** A body that the route can read, so that the wall alone decides. */
function call(route: RouteContract, headers: Record<string, string>, query = ""): Promise<Response> {
  const path = route.path.replace(":id", "999999");
  return fetch(api.url + path + query, {
    method: route.method.toUpperCase(),
    redirect: "manual",
    headers: { ...headers, ...(route.body === undefined ? {} : { "content-type": "application/json" }) },
    ...(route.body === undefined ? {} : { body: route.body.kind === "raw" ? '{"attempts":[]}' : "{}" }),
  });
}

/** Making and removing the sample takes long and is tested elsewhere; the wall in front of it is tested for strangers. */
const isCostly = (route: RouteContract) => route.path === "/api/sample" && route.method !== "get";

describe("the walls", () => {
  for (const route of ROUTES) {
    for (const caller of callers) {
      const isAllowed =
        mayCall(route.access, caller.is as Principal | null) || isSessionAllowed(route, caller);
      if (isCostly(route) && isAllowed) continue;
      it(`${route.method.toUpperCase()} ${route.path} ${isAllowed ? "lets in" : "turns away"} ${caller.name}`, async () => {
        const ownHeaders =
          caller.is?.via === "session" ? { ...caller.headers, cookie: await signIn() } : caller.headers;
        const response = await call(route, ownHeaders);
        if (isAllowed) {
          expect([401, 403]).not.toContain(response.status);
          expect(response.status).toBeLessThan(500);
        } else {
          expect(response.status).toBe(caller.is === null ? 401 : 403);
          const problem = { code: caller.is === null ? "not_signed_in" : "forbidden" };
          // OpenTelemetry's exporters are answered with a google.rpc.Status.
          const status = { code: caller.is === null ? 16 : 7, message: expect.any(String) };
          expect(await response.json()).toMatchObject(route.path === "/v1/traces" ? status : problem);
        }
      });
    }
  }

  /** The first user owns the installation: every role is within reach. */
  function isSessionAllowed({ access }: RouteContract, { is }: Caller): boolean {
    return is?.via === "session" && access !== "public" && access.role !== null;
  }

  const readable = ROUTES.filter(
    (route) => route.method === "get" && route.access !== "public" && route.access.keys.includes("read"),
  );

  for (const route of readable) {
    it(`GET ${route.path} shows another project's key nothing of ours`, async () => {
      const response = await call(
        route,
        bearer(othersKeys.read),
        "from" in (route.query?.shape ?? {}) ? "?from=2026-11-01T00:00:00Z" : "",
      );
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain("model-of-default");
    });

    it(`GET ${route.path} takes a project that is not the key's for one that does not exist`, async () => {
      const ours = await call(route, bearer(othersKeys.read), "?project=default");
      const none = await call(route, bearer(othersKeys.read), "?project=no-such-project");
      expect([ours.status, none.status]).toEqual([404, 404]);
      const withoutId = ({ requestId: _, ...rest }: Record<string, unknown>) => rest;
      expect(withoutId(await ours.json())).toEqual(withoutId(await none.json()));
    });
  }

  it("takes another project's key id for one that does not exist", async () => {
    const { id } = await api.createKey("read");
    const response = await fetch(`${api.url}/api/keys/${id}`, {
      method: "DELETE",
      headers: bearer(othersKeys.admin),
    });
    expect(response.status).toBe(404);
    const { keys: mine } = await api.get("/api/keys");
    expect(mine.find((key: { id: number }) => key.id === id)).toMatchObject({ revokedAt: null });
  });

  it("stores with another project's key in that project alone", async () => {
    const response = await fetch(`${api.url}/v1/attempts`, {
      method: "POST",
      headers: { ...bearer(othersKeys.ingest), "content-type": "application/json" },
      body: JSON.stringify({ attempts: [anEvent({ model: "only theirs" })] }),
    });
    expect(response.status).toBe(202);
    expect((await api.get("/api/attempts?model=only theirs")).attempts).toEqual([]);
    expect((await api.get("/api/attempts?model=only theirs&project=other")).attempts).toHaveLength(1);
  });

  it("every route declares who may call it", () => {
    for (const { access } of ROUTES) expect(access === "public" || Array.isArray(access.keys)).toBe(true);
  });
});

describe("a session", () => {
  const post = (headers: Record<string, string>) =>
    fetch(`${api.url}/api/rebuilds`, {
      method: "POST",
      headers: { cookie, "content-type": "application/json", ...headers },
      body: "{}",
    });

  it("changes nothing on behalf of another site", async () => {
    expect((await post({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await post({ "sec-fetch-site": "same-site" })).status).toBe(403);
    expect((await post({ origin: "https://evil.example" })).status).toBe(403);
    expect((await post({})).status).toBe(403);
    expect((await post({ "sec-fetch-site": "same-origin" })).status).toBe(202);
    expect((await post({ origin: api.url })).status).toBe(202);
  });

  it("comes from a link that works once and for an hour", async () => {
    const link = async () =>
      (await (await api.fetch("/api/sign-in-links", { method: "POST" })).json()).url as string;
    const first = await link();
    const opened = await fetch(first, { redirect: "manual" });
    expect(opened.headers.get("set-cookie")).toMatch(
      /^busyhour_session=[\w-]{43}; .*HttpOnly; SameSite=Lax$/,
    );
    expect((await fetch(first, { redirect: "manual" })).headers.get("location")).toBe("/?signIn=failed");
    const late = await link();
    api.clock.nowMs += 61 * 60_000;
    const response = await fetch(late, { redirect: "manual" });
    api.clock.nowMs -= 61 * 60_000;
    expect(response.headers.get("set-cookie")).toBeNull();
  });

  it("ends after thirty days", async () => {
    api.clock.nowMs += 31 * 86_400_000;
    const response = await fetch(`${api.url}/api/me`, { headers: { cookie } });
    api.clock.nowMs -= 31 * 86_400_000;
    expect(response.status).toBe(401);
  });
});

describe("keys", () => {
  it("are stored as hashes only", async () => {
    const { key } = await api.createKey("ingest");
    const [dump] = await sql<{ text: string }[]>`select string_agg(k::text, ' ') as text from api_key k`;
    expect(dump?.text).not.toContain(key);
    expect(dump?.text).not.toContain(key.slice(12));
  });

  it("stop working at once when they are revoked", async () => {
    const { id, key } = await api.createKey("read");
    const me = () => fetch(`${api.url}/api/me`, { headers: bearer(key) });
    expect((await me()).status).toBe(200);
    await api.fetch(`/api/keys/${id}`, { method: "DELETE" });
    expect((await me()).status).toBe(401);
  });

  it("say what is wrong with a new one", async () => {
    const response = await api.fetch("/api/keys", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ kind: "root", name: "" }),
    });
    expect(response.status).toBe(422);
    expect((await response.json()).errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/kind",
      "/name",
    ]);
  });
});
