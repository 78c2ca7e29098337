import { describe, expect, it } from "vitest";
import {
  defineRoute,
  type KeyKind,
  KIND_SCOPES,
  ROLES,
  type Role,
  type RouteContract,
  type Scope,
} from "../../server/contract/route.ts";
import { ROUTES } from "../../server/contract/routes.ts";
import { aMaintenanceWindow, anAlertRule, insertAlert } from "../support/alerts.ts";
import { anEvent } from "../support/events.ts";
import { createPerson, OWN_SITE, type Signed, send, signIn } from "../support/people.ts";
import { ADMIN_TOKEN, startTestServer } from "../support/server.ts";

const KINDS = ["ingest", "read", "admin"] as const;
const api = await startTestServer();
const { sql } = api.database;
await send(api, "POST", "/api/projects", { slug: "other", name: "Other" });
await send(api, "POST", "/api/projects", { slug: "gone", name: "Gone" });
await api.post([anEvent({ model: "model-of-default" })]);
await send(api, "POST", "/v1/attempts?project=other", {
  attempts: [anEvent({ model: "theirs", error: { message: "theirs" } })],
});
await api.catchUp();

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
type Headers = Readonly<Record<string, string>>;

/** What a caller is, told here a second time and not by the code under test. */
type Is =
  | { readonly via: "stranger" }
  | { readonly via: "token" }
  | { readonly via: "key"; readonly kind: KeyKind; readonly scopes: readonly Scope[] }
  /** `role` in the default project; `null`: no part in it. */
  | { readonly via: "session"; readonly role: Role | null };

interface Caller {
  readonly name: string;
  readonly headers: Headers;
  readonly is: Is;
}

const stranger = { via: "stranger" } as const;

async function keyCallers(): Promise<Caller[]> {
  const callers: Caller[] = [];
  const add = (name: string, key: string, is: Is) => callers.push({ name, headers: bearer(key), is });
  for (const kind of KINDS) {
    const make = (project = "default", parts = {}) =>
      send(api, "POST", `/api/keys?project=${project}`, { kind, name: kind, ...parts });
    const whole = { via: "key", kind, scopes: KIND_SCOPES[kind] } as const;
    add(`${kind} key`, (await make()).key, whole);
    const revoked = await make();
    await send(api, "DELETE", `/api/keys/${revoked.id}`);
    add(`revoked ${kind} key`, revoked.key, stranger);
    const expired = await make("default", { expiresInDays: 1 });
    await sql`update api_key set expires_at = ${new Date(api.clock.nowMs)} where id = ${expired.id}`;
    add(`expired ${kind} key`, expired.key, stranger);
    const replaced = await make();
    await send(api, "POST", `/api/keys/${replaced.id}/rotations`, { overlapHours: 1 });
    add(`${kind} key in its overlap`, replaced.key, whole);
    const over = await make();
    await send(api, "POST", `/api/keys/${over.id}/rotations`, { overlapHours: 0 });
    add(`${kind} key after its overlap`, over.key, stranger);
    for (const scope of KIND_SCOPES[kind].length > 1 ? KIND_SCOPES[kind] : []) {
      const narrow = await make("default", { scopes: [scope] });
      add(`${kind} key, ${scope} alone`, narrow.key, { via: "key", kind, scopes: [scope] });
    }
    add(`${kind} key of a project that is gone`, (await make("gone")).key, stranger);
  }
  await send(api, "DELETE", "/api/projects/gone");
  return callers;
}

async function sessionCallers(): Promise<Caller[]> {
  const callers: Caller[] = [];
  const add = (name: string, { headers }: Signed, is: Is) => callers.push({ name, headers, is });
  const person = async (name: string, ...rest: [roles?: Record<string, "viewer" | "editor" | "admin">]) =>
    signIn(api, await createPerson(api, name, ...rest));
  for (const role of ["viewer", "editor", "admin"] as const) {
    add(role, await person(role, { default: role }), { via: "session", role });
  }
  const other = await createPerson(api, "another owner", {}, { isOwner: true });
  add("owner", await signIn(api, other), { via: "session", role: "owner" });
  add("admin of another project", await person("theirs", { other: "admin" }), { via: "session", role: null });
  add("person without a project", await person("nowhere"), { via: "session", role: null });

  const leaver = await person("a former admin", { default: "admin" });
  await send(api, "DELETE", `/api/members/${leaver.userId}`);
  add("former admin", leaver, { via: "session", role: null });
  const ended = await person("ended", { default: "admin" });
  await fetch(`${api.url}/api/sign-out`, { method: "POST", headers: ended.headers });
  add("ended session of an admin", ended, stranger);
  const revoked = await person("revoked", { default: "admin" });
  const { sessions } = await api.get("/api/sessions");
  const { id } = sessions.find(({ user }: { user: { id: number } }) => user.id === revoked.userId);
  await send(api, "DELETE", `/api/sessions/${id}`);
  add("revoked session of an admin", revoked, stranger);
  const late = await person("late", { default: "admin" });
  await sql`update session set expires_at = ${new Date(api.clock.nowMs)} where user_id = ${late.userId}`;
  add("expired session of an admin", late, stranger);
  const shut = await person("shut out", { default: "admin" });
  await send(api, "PATCH", `/api/users/${shut.userId}`, { isDisabled: true });
  add("session of an admin who is shut out", shut, stranger);
  const removed = await createPerson(api, "removed", {}, { isOwner: true });
  const session = await signIn(api, removed);
  await send(api, "DELETE", `/api/users/${removed}`);
  add("session of an owner who is removed", session, stranger);
  return callers;
}

const callers: readonly Caller[] = [
  { name: "nobody", headers: {}, is: stranger },
  { name: "made-up key", headers: bearer(`bha_${"x".repeat(43)}`), is: stranger },
  { name: "malformed header", headers: { authorization: "Basic abc" }, is: stranger },
  {
    name: "made-up cookie",
    headers: { cookie: `busyhour_session=${"x".repeat(43)}`, ...OWN_SITE },
    is: stranger,
  },
  ...(await keyCallers()),
  { name: "admin token", headers: bearer(ADMIN_TOKEN), is: { via: "token" } },
  ...(await sessionCallers()),
];
const headersOf = (name: string) => callers.find((caller) => caller.name === name)?.headers ?? {};

/** What becomes of a caller: `in` says that the wall let them through, whatever the route then said. */
type Fate = "in" | "401" | "403" | "404";

/** What the contract says, spelt out once more. */
function expectFate({ access }: RouteContract, is: Is): Fate {
  if (access === "public" || is.via === "token") return "in";
  if (is.via === "stranger") return "401";
  if (is.via === "key") {
    const isKind = access.keys.includes(is.kind);
    return isKind && (access.scope === null || is.scopes.includes(access.scope)) ? "in" : "403";
  }
  if (access.of === "project" && is.role === null) return "404";
  if (access.role === null) return "403";
  if (access.of === "person") return "in";
  return ROLES.indexOf(is.role ?? "viewer") >= ROLES.indexOf(access.role) ? "in" : "403";
}

/** A body that the route can read, so that the wall alone decides. */
function call(route: RouteContract, headers: Headers, query = ""): Promise<Response> {
  const path = route.path
    .replace(":id", "999999")
    .replace(":slug", "nothing")
    .replace(":format", "json")
    .replace(":week", "2026-W01");
  return fetch(api.url + path + query, {
    method: route.method.toUpperCase(),
    redirect: "manual",
    headers: { ...headers, ...(route.body === undefined ? {} : { "content-type": "application/json" }) },
    ...(route.body === undefined ? {} : { body: route.body.kind === "raw" ? '{"attempts":[]}' : "{}" }),
  });
}

const isOfProject = ({ access }: RouteContract) => access !== "public" && access.of === "project";
const withProject = (route: RouteContract) => (isOfProject(route) ? "?project=default" : "");

async function seeFate(route: RouteContract, headers: Headers): Promise<Fate> {
  const response = await call(route, headers, withProject(route));
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  const answer = text.startsWith("{") ? JSON.parse(text) : {};
  // OpenTelemetry's exporters are answered with a google.rpc.Status.
  const code =
    route.path === "/v1/traces"
      ? { 16: "not_signed_in", 7: "forbidden", 5: "no_such_project" }[answer.code as 5]
      : answer.code;
  if (response.status === 401 && code === "not_signed_in") return "401";
  if (response.status === 403 && code === "forbidden") return "403";
  if (response.status === 404 && code === "no_such_project" && isOfProject(route)) return "404";
  return "in";
}

/** Making and removing the sample takes long and is tested elsewhere; the wall in front of it is tested for strangers. */
const isCostly = (route: RouteContract) => route.path === "/api/sample" && route.method !== "get";
/** Ends the session that asks: each of them is given one of its own. */
const isLast = (route: RouteContract) => route.path === "/api/sign-out";

const nameOf = ({ method, path }: RouteContract) => `${method.toUpperCase()} ${path}`;
const seen = new Map<string, Map<string, Fate>>();

describe("the walls", () => {
  for (const route of ROUTES) {
    it(`${nameOf(route)} lets in whom its contract names, and nobody else`, async () => {
      const fates = new Map<string, Fate>();
      seen.set(nameOf(route), fates);
      for (const { name, headers, is } of callers) {
        const expected = expectFate(route, is);
        const isSkipped = expected === "in" && (isCostly(route) || (isLast(route) && is.via === "session"));
        fates.set(name, isSkipped ? expected : await seeFate(route, headers));
        expect([name, fates.get(name)]).toEqual([name, expected]);
      }
    });
  }

  it("are written down, route by caller", async () => {
    const marks: Readonly<Record<Fate, string>> = { in: "in", "401": "·", "403": "403", "404": "404" };
    const groups = new Map<string, string[]>();
    for (const { name } of callers) {
      const column = [...seen.values()].map((fates) => fates.get(name)).join(" ");
      groups.set(column, [...(groups.get(column) ?? []), name]);
    }
    const heads = [...groups.values()];
    const legend = heads.map((names, i) => `${i + 1}. ${names.join(" · ")}`).join("\n");
    const rows = [...seen].map(
      ([route, fates]) =>
        `| \`${route}\` | ${heads.map(([name = ""]) => marks[fates.get(name) ?? "in"]).join(" | ")} |`,
    );
    const table = [
      `| Route | ${heads.map((_, i) => i + 1).join(" | ")} |`,
      `| --- |${" --- |".repeat(heads.length)}`,
      ...rows,
    ].join("\n");
    const text = `# Walls

Every route by every kind of caller, as a server answered them. A test makes this page and fails when an answer is not
the one of the [contract](api.md). \`in\`: let through; \`·\`: 401, as to a stranger; \`403\`: not allowed; \`404\`: the
project is taken for one that does not exist. Every caller but those of another project asks for their own; callers
that are answered alike share a column.

${legend}

${table}
`;
    await expect(text).toMatchFileSnapshot("../../docs/walls.md");
  });

  it("a route that does not say who may call it does not compile", () => {
    // @ts-expect-error: no access
    defineRoute({ method: "get", path: "/x", summary: "", answer: { status: 200, description: "" } });
    const access = { of: "project", keys: [], scope: null, role: "admin" } as const;
    // @ts-expect-error: a change that does not say what it writes into the audit log
    defineRoute({
      method: "post",
      path: "/x",
      summary: "",
      access,
      answer: { status: 200, description: "" },
    });
    for (const { access: declared } of ROUTES) expect(declared).toBeDefined();
  });
});

/** Routes about one row are tried with theirs, below. */
const readable = ROUTES.filter(
  (route) =>
    route.method === "get" && isOfProject(route) && route.access !== "public" && !route.path.includes("/:id"),
);

describe("another project", () => {
  const theirs: [string, Headers][] = [["admin of another project", headersOf("admin of another project")]];
  for (const kind of ["read", "admin"] as const) {
    it(`has a ${kind} key`, async () => {
      theirs.push([`their ${kind} key`, bearer((await api.createKey(kind, "other")).key)]);
    });
  }
  const withoutId = ({ requestId: _, ...rest }: Record<string, unknown>) => rest;

  for (const route of readable.filter(({ path }) => !path.includes(":id"))) {
    it(`GET ${route.path} shows nothing of ours, and takes our project for one that does not exist`, async () => {
      for (const [name, headers] of theirs) {
        const range = "from" in (route.query?.shape ?? {}) ? "?from=2026-11-01T00:00:00Z" : "";
        const own = await call(route, headers, range);
        if (own.status === 403) continue;
        expect([name, own.status]).toEqual([name, 200]);
        expect(await own.text()).not.toMatch(/model-of-default|"default"|viewer@|ingest key/);
        const ours = await call(route, headers, "?project=default");
        const none = await call(route, headers, "?project=no-such-project");
        expect([ours.status, none.status]).toEqual([404, 404]);
        expect(withoutId(await ours.json())).toEqual(withoutId(await none.json()));
      }
    });
  }

  const aChannel = async (): Promise<number> =>
    (await send(api, "POST", "/api/channels?project=other", { address: "https://hooks.test:1/x" })).id;

  const theirNote = async () =>
    (
      await send(api, "POST", "/api/status-notes?project=other", {
        kind: "incident",
        title: { en: "Theirs" },
        body: { en: "Theirs" },
      })
    ).id as string;
  const theirJob = async (): Promise<number> =>
    (await send(api, "POST", "/v1/jobs?project=other", { jobs: [{ reference: "theirs" }] })).jobs[0].id;
  /** Makes a row in the other project; gives its id. */
  const makers: Readonly<Record<string, () => Promise<number | string>>> = {
    "/api/keys/:id": async () => (await api.createKey("read", "other")).id,
    "/api/keys/:id/rotations": async () => (await api.createKey("read", "other")).id,
    "/api/members/:id": () => createPerson(api, "one of theirs", { other: "viewer" }),
    "/api/invitations/:id": async () =>
      (await send(api, "POST", "/api/invitations?project=other", { role: "viewer" })).id,
    "/api/channels/:id": aChannel,
    "/api/channels/:id/tests": aChannel,
    "/api/channels/:id/rotations": aChannel,
    "/api/channels/:id/deliveries": aChannel,
    "/api/status-page/components/:component/word": async () =>
      (
        await send(api, "PUT", "/api/status-page?project=other", {
          slug: "theirs",
          isPublic: true,
          name: { en: "Theirs" },
          components: [{ name: { en: "Theirs" }, mode: "manual", targets: [] }],
        })
      ).components[0].id,
    "/api/status-notes/:note": theirNote,
    "/api/status-notes/:note/updates": theirNote,
    "/api/status-notes/:note/updates/:update": theirNote,
    "/api/alerts/:id": () => insertAlert(sql, { project: "other" }),
    "/api/alerts/:id/acknowledgement": () => insertAlert(sql, { project: "other" }),
    "/api/rules/:id": async () => (await send(api, "POST", "/api/rules?project=other", anAlertRule())).id,
    "/api/silences/:id": async () =>
      (
        await send(api, "POST", "/api/silences?project=other", {
          where: {},
          until: "2026-11-30T12:00:00Z",
          reason: "theirs",
        })
      ).id,
    "/api/maintenance-windows/:id": async () =>
      (await send(api, "POST", "/api/maintenance-windows?project=other", aMaintenanceWindow())).id,
    "/v1/jobs/:id": theirJob,
    "/v1/jobs/:id/complete": theirJob,
    "/v1/jobs/:id/fail": theirJob,
    "/v1/jobs/:id/release": theirJob,
  };
  const lease = { token: "00000000-0000-4000-8000-000000000000" };
  const bodies: Readonly<Record<string, unknown>> = {
    put: { role: "admin", state: "busy" },
    patch: { name: "ours", body: { en: "ours" } },
    post: { state: "resolved", body: { en: "ours" } },
    "post /api/alerts/:id/acknowledgement": {},
    "patch /api/channels/:id": { name: "ours" },
    "post /api/channels/:id/rotations": {},
    "put /api/rules/:id": { ...anAlertRule(), version: 1 },
    "patch /api/silences/:id": { reason: "ours" },
    "put /api/maintenance-windows/:id": { ...aMaintenanceWindow(), version: 1 },
    "post /v1/jobs/:id/complete": lease,
    "post /v1/jobs/:id/fail": lease,
    "post /v1/jobs/:id/release": lease,
  };
  const bodyOf = ({ method, path }: RouteContract) =>
    method === "get" ? {} : { body: JSON.stringify(bodies[`${method} ${path}`] ?? bodies[method] ?? {}) };

  // A format or a week belongs to nobody.
  for (const route of ROUTES.filter((one) => isOfProject(one) && /:(?!format\b|week\b)\w+/.test(one.path))) {
    it(`${nameOf(route)} takes an id of theirs for one that does not exist`, async () => {
      const id = await makers[route.path]?.();
      expect(id, `a maker of a row for ${route.path}`).toBeDefined();
      const dump = async () =>
        JSON.stringify([
          await sql`select * from api_key where project_id <> 1 order by id`,
          await sql`select * from project_member order by project_id, user_id`,
          await sql`select * from invitation order by id`,
          await sql`select * from channel order by id`,
          await sql`select * from status_page order by project_id`,
          await sql`select * from status_word order by id`,
          await sql`select * from status_note order by id`,
          await sql`select * from status_update order by id`,
          await sql`select * from alert order by id`,
          await sql`select * from alert_rule order by id`,
          await sql`select * from silence order by id`,
          await sql`select * from maintenance_window order by id`,
          await sql`select * from job order by id`,
          await sql`select * from job_done order by id`,
        ]);
      const before = await dump();
      const hasPages = route.access !== "public" && route.access.role !== null;
      for (const name of hasPages ? ["admin", "admin key"] : ["admin key"]) {
        const ask = async (asked: number | string) => {
          const response = await fetch(
            `${api.url}${route.path.replace(/:(?:id|component|note)\b/, String(asked)).replace(":update", "any")}?project=default`,
            {
              method: route.method.toUpperCase(),
              headers: { ...headersOf(name), "content-type": "application/json" },
              ...bodyOf(route),
            },
          );
          return { status: response.status, problem: withoutId(await response.json()) };
        };
        const answer = await ask(id ?? 0);
        expect([name, answer.status]).toEqual([name, 404]);
        expect(answer).toEqual(await ask(999_999));
      }
      expect(await dump()).toBe(before);
    });
  }

  it("stores with its key in itself alone", async () => {
    const { key } = await api.createKey("ingest", "other");
    const response = await fetch(`${api.url}/v1/attempts`, {
      method: "POST",
      headers: { ...bearer(key), "content-type": "application/json" },
      body: JSON.stringify({ attempts: [anEvent({ model: "only theirs" })] }),
    });
    expect(response.status).toBe(202);
    expect((await api.get("/api/attempts?model=only theirs")).attempts).toEqual([]);
    expect((await api.get("/api/attempts?model=only theirs&project=other")).attempts).toHaveLength(1);
  });

  it("does not open a page of ours by a cursor of its own, and is not listed", async () => {
    const theirAdmin = headersOf("admin of another project");
    const get = async (path: string) => (await fetch(api.url + path, { headers: theirAdmin })).json();
    const { projects } = await get("/api/projects");
    expect(projects).toEqual([expect.objectContaining({ slug: "other", role: "admin" })]);
    expect((await get("/api/me")).project.slug).toBe("other");
    const { entries } = await get("/api/audit?limit=500");
    expect(entries.length).toBeGreaterThan(3);
    expect(new Set(entries.map(({ project }: { project: string }) => project))).toEqual(new Set(["other"]));
  });
});

describe("a session", () => {
  const { cookie = "" } = headersOf("owner");
  const post = (headers: Headers) =>
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

  it("is not begun by another site either", async () => {
    const begin = (headers: Headers) =>
      fetch(`${api.url}/api/sign-in`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: "{}",
      });
    expect((await begin({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await begin({ origin: "https://evil.example" })).status).toBe(403);
    expect((await begin({})).status).toBe(422);
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
