import { describe, expect, it } from "vitest";
import type { AuditEntry } from "../../server/contract/audit.ts";
import { ROUTES } from "../../server/contract/routes.ts";
import { aMaintenanceWindow, anAlertRule, insertAlert } from "../support/alerts.ts";
import { anEvent } from "../support/events.ts";
import { cookieOf, createPerson, OWN_SITE, type Signed, send, signIn } from "../support/people.ts";
import { ADMIN_TOKEN, startTestServer } from "../support/server.ts";

const api = await startTestServer();
const { sql } = api.database;
const PASSWORD = "a fine day for tea";

interface Request {
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

let count = 0;
const next = () => `thing-${++count}`;
const admin = await createPerson(api, "Ada", { default: "admin" }, { email: "ada@example.org" });
const anInvitation = async () => {
  const { url } = await send(api, "POST", "/api/invitations", { role: "viewer", note: "Bob" });
  return url.split("#")[1] as string;
};
const aKey = async () =>
  (await send(api, "POST", "/api/keys", { kind: "ingest", name: next() })).id as number;
const aSession = async (): Promise<Signed & { id: number }> => {
  const signed = await signIn(api, await createPerson(api, next()));
  const { sessions } = await api.get("/api/sessions");
  const { id } = sessions.find(({ user }: { user: { id: number } }) => user.id === signed.userId);
  return { ...signed, id };
};
const aPassword = async () => {
  const email = `${next()}@example.org`;
  const session = await signIn(api, await createPerson(api, next(), {}, { email }));
  await fetch(`${api.url}/api/me/password`, {
    method: "PUT",
    headers: { ...session.headers, "content-type": "application/json" },
    body: JSON.stringify({ password: PASSWORD }),
  });
  return email;
};

const aPlan = (document = {}) => ({ timeZone: "UTC", chains: { default: document } });
const aRule = async () => (await send(api, "POST", "/api/rules", anAlertRule({ name: next() }))).id as number;
const aSilence = async () =>
  (await send(api, "POST", "/api/silences", { where: {}, until: "2026-11-29T13:00:00Z", reason: "x" }))
    .id as number;
const aWindow = async () =>
  (await send(api, "POST", "/api/maintenance-windows", aMaintenanceWindow({ name: next() }))).id as number;
const inForce = async () => (await api.get("/v1/plan")).version as number;
const publish = async () =>
  (
    await send(api, "POST", "/api/plans/publish", {
      document: aPlan(),
      basedOn: await inForce(),
      reason: "to try",
    })
  ).version as number;

const aChannel = async (address = `https://hooks.slack.com/services/T/B/${next()}`) =>
  (await send(api, "POST", "/api/channels", { address })).id as number;
const aPage = (parts = {}) => ({
  slug: "ours",
  isPublic: true,
  name: { en: "Ours" },
  components: [{ name: { en: "Chat" }, mode: "manual", targets: [] }],
  ...parts,
});
const aNote = async () =>
  (
    await send(api, "POST", "/api/status-notes", {
      kind: "incident",
      title: { en: next() },
      body: { en: "We look into it." },
    })
  ).id as string;

const aJob = async (queue = next()) =>
  (await send(api, "POST", "/v1/jobs", { jobs: [{ queue }] })).jobs[0].id as number;
const aLease = async () => {
  const queue = next();
  await aJob(queue);
  const { jobs } = await send(api, "POST", "/v1/jobs/lease", { queue, worker: "w" });
  return jobs[0] as { id: number; token: string };
};

/** What makes each route change something. A route that is missing here fails the test. */
const requests: Readonly<Record<string, () => Promise<Request>>> = {
  "post /api/projects": async () => ({ path: "/api/projects", body: { slug: next(), name: "P" } }),
  "patch /api/project": async () => ({ path: "/api/project", body: { name: next() } }),
  "delete /api/projects/:slug": async () => {
    const slug = next();
    await send(api, "POST", "/api/projects", { slug, name: "P" });
    return { path: `/api/projects/${slug}` };
  },
  "post /api/keys": async () => ({ path: "/api/keys", body: { kind: "read", name: next() } }),
  "patch /api/keys/:id": async () => ({ path: `/api/keys/${await aKey()}`, body: { eventsPerMinute: 7 } }),
  "post /api/keys/:id/rotations": async () => ({ path: `/api/keys/${await aKey()}/rotations`, body: {} }),
  "delete /api/keys/:id": async () => ({ path: `/api/keys/${await aKey()}` }),
  "put /api/members/:id": async () => ({
    path: `/api/members/${await createPerson(api, next())}`,
    body: { role: "editor" },
  }),
  "delete /api/members/:id": async () => ({
    path: `/api/members/${await createPerson(api, next(), { default: "viewer" })}`,
  }),
  "post /api/invitations": async () => ({ path: "/api/invitations", body: { role: "admin" } }),
  "delete /api/invitations/:id": async () => ({
    path: `/api/invitations/${(await send(api, "POST", "/api/invitations", { role: "admin" })).id}`,
  }),
  "post /api/invitations/open": async () => ({
    path: "/api/invitations/open",
    body: { token: await anInvitation() },
  }),
  "post /api/invitations/accept": async () => ({
    path: "/api/invitations/accept",
    body: {
      token: await anInvitation(),
      name: "Bob",
      email: `${next()}@example.org`,
      password: PASSWORD,
    },
  }),
  "post /api/users": async () => ({ path: "/api/users", body: { name: next() } }),
  "patch /api/users/:id": async () => ({ path: `/api/users/${admin}`, body: { name: next() } }),
  "delete /api/users/:id": async () => ({ path: `/api/users/${await createPerson(api, next())}` }),
  "post /api/users/:id/sign-in-links": async () => ({ path: `/api/users/${admin}/sign-in-links` }),
  "delete /api/sessions/:id": async () => ({ path: `/api/sessions/${(await aSession()).id}` }),
  "delete /api/me/sessions/:id": async () => {
    const { id, headers } = await aSession();
    return { path: `/api/me/sessions/${id}`, headers };
  },
  "patch /api/me": async () => ({
    path: "/api/me",
    headers: (await aSession()).headers,
    body: { name: next() },
  }),
  "put /api/me/password": async () => ({
    path: "/api/me/password",
    headers: (await aSession()).headers,
    body: { password: PASSWORD },
  }),
  "post /api/sign-in-links": async () => ({ path: "/api/sign-in-links" }),
  "get /sign-in": async () => {
    const { url } = await send(api, "POST", "/api/sign-in-links");
    return { path: url.replace(api.url, "") };
  },
  "post /api/sign-in": async () => ({
    path: "/api/sign-in",
    body: { email: await aPassword(), password: PASSWORD },
  }),
  "post /api/sign-out": async () => ({ path: "/api/sign-out", headers: (await aSession()).headers }),
  "post /api/secret-rotations": async () => ({ path: "/api/secret-rotations" }),
  "post /api/rebuilds": async () => ({ path: "/api/rebuilds", body: {} }),
  "put /api/classification-rules": async () => ({
    path: "/api/classification-rules",
    body: {
      rules: [{ id: `x/${next()}`, outcome: "capacity", because: "It says so.", text: "taking a nap" }],
    },
  }),
  "post /api/reclassifications": async () => {
    await api.post([
      anEvent({ outcome: undefined as never, httpStatus: 418, error: { message: "taking a nap" } }),
    ]);
    await sql`update attempt set outcome = 14 where http_status = 418`;
    return { path: "/api/reclassifications", body: {} };
  },
  "post /api/plans": async () => ({ path: "/api/plans", body: { document: aPlan() } }),
  "post /api/plans/publish": async () => ({
    path: "/api/plans/publish",
    body: { document: aPlan(), basedOn: await inForce(), reason: next() },
  }),
  "post /api/plans/rollback": async () => {
    const version = await publish();
    const basedOn = await publish();
    return { path: "/api/plans/rollback", body: { version, basedOn, reason: next() } };
  },
  "post /api/plans/replay": async () => ({ path: "/api/plans/replay", body: { document: aPlan() } }),
  "post /api/channels": async () => ({
    path: "/api/channels",
    body: { address: `https://hooks.slack.com/services/T/B/${next()}` },
  }),
  "post /api/channel-kinds": async () => ({
    path: "/api/channel-kinds",
    body: { address: "https://hooks.slack.com/services/T/B/x" },
  }),
  "patch /api/channels/:id": async () => ({
    path: `/api/channels/${await aChannel()}`,
    body: { name: next() },
  }),
  "delete /api/channels/:id": async () => ({ path: `/api/channels/${await aChannel()}` }),
  "post /api/channels/:id/tests": async () => ({
    path: `/api/channels/${await aChannel("https://hooks.test:1/x")}/tests`,
  }),
  "post /api/channels/:id/rotations": async () => ({
    path: `/api/channels/${await aChannel("https://hooks.test:1/x")}/rotations`,
    body: {},
  }),
  "put /api/status-page": async () => ({ path: "/api/status-page", body: aPage({ name: { en: next() } }) }),
  "put /api/status-page/components/:component/word": async () => {
    const { components } = await send(api, "PUT", "/api/status-page", aPage());
    return { path: `/api/status-page/components/${components[0].id}/word`, body: { state: "busy" } };
  },
  "post /api/status-notes": async () => ({
    path: "/api/status-notes",
    body: { kind: "incident", title: { en: next() }, body: { en: "We look into it." } },
  }),
  "patch /api/status-notes/:note": async () => ({
    path: `/api/status-notes/${await aNote()}`,
    body: { title: { en: next() } },
  }),
  "delete /api/status-notes/:note": async () => ({ path: `/api/status-notes/${await aNote()}` }),
  "post /api/status-notes/:note/updates": async () => ({
    path: `/api/status-notes/${await aNote()}/updates`,
    body: { state: "resolved", body: { en: "It is over." } },
  }),
  "patch /api/status-notes/:note/updates/:update": async () => {
    const { notes } = await api.get("/api/status-notes");
    const [{ id, updates }] = notes;
    return { path: `/api/status-notes/${id}/updates/${updates[0].id}`, body: { body: { en: next() } } };
  },
  "post /api/alerts/:id/acknowledgement": async () => ({
    path: `/api/alerts/${await insertAlert(sql)}/acknowledgement`,
    body: {},
  }),
  "post /api/rules": async () => ({ path: "/api/rules", body: anAlertRule() }),
  "post /api/rules/usual": async () => {
    const { rules } = await send(api, "POST", "/api/rules/usual");
    const [first, second] = rules.filter(({ preset }: { preset: string | null }) => preset !== null);
    const { id, preset: _, firing: __, createdAt: ___, changedAt: ____, ...rule } = first;
    await send(api, "PUT", `/api/rules/${id}`, { ...rule, isEnabled: false });
    await send(api, "DELETE", `/api/rules/${second.id}`);
    return { path: "/api/rules/usual" };
  },
  "post /api/rules/replay": async () => ({ path: "/api/rules/replay", body: { rule: anAlertRule() } }),
  "put /api/rules/:id": async () => ({
    path: `/api/rules/${await aRule()}`,
    body: { ...anAlertRule({ name: next() }), version: 1 },
  }),
  "delete /api/rules/:id": async () => ({ path: `/api/rules/${await aRule()}` }),
  "post /api/silences": async () => ({
    path: "/api/silences",
    body: { where: { model: "large" }, until: "2026-11-29T13:00:00Z", reason: next() },
  }),
  "patch /api/silences/:id": async () => ({
    path: `/api/silences/${await aSilence()}`,
    body: { reason: next() },
  }),
  "delete /api/silences/:id": async () => ({ path: `/api/silences/${await aSilence()}` }),
  "post /api/maintenance-windows": async () => ({
    path: "/api/maintenance-windows",
    body: aMaintenanceWindow(),
  }),
  "put /api/maintenance-windows/:id": async () => ({
    path: `/api/maintenance-windows/${await aWindow()}`,
    body: { ...aMaintenanceWindow({ name: next() }), version: 1 },
  }),
  "delete /api/maintenance-windows/:id": async () => ({
    path: `/api/maintenance-windows/${await aWindow()}`,
  }),
  "post /v1/jobs/cancel": async () => ({ path: "/v1/jobs/cancel", body: { ids: [await aJob()] } }),
  "post /v1/jobs/retry": async () => {
    const { id, token } = await aLease();
    await send(api, "POST", `/v1/jobs/${id}/fail`, { token, isFinal: true });
    return { path: "/v1/jobs/retry", body: { ids: [id] } };
  },
  "post /v1/jobs/extend": async () => {
    const { id, token } = await aLease();
    return { path: "/v1/jobs/extend", body: { worker: "w", leases: [{ id, token }] } };
  },
  "post /v1/jobs/:id/complete": async () => {
    const { id, token } = await aLease();
    return { path: `/v1/jobs/${id}/complete`, body: { token } };
  },
  "post /v1/jobs/:id/fail": async () => {
    const { id, token } = await aLease();
    return { path: `/v1/jobs/${id}/fail`, body: { token } };
  },
  "post /v1/jobs/:id/release": async () => {
    const { id, token } = await aLease();
    return { path: `/v1/jobs/${id}/release`, body: { token } };
  },
  "put /api/queues/settings": async () => ({
    path: "/api/queues/settings",
    body: { storesPayloads: true, payloadHours: ++count, keptDays: 7, deadKeptDays: 30 },
  }),
  "post /v1/routers": async () => ({
    path: "/v1/routers",
    body: { instance: next(), chain: "default", startedAt: 1, planVersion: null },
  }),
  "post /v1/rehearsals": async () => ({
    path: "/v1/rehearsals",
    body: {
      chain: "default",
      planVersion: null,
      startedAt: 1,
      durationMs: 1,
      cases: 1,
      isOk: true,
      targets: [{ target: "a", provider: "p", model: "m", passed: 1, failed: 0, latencyMsP50: 1 }],
    },
  }),
};

/** They take long, are tested with OpenID Connect, or only take data in. */
const ELSEWHERE = ["post /api/sample", "delete /api/sample", "get /sign-in/oidc/return"];
const DATA = [
  "post /v1/attempts",
  "post /v1/traces",
  "post /v1/litellm",
  "post /v1/jobs",
  "post /v1/jobs/lease",
];

const changing = ROUTES.filter(({ method, audit }) => method !== "get" || (audit?.length ?? 0) > 0).filter(
  ({ method, path }) => ![...ELSEWHERE, ...DATA].includes(`${method} ${path}`),
);

const perform = (
  method: string,
  { path, body, headers = { authorization: `Bearer ${ADMIN_TOKEN}` } }: Request,
) =>
  fetch(api.url + path, {
    method: method.toUpperCase(),
    redirect: "manual",
    headers: {
      ...headers,
      ...OWN_SITE,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const listEntries = async (query = ""): Promise<AuditEntry[]> =>
  (await api.get(`/api/installation/audit?limit=500${query}`)).entries;

/** Everything that the audit log tells of, without what is noted by the way. */
const dump = async () =>
  JSON.stringify(
    await Promise.all([
      sql`select * from project order by id`,
      sql`select id, name, scopes, events_per_minute, expires_at, replaced_by, revoked_at from api_key order by id`,
      sql`select * from app_user order by id`,
      sql`select * from project_member order by project_id, user_id`,
      sql`select * from invitation order by id`,
      sql`select * from alert_rule order by id`,
      sql`select id, acknowledged_at from alert order by id`,
      sql`select * from silence order by id`,
      sql`select * from maintenance_window order by id`,
      sql`select id, user_id, via, expires_at from session order by id`,
      sql`select * from sign_in_link order by hash`,
      sql`select * from classification_rule order by project_id, place`,
      sql`select occurred_at, event_id, outcome from attempt order by 1, 2`,
      sql`select count(*) from touched_bucket`,
      sql`select * from plan order by project_id, version`,
      sql`select id, name, settings, is_enabled, least_severity from channel order by id`,
      sql`select project_id, name, sealed from secret order by id`,
      sql`select * from status_page order by project_id`,
      sql`select * from status_component order by project_id, id`,
      sql`select * from status_word order by id`,
      sql`select * from status_note order by id`,
      sql`select * from status_update order by id`,
      sql`select * from job_setting order by project_id`,
      sql`select id from job order by id`,
      sql`select id, state from job_done order by id`,
      sql`select * from job_event order by job_id, number`,
    ]),
  );

describe("the audit log", () => {
  for (const { method, path, audit = [] } of changing) {
    it(`tells of ${method.toUpperCase()} ${path}, which changes nothing without it`, async () => {
      const make = requests[`${method} ${path}`];
      expect(make, "a request that changes something").toBeDefined();
      const request = await make?.();
      if (request === undefined) return;
      const lastId = (await listEntries())[0]?.id ?? 0;
      const before = await dump();
      if (audit.length > 0) {
        // What cannot be written down does not happen.
        await sql`alter table audit_log add constraint never check (false) not valid`;
        expect((await perform(method, request)).status).toBe(500);
        await sql`alter table audit_log drop constraint never`;
        expect(await dump()).toBe(before);
      }
      const response = await perform(method, request);
      expect([response.status < 400, response.headers.get("location")?.includes("failed") ?? false]).toEqual([
        true,
        false,
      ]);
      const fresh = (await listEntries()).filter(({ id }) => id > lastId);
      expect(fresh.map(({ action }) => action)).toEqual(expect.arrayContaining([...audit]));
      if (audit.length === 0) expect(fresh).toEqual([]);
      for (const entry of fresh) expect(entry.requestId).toBe(response.headers.get("x-request-id"));
    });
  }

  it("says who, what, from what and to what, and stays when all of it is gone", async () => {
    const owner = await createPerson(api, "Grace", {}, { isOwner: true });
    const { headers } = await signIn(api, owner);
    const as = async (method: string, path: string, body?: unknown) => {
      const response = await perform(method, { path, headers, ...(body === undefined ? {} : { body }) });
      const text = await response.text();
      return text === "" ? null : JSON.parse(text);
    };
    const slug = next();
    await as("POST", "/api/projects", { slug, name: "Shop", timeZone: "Asia/Tokyo" });
    const key = await as("POST", `/api/keys?project=${slug}`, { kind: "ingest", name: "till" });
    await as("PATCH", `/api/keys/${key.id}?project=${slug}`, { name: "tills", eventsPerMinute: 60 });
    await as("DELETE", `/api/projects/${slug}`);
    await send(api, "DELETE", `/api/users/${owner}`);
    const entries = (await listEntries()).filter(({ project }) => project === slug);
    const actor = { kind: "person", id: owner, name: "Grace" };
    expect(entries.map((entry) => ({ ...entry, id: 0, requestId: "" })).reverse()).toEqual(
      [
        {
          action: "project.created",
          subject: { id: expect.any(String), name: "Shop" },
          before: null,
          after: { slug, name: "Shop", timeZone: "Asia/Tokyo" },
        },
        {
          action: "key.created",
          subject: { id: String(key.id), name: "till" },
          before: null,
          after: expect.objectContaining({ kind: "ingest", name: "till" }),
        },
        {
          action: "key.changed",
          subject: { id: String(key.id), name: "till" },
          before: { name: "till", eventsPerMinute: null },
          after: { name: "tills", eventsPerMinute: 60 },
        },
        {
          action: "project.removed",
          subject: { id: expect.any(String), name: "Shop" },
          before: { slug, name: "Shop", timeZone: "Asia/Tokyo" },
          after: null,
        },
      ].map((entry) => ({
        ...entry,
        id: 0,
        requestId: "",
        project: slug,
        actor,
        at: new Date(api.clock.nowMs).toISOString(),
      })),
    );
  });

  it("is searched by names, actions and times, in pages that neither repeat nor miss", async () => {
    const all = await listEntries();
    expect(all.length).toBeGreaterThan(60);
    const found = await listEntries("&q=GRACE");
    expect(found.length).toBeGreaterThan(3);
    expect(found.every(({ actor, subject }) => `${actor.name} ${subject.name}`.includes("Grace"))).toBe(true);
    expect(await listEntries("&q=100%25")).toEqual([]);
    expect(new Set((await listEntries("&action=key.revoked")).map(({ action }) => action))).toEqual(
      new Set(["key.revoked"]),
    );
    api.clock.nowMs += 1_000;
    expect(await listEntries("&from=2026-11-29T12:00:00.001Z")).toEqual([]);
    expect(await listEntries("&from=2026-11-29T12:00:00Z")).toHaveLength(all.length);
    expect(await listEntries("&to=2026-11-29T12:00:00Z")).toEqual([]);
    const pages: AuditEntry[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: { entries: AuditEntry[]; next: string | null } = await api.get(
        `/api/installation/audit?limit=7${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      pages.push(...page.entries);
      cursor = page.next;
    }
    expect(pages.map(({ id }) => id).slice(-all.length)).toEqual(all.map(({ id }) => id));
    expect((await api.fetch("/api/audit?cursor=x")).status).toBe(422);
  });

  it("holds no secret", async () => {
    const key = await send(api, "POST", "/api/keys", { kind: "read", name: "x" });
    const link = await send(api, "POST", "/api/sign-in-links");
    const token = await anInvitation();
    const cookie = cookieOf(await fetch(link.url, { redirect: "manual" })).split("=")[1] ?? "";
    const [log] = await sql<{ text: string }[]>`select string_agg(a::text, ' ') as text from audit_log a`;
    for (const secret of [key.key, link.url.split("token=")[1], token, cookie, PASSWORD, "$scrypt"]) {
      expect(secret.length).toBeGreaterThan(5);
      expect(log?.text).not.toContain(secret);
    }
  });
});
