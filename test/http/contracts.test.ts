import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createAlertJob } from "../../server/alerts/job.ts";
import type { RouteContract } from "../../server/contract/route.ts";
import { ROUTES } from "../../server/contract/routes.ts";
import { createSample, createTrickle } from "../../server/demo/sample.ts";
import { aMaintenanceWindow, anAlertRule, insertAlert } from "../support/alerts.ts";
import { anEvent } from "../support/events.ts";
import { createPerson, send as sendAs, signIn } from "../support/people.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
await api.post([
  anEvent({ source: "a", latencyMs: 100, firstTokenMs: 20, servedModel: "large-1" }),
  anEvent({
    source: "a",
    outcome: "capacity",
    error: { message: "full" },
    attempt: 2,
    chain: "c",
    position: 1,
  }),
]);
await api.post([{ nonsense: true }]);
await api.createKey("read");
const planBody = {
  document: {
    timeZone: "UTC",
    chains: { c: { targets: [{ id: "a", provider: "acme", model: "acme-large" }] } },
  },
  basedOn: 0,
  reason: "to begin with",
};
const router = { chain: "c", startedAt: 1, planVersion: 1 };
const health = {
  target: "a",
  state: "ready",
  score: 0.9,
  circuit: "closed",
  inFlight: 0,
  limit: 3,
  heldUntil: null,
};
const rehearsed = {
  target: "a",
  provider: "acme",
  model: "acme-large",
  passed: 0,
  failed: 1,
  latencyMsP50: 1,
};
const statusPage = {
  slug: "ours",
  isPublic: true,
  name: { en: "Ours" },
  components: [
    {
      name: { en: "Chat" },
      mode: "auto",
      targets: [{ provider: "acme", model: "acme-large", endpoint: null }],
    },
  ],
};
const words = { title: { en: "Slow" }, body: { en: "We look into it." } };
const times = { startsAt: "2027-01-01T00:00:00Z", endsAt: "2027-01-01T01:00:00Z" };
for (const [path, body] of [
  ["/api/status-page", statusPage],
  ["/api/status-notes", { kind: "incident", ...words }],
  ["/api/status-notes", { kind: "maintenance", ...words, ...times }],
  ["/api/plans/publish", planBody],
  ["/v1/routers", { ...router, instance: "i", targets: [health] }],
  [
    "/v1/rehearsals",
    {
      ...router,
      durationMs: 1,
      cases: 1,
      isOk: false,
      targets: [{ ...rehearsed, failures: [{ case: "one", reason: "call", outcome: "capacity" }] }],
    },
  ],
] as const) {
  const headers = { "content-type": "application/json" };
  const method = path === "/api/status-page" ? "PUT" : "POST";
  const response = await api.fetch(path, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
}
await api.catchUp();
await api.server.core.flushSources();
const alertId = await insertAlert(api.database.sql);
for (const [path, body] of [
  ["/api/rules", anAlertRule()],
  ["/api/silences", { where: { model: "large" }, until: "2026-11-30T12:00:00Z", reason: "x" }],
  ["/api/maintenance-windows", aMaintenanceWindow()],
] as const) {
  await sendAs(api, "POST", path, body);
}
await createAlertJob({
  sql: api.server.core.jobSql,
  enqueueNotice: async () => {},
  explain: async () => ({ cause: null, order: null }),
}).run(api.clock.nowMs);

const { jobs: madeJobs } = await sendAs(api, "POST", "/v1/jobs", {
  jobs: [
    { queue: "a", when: "offPeak", chain: "c", notAfter: "2026-11-29T20:00:00Z" },
    { queue: "b", key: "done", when: "2026-11-29T12:00:00Z" },
  ],
});
const { jobs: leased } = await sendAs(api, "POST", "/v1/jobs/lease", { queue: "b", worker: "w" });
await sendAs(api, "POST", `/v1/jobs/${leased[0].id}/complete`, {
  token: leased[0].token,
  result: { reference: "r" },
});

const document = await api.get("/openapi.json");

/** Everything under a key, at any depth. */
function collect(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => collect(item, key));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(name === key ? [inner] : []),
    ...collect(inner, key),
  ]);
}

/** With a try in its log. */
const channel = (await sendAs(api, "POST", "/api/channels", { address: "https://hooks.test:1/x" })).id;
await sendAs(api, "POST", `/api/channels/${channel}/tests`);

describe("answers", () => {
  const readable = ROUTES.filter(
    (route) => route.method === "get" && route.answer.schema !== undefined && route.path !== "/openapi.json",
  );
  for (const route of readable) {
    it(`of ${route.path} are what the contract says, and nothing more`, async () => {
      const path = route.path
        .replace(":format", "json")
        .replace(":week", "2026-W01")
        .replace("/alerts/:id", `/alerts/${alertId}`)
        .replace("/jobs/:id", `/jobs/${madeJobs[0].id}`)
        .replace(":id", String(channel))
        .replace(":slug", "ours");
      const answer = await api.get(path);
      expect(route.answer.schema?.parse(answer)).toEqual(answer);
    });
  }

  it("of changes are what the contract says", async () => {
    const ask = (method: string, path: string, body: unknown) =>
      api.fetch(path, {
        method: method.toUpperCase(),
        ...(body === undefined
          ? {}
          : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
      });
    const calls: [string, string, unknown][] = [
      ["post", "/v1/attempts", { attempts: [anEvent(), {}] }],
      ["post", "/api/keys", { kind: "read", name: "x" }],
      ["patch", "/api/project", { timeZone: "Asia/Shanghai", name: "Ours" }],
      ["post", "/api/rebuilds", {}],
      ["post", "/api/plans", { document: planBody.document }],
      ["post", "/api/plans/publish", { ...planBody, basedOn: 1 }],
      ["post", "/api/plans/replay", { document: planBody.document }],
      ["post", "/api/rules", anAlertRule({ name: "another" })],
      ["post", "/api/rules/usual", undefined],
      ["post", "/api/rules/replay", { rule: anAlertRule() }],
      ["post", "/api/silences", { where: {}, until: "2026-11-30T12:00:00Z", reason: "x" }],
      ["post", "/api/maintenance-windows", aMaintenanceWindow()],
      ["post", "/v1/jobs", { jobs: [{ reference: "x" }] }],
      ["post", "/v1/jobs/lease", { worker: "w", limit: 5 }],
      ["post", "/v1/jobs/cancel", { queue: "a" }],
      ["post", "/v1/jobs/retry", { queue: "a" }],
      [
        "put",
        "/api/queues/settings",
        { storesPayloads: false, payloadHours: 1, keptDays: 7, deadKeptDays: 9 },
      ],
    ];
    for (const [method, path, body] of calls) {
      const route = ROUTES.find((one) => one.method === method && one.path === path) as RouteContract;
      const response = await ask(method, path, body);
      const answer = await response.json();
      expect([path, response.status, route.answer.schema?.parse(answer)]).toEqual([
        path,
        route.answer.status,
        answer,
      ]);
    }
    expect((await api.get("/api/heatmap")).zone).toBe("Asia/Shanghai");
    expect((await ask("patch", "/api/project", { timeZone: "Mars" })).status).toBe(422);
    const changed = await (await ask("patch", "/api/project", { timeZone: "asia/tokyo" })).json();
    expect(changed.timeZone).toBe("Asia/Tokyo");
  });
});

describe("the OpenAPI document", () => {
  it("names every route, and nothing else", () => {
    const named = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(named.sort()).toEqual(
      ROUTES.map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`).sort(),
    );
  });

  it("has no reference into nothing, and an operation id for each route", () => {
    const references = collect(document, "$ref") as string[];
    expect(references.length).toBeGreaterThan(20);
    for (const reference of references) {
      const name = reference.replace("#/components/schemas/", "");
      expect(Object.keys(document.components.schemas)).toContain(name);
    }
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      expect(Object.keys(schema as object), name).not.toEqual(["$ref"]);
    }
    const ids = collect(document.paths, "operationId") as string[];
    expect(new Set(ids).size).toBe(ROUTES.length);
  });

  it("describes an attempt as it is taken", () => {
    const { properties, required } = document.components.schemas.AttemptEvent;
    expect(required.sort()).toEqual(["model", "occurredAt", "provider"]);
    expect(Object.keys(properties)).toContain("retryAfterMs");
  });
});

describe("every answer", () => {
  it("carries a request id and headers that keep browsers careful", async () => {
    const { headers } = await fetch(`${api.url}/healthz`);
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-powered-by")).toBeNull();
  });

  it("to a path that is no route is a problem in words", async () => {
    for (const path of ["/nothing", "/api/nothing", "/api/heatmap/x", "/%ff"]) {
      const response = await api.fetch(path);
      expect(response.headers.get("content-type")).toContain("application/problem+json");
      expect([404, 400]).toContain(response.status);
    }
  });
});

describe("a body", () => {
  it("with a text that PostgreSQL cannot hold is refused with the place of it", async () => {
    const response = await api.fetch("/api/classification-rules", {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: String.raw`{"rules":[{"id":"a/b","outcome":"capacity","code":"x","because":"\ud800 broken"}]}`,
    });
    expect(response.status).toBe(422);
    expect((await response.json()).errors).toMatchObject([{ pointer: "/rules/0/because" }]);
  });

  it("names a project that nobody can have as one that does not exist, whoever asks", async () => {
    const person = await signIn(api, await createPerson(api, "somebody", { default: "viewer" }));
    expect((await api.fetch("/api/heatmap?project=%00")).status).toBe(404);
    expect((await fetch(`${api.url}/api/heatmap?project=%00`, { headers: person.headers })).status).toBe(404);
  });
});

describe("a method that a path does not have", () => {
  it.each([
    ["PUT", "/v1/attempts", "POST, OPTIONS"],
    ["GET", "/v1/attempts", "POST, OPTIONS"],
    ["DELETE", "/api/heatmap", "GET, HEAD, OPTIONS"],
    ["PUT", "/api/keys", "GET, POST, HEAD, OPTIONS"],
    ["GET", "/api/keys/7", "PATCH, DELETE, OPTIONS"],
  ])("is refused with those that it has: %s %s", async (method, path, allow) => {
    const response = await api.fetch(path, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, allow]);
    expect(await response.json()).toMatchObject({
      code: "method_not_allowed",
      detail: `${method} ${path} is no route; there is ${allow}. See /openapi.json.`,
    });
  });

  it("is told to whoever asks with OPTIONS; HEAD is a GET", async () => {
    const options = await api.fetch("/api/heatmap", { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    expect((await api.fetch("/api/heatmap", { method: "HEAD" })).status).toBe(200);
  });
});

describe("the sample project", () => {
  it("is made, grows by itself, and goes without a trace", { timeout: 120_000 }, async () => {
    expect(await api.get("/api/sample")).toEqual({ state: "none", attempts: null, share: null });
    const making = api.fetch("/api/sample", { method: "POST" });
    const seen: { state: string; attempts: number; share: number }[] = [];
    for (let state = await api.get("/api/sample"); state.state !== "ready"; ) {
      if (state.state === "making") seen.push(state);
      await sleep(50);
      state = await api.get("/api/sample");
    }
    expect(new Set(seen.map(({ attempts }) => attempts)).size).toBeGreaterThan(5);
    expect(seen.every(({ share }, i) => share >= (seen[i - 1]?.share ?? 0))).toBe(true);
    expect(seen.at(-1)).toMatchObject({ share: 1 });
    const made = await making;
    expect(made.status).toBe(201);
    const { attempts, project } = await made.json();
    expect(attempts).toBeGreaterThan(200_000);
    expect(project).toMatchObject({ slug: "sample", isSample: true });
    const { cells } = await api.get("/api/heatmap?project=sample");
    expect(cells.filter(({ state }: { state: string }) => state === "enough").length).toBeGreaterThan(150);
    const { total } = await api.get("/api/overview?project=sample&from=2026-10-01T00:00:00Z");
    expect(total.attempts).toBe(attempts);
    expect(total.requestCapacity.rate).toBeLessThan(total.capacity.rate / 4);

    const trickle = createTrickle(api.server.sampleDeps, api.clock.nowMs);
    api.clock.nowMs += 30 * 60_000;
    await trickle(api.clock.nowMs);
    await trickle(api.clock.nowMs);
    await api.catchUp();
    const later = (await api.get("/api/overview?project=sample&from=2026-10-01T00:00:00Z")).total.attempts;
    expect(later).toBeGreaterThan(attempts + 20);
    const stored = await api.database.sql`
      select count(*)::int as n from attempt a join project p on p.id = a.project_id where p.slug = 'sample'`;
    expect(stored).toEqual([{ n: later }]);

    expect((await api.fetch("/api/sample", { method: "DELETE" })).status).toBe(204);
    expect((await api.fetch("/api/overview?project=sample")).status).toBe(404);
    const left = await api.database.sql`
      select (select count(*) from attempt where project_id <> 1)::int
           + (select count(*) from series where project_id <> 1)::int
           + (select count(*) from attempt_rollup_15m where project_id <> 1)::int
           + (select count(*) from latency_rollup_1d where project_id <> 1)::int as n`;
    expect(left).toEqual([{ n: 0 }]);
    expect((await api.fetch("/api/sample", { method: "DELETE" })).status).toBe(404);
  });

  it("is completed by the next server when its making was broken off", { timeout: 120_000 }, async () => {
    const deps = { ...api.server.sampleDeps, rawRetentionDays: 3 };
    const count = async () =>
      (
        await api.database.sql<{ n: number }[]>`
          select count(*)::int as n from attempt a join project p on p.id = a.project_id where p.slug = 'sample'`
      )[0]?.n;
    const nowMs = api.clock.nowMs;
    const { attempts } = await createSample(deps, nowMs);
    const stop = new AbortController();
    await createSample(deps, nowMs, {
      signal: stop.signal,
      onProgress: (progress) => {
        if (progress.attempts > 0) stop.abort();
      },
    });
    expect(await count()).toBe(10_000);
    await createTrickle(deps, nowMs)(nowMs + 1);
    expect(await count()).toBe(10_000);
    await createTrickle(deps, nowMs + 1)(nowMs);
    expect(await count()).toBe(attempts);
    await api.fetch("/api/sample", { method: "DELETE" });
  });
});
