import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { planCommand } from "../../server/cli/plan.ts";
import type { Terminal } from "../../server/cli/terminal.ts";
import { runUpkeep } from "../../server/retention/upkeep.ts";
import { startServer } from "../../server/server.ts";
import { anEvent } from "../support/events.ts";
import { createPerson, send, signIn } from "../support/people.ts";
import { ADMIN_TOKEN, startTestServer } from "../support/server.ts";

const api = await startTestServer();
const { key } = await api.createKey("ingest");

const large = { id: "large", provider: "acme", model: "acme-large", tier: "flagship" };
const small = { id: "small", provider: "acme", model: "acme-small", tier: "light" };
const documentOf = (chain: object = { targets: [large, small] }) => ({
  timeZone: "Asia/Shanghai",
  chains: { default: chain },
});

let projects = 0;
/** A project of its own, so that versions begin with 1. */
async function aProject() {
  const slug = `plans-${++projects}`;
  await send(api, "POST", "/api/projects", { slug, name: slug });
  const at = (path: string) => `${path}${path.includes("?") ? "&" : "?"}project=${slug}`;
  return {
    slug,
    get: (path: string) => api.get(at(path)),
    post: (path: string, body: unknown) => send(api, "POST", at(path), body),
    fetch: (path: string, init: Parameters<typeof api.fetch>[1] = {}) => api.fetch(at(path), init),
    publish: (document: unknown, basedOn: number, reason = "to try it") =>
      send(api, "POST", at("/api/plans/publish"), { document, basedOn, reason }),
    async refused(path: string, body: unknown) {
      const response = await api.fetch(at(path), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: response.status, ...(await response.json()) };
    },
  };
}

/** Runs `busyhour plan …` in this process, against the server of this file. */
async function runPlan(slug: string, args: readonly string[], input = "") {
  let [stdout, said] = ["", ""];
  const terminal: Terminal = {
    version: "test",
    environment: {},
    stdin: Readable.from([input]),
    stdout: {
      write(text) {
        stdout += text;
      },
    },
    stderr: { write: () => {} },
    say(line) {
      said += `${line}\n`;
    },
    onInterrupt: () => () => {},
    setExitCode: () => {},
  };
  const flags = ["--url", api.url, "--key", ADMIN_TOKEN, "--project", slug];
  await planCommand(terminal).parseAsync([...args, ...flags], { from: "user" });
  return { stdout, said };
}

/** Asks as a router does. */
async function poll(url: string, etag: string | null, wait = 0, signal?: AbortSignal) {
  const startedMs = performance.now();
  const response = await fetch(`${url}/v1/plan?chain=default&wait=${wait}`, {
    headers: { authorization: `Bearer ${key}`, ...(etag === null ? {} : { "if-none-match": etag }) },
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  return {
    status: response.status,
    etag: response.headers.get("etag"),
    plan: text === "" ? null : JSON.parse(text),
    tookMs: performance.now() - startedMs,
  };
}

describe("versions of the plan", () => {
  it("are numbered, and tell who published what, when, why and from what", async () => {
    const { get, post, publish } = await aProject();
    expect(await get("/api/plans/version")).toEqual({ plan: null });
    expect(await get("/v1/plan")).toEqual({ version: 0, timeZone: "UTC", chains: {} });
    expect(await publish(documentOf(), 0, "the first")).toMatchObject({
      version: 1,
      state: "published",
      basedOn: null,
    });
    const draft = await post("/api/plans", {
      document: documentOf({ targets: [small, large], futureField: 1 }),
      reason: "for Monday",
    });
    expect(draft).toMatchObject({ version: 2, state: "draft", basedOn: 1, publishedAt: null });
    expect((await get("/v1/plan")).version).toBe(1);
    await post("/api/plans/publish", { version: 2, basedOn: 1, reason: "Monday came" });
    const { plan } = await get("/api/plans/version");
    const actor = { kind: "token", id: null, name: "admin token" };
    expect(plan).toEqual({
      version: 2,
      state: "published",
      basedOn: 1,
      copyOf: null,
      author: actor,
      publisher: actor,
      reason: "Monday came",
      createdAt: "2026-11-29T12:00:00.000Z",
      publishedAt: "2026-11-29T12:00:00.000Z",
      document: { version: 2, ...documentOf({ targets: [small, large], futureField: 1 }) },
    });
    const { plans, next } = await get("/api/plans?limit=1");
    expect([plans, next]).toEqual([[{ ...plan, document: undefined }], "2"]);
    const rest = await get(`/api/plans?limit=1&cursor=${next}`);
    expect(rest.plans).toMatchObject([{ version: 1, state: "past", reason: "the first" }]);
    expect((await get("/api/plans/version?version=1")).plan.document.chains.default.targets[0].id).toBe(
      "large",
    );
    expect((await get("/api/audit")).entries.map(({ action, after }: never) => [action, after])).toEqual([
      ["plan.published", { version: 2, reason: "Monday came" }],
      ["plan.drafted", { version: 2, reason: "for Monday" }],
      ["plan.published", { version: 1, reason: "the first" }],
      ["project.created", expect.anything()],
    ]);
  });

  it("are compared and rolled back: an old one published again is a new one", async () => {
    const { get, post, publish, refused } = await aProject();
    await publish(documentOf(), 0);
    await publish(documentOf({ targets: [small, large], retry: { maxAttempts: 2 } }), 1);
    expect(await get("/api/plans/diff?base=1&version=2")).toEqual({
      base: 1,
      version: 2,
      changes: [
        {
          kind: "order",
          chain: "default",
          subject: null,
          before: ["large", "small"],
          after: ["small", "large"],
        },
        { kind: "retry", chain: "default", subject: "maxAttempts", before: null, after: 2 },
      ],
    });
    expect((await get("/api/plans/diff?base=0&version=1")).changes).toMatchObject([{ kind: "chainAdded" }]);
    expect((await get("/api/plans/diff")).changes).toEqual([]);
    const back = await post("/api/plans/rollback", { version: 1, basedOn: 2, reason: "it was worse" });
    expect(back).toMatchObject({
      version: 3,
      state: "published",
      copyOf: 1,
      basedOn: 2,
      reason: "it was worse",
    });
    expect((await get("/api/plans/diff?base=1&version=3")).changes).toEqual([]);
    expect(await refused("/api/plans/rollback", { version: 3, basedOn: 3, reason: "x" })).toMatchObject({
      status: 409,
      code: "plan_state",
    });
    expect(await refused("/api/plans/rollback", { version: 9, basedOn: 3, reason: "x" })).toMatchObject({
      status: 404,
      code: "no_such_plan",
    });
  });

  it("tell the second of two editors who published what and when, and lose nothing", async () => {
    const { get, post, publish, refused } = await aProject();
    await publish(documentOf(), 0);
    const draft = await post("/api/plans", { document: documentOf({ targets: [small] }) });
    // Both made theirs from version 1; one of them comes first.
    const body = (reason: string) => ({ document: documentOf({ targets: [large] }), basedOn: 1, reason });
    const answers = await Promise.all(
      ["one", "two", "three"].map((reason) => refused("/api/plans/publish", body(reason))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const lost = answers.find(({ status }) => status === 409);
    const won = answers.find(({ status }) => status === 201);
    expect(lost).toMatchObject({
      code: "plan_conflict",
      detail: expect.stringContaining(
        `Version 3 was published by admin token at 2026-11-29T12:00:00.000Z: “${won.reason}”. This plan was made from version 1.`,
      ),
    });
    // The draft has the lower number, so that it is published as a copy: numbers of published versions only grow.
    const late = await post("/api/plans/publish", { version: draft.version, basedOn: 3, reason: "now" });
    expect(late).toMatchObject({ version: 4, copyOf: 2, state: "published" });
    expect((await get("/v1/plan")).version).toBe(4);
    expect(await refused("/api/plans/publish", { version: 4, basedOn: 4, reason: "again" })).toMatchObject({
      status: 409,
      code: "plan_state",
    });
  });

  it("take what was seen from If-Match too, and nothing without it", async () => {
    const { fetch: call, publish, refused } = await aProject();
    await publish(documentOf(), 0);
    const etag = (await call("/api/plans/version")).headers.get("etag") ?? "";
    const put = (tag: string) =>
      call("/api/plans/publish", {
        method: "POST",
        headers: { "content-type": "application/json", "if-match": tag },
        body: JSON.stringify({ document: documentOf({}), reason: "x" }),
      });
    expect((await put(etag)).status).toBe(201);
    expect((await put(etag)).status).toBe(409);
    expect(await refused("/api/plans/publish", { document: documentOf(), reason: "x" })).toMatchObject({
      status: 422,
      errors: [{ pointer: "/basedOn" }],
    });
    expect(await refused("/api/plans/publish", { document: documentOf(), basedOn: 2 })).toMatchObject({
      errors: [{ pointer: "/reason", detail: "is missing" }],
    });
    const bad = documentOf({
      targets: [{ ...large, quality: 2 }],
      schedule: [{ from: "9:00", to: "10:00", order: ["x"] }],
    });
    expect(await refused("/api/plans/publish", { document: bad, basedOn: 2, reason: "x" })).toMatchObject({
      status: 422,
      errors: [
        { pointer: "/document/chains/default/targets/0/quality", detail: "must be at most 1" },
        { pointer: "/document/chains/default/schedule/0/from", detail: "must be a time of day, like 09:30" },
        {
          pointer: "/document/chains/default/schedule/0/order/0",
          detail: "is no target of this chain; there are large",
        },
      ],
    });
  });

  it("are drafted by editors and published by admins alone", async () => {
    const { headers } = await signIn(api, await createPerson(api, "Eve", { default: "editor" }));
    const as = (path: string, body: unknown) =>
      fetch(`${api.url}${path}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const draft = await as("/api/plans", { document: documentOf() });
    expect(await draft.json()).toMatchObject({ state: "draft", author: { kind: "person", name: "Eve" } });
    const body = { document: documentOf(), basedOn: 0, reason: "mine" };
    expect((await as("/api/plans/publish", body)).status).toBe(403);
    expect((await api.get("/v1/plan")).version).toBe(0);
  });
});

describe("a router that asks for the plan", () => {
  it("gets it once, then 304, and waits for the next one without being kept from it", async () => {
    const publish = async (basedOn: number) =>
      send(api, "POST", "/api/plans/publish", { document: documentOf(), basedOn, reason: "r" });
    const { version } = await publish(0);
    const first = await poll(api.url, null, 20);
    expect(first).toMatchObject({ status: 200, plan: { version, chains: { default: {} } } });
    expect(await poll(api.url, first.etag)).toMatchObject({ status: 304, plan: null, etag: first.etag });

    // Another server of the same database publishes, and knows nothing of who waits here.
    const other = await startServer({
      settings: {
        port: 0,
        host: "127.0.0.1",
        adminToken: ADMIN_TOKEN,
        roles: ["http"],
        rawRetentionDays: 400,
      },
      database: api.database,
      version: "test",
      webFolder: null,
      now: () => api.clock.nowMs,
      log: pino({ level: "silent" }),
    });
    try {
      const waits = Array.from({ length: 40 }, () => poll(api.url, first.etag, 20));
      await sleep(300);
      // All of them together hold none of the few connections: others are served.
      await Promise.all(Array.from({ length: 20 }, () => api.get("/api/plans/version")));
      const publishedMs = performance.now();
      await fetch(`${other.url}/api/plans/publish`, {
        method: "POST",
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify({ document: documentOf({ targets: [small] }), basedOn: version, reason: "r" }),
      });
      for (const { status, plan } of await Promise.all(waits))
        expect([status, plan.version]).toEqual([200, version + 1]);
      expect(performance.now() - publishedMs).toBeLessThan(2_500);

      // Who goes away is not waited for, and a server that stops keeps nobody.
      const { etag } = await poll(other.url, null);
      const gone = new AbortController();
      const left = poll(other.url, etag, 20, gone.signal);
      left.catch(() => {});
      const staying = poll(other.url, etag, 20);
      await sleep(200);
      gone.abort();
      await expect(left).rejects.toThrow();
      const closedMs = performance.now();
      const closed = other.close();
      expect((await staying).status).toBe(304);
      await closed;
      expect(performance.now() - closedMs).toBeLessThan(4_000);
    } finally {
      await other.close().catch(() => {});
    }
  });

  it("is seen with the version that it runs, and with what it could not use", async () => {
    const { get, post, publish } = await aProject();
    const beat = (instance: string, planVersion: number | null, more = {}) =>
      post("/v1/routers", {
        instance,
        chain: "default",
        source: "shop",
        startedAt: api.clock.nowMs,
        planVersion,
        ...more,
      });
    const states = async () =>
      Object.fromEntries(
        (await get("/api/routers")).routers.map(
          ({ instance, state }: { instance: string; state: string }) => [instance, state],
        ),
      );
    await beat("a", null);
    await beat("b", null);
    expect(await states()).toEqual({ a: "current", b: "current" });
    await publish(documentOf(), 0);
    expect(await states()).toEqual({ a: "pending", b: "pending" });
    await beat("a", 1);
    api.clock.nowMs += 15_000;
    const problem = { pointer: "/chains/default/targets", detail: "no target is left", isRefused: true };
    await beat("b", null, { problems: [problem] });
    expect(await states()).toEqual({ a: "current", b: "behind" });
    const { published, routers } = await get("/api/routers");
    expect(published).toEqual({ version: 1, publishedAt: "2026-11-29T12:00:00.000Z" });
    expect(routers).toMatchObject([
      { instance: "b", planVersion: null, planSince: null, problems: [problem] },
      { instance: "a", planVersion: 1, planSince: "2026-11-29T12:00:00.000Z", source: "shop" },
    ]);
    api.clock.nowMs += 44_000;
    await beat("a", 1);
    api.clock.nowMs += 2_000;
    expect(await states()).toEqual({ a: "current", b: "silent" });
    expect((await get("/api/routers")).routers[0].planSince).toBe("2026-11-29T12:00:00.000Z");
    api.clock.nowMs = Date.parse("2026-11-29T12:00:00Z");
  });

  it("is forgotten after a week, and sooner where there are thousands", async () => {
    const { get, post } = await aProject();
    const { sql } = api.database;
    const beat = (instance: string) =>
      post("/v1/routers", { instance, chain: "default", startedAt: api.clock.nowMs, planVersion: null });
    const count = async () => (await get("/api/routers")).routers.length;
    await beat("old");
    api.clock.nowMs += 60_000;
    await beat("model");
    await sql`
      insert into router_instance
      select project_id, 'copy ' || n, chain, source, sdk_version, plan_version, plan_since, targets, problems,
             started_at, last_seen_at
        from router_instance, generate_series(1, 998) n where instance = 'model'`;
    expect(await count()).toBe(1_000);
    await beat("one more");
    const { routers } = await get("/api/routers");
    expect([
      routers.length,
      routers.some(({ instance }: { instance: string }) => instance === "old"),
    ]).toEqual([1_000, false]);
    await runUpkeep(sql, api.clock.nowMs + 8 * 86_400_000, 400);
    expect(await count()).toBe(0);
    api.clock.nowMs = Date.parse("2026-11-29T12:00:00Z");
  });
});

it("a plan is replayed on last week's requests, against the one in force", async () => {
  const { slug, get, post, publish } = await aProject();
  const nowMs = api.clock.nowMs;
  const events = [6, 30, 54].flatMap((hoursAgo) =>
    Array.from({ length: 60 }, (_, i) => {
      const at = {
        occurredAt: nowMs - hoursAgo * 3_600_000 + i * 1_000,
        requestId: `${hoursAgo}-${i}`,
        chain: "default",
      };
      const isFull = i % 2 === 0;
      return [
        anEvent({
          ...at,
          model: "acme-large",
          position: 0,
          outcome: isFull ? "capacity" : "ok",
          isFinal: !isFull,
        }),
        ...(isFull ? [anEvent({ ...at, model: "acme-small", position: 1, attempt: 2 })] : []),
      ];
    }).flat(),
  );
  await post("/v1/attempts", { attempts: events });
  await api.catchUp();
  await publish(documentOf(), 0);
  const question = {
    document: documentOf({ targets: [small, large, { ...large, id: "new", model: "new" }] }),
  };
  const answer = await post("/api/plans/replay", question);
  expect(answer).toMatchObject({
    range: { from: "2026-11-22T12:00:00.000Z", to: "2026-11-29T12:00:00.000Z" },
    against: 1,
    chains: [
      {
        chain: "default",
        requests: 180,
        traffic: "chain",
        current: { success: 1, capacityShare: 1 / 3, firstTierShare: 0.5, attemptsPerRequest: 1.5 },
        candidate: { success: 1, capacityShare: 0, firstTierShare: 0, attemptsPerRequest: 1 },
        targets: [
          { target: "small", attempts: 90, failureShare: 0, asked: 1, served: 1 },
          { target: "large", attempts: 180, failureShare: 0.5, capacityShare: 0.5, asked: 0, served: 0 },
          { target: "new", attempts: 0, failureShare: null, asked: null },
        ],
      },
    ],
  });
  const text = JSON.stringify(question.document);
  expect((await runPlan(slug, ["replay", "-"], text)).stdout).toBe(
    [
      "default: 180 requests",
      "  success 100.0 % → 100.0 %",
      "  no room 33.3 % → 0.0 %",
      "  first tier 50.0 % → 0.0 %",
      "  attempts per request 1.50 → 1.00",
      "  small: asked 100.0 %, serves 100.0 %, fails 0.0 %",
      "  large: asked 0.0 %, serves 0.0 %, fails 50.0 %",
      "  new: was not called in these days, and is left out",
      "",
    ].join("\n"),
  );
  const other = await post("/api/plans/replay", {
    document: { timeZone: "UTC", chains: { other: { targets: [small] } } },
  });
  expect(other.chains).toMatchObject([
    { traffic: "targets", requests: 90, current: null, candidate: { success: 1 } },
  ]);
  expect((await get("/v1/plan")).version).toBe(1);
});

describe("the command line", () => {
  it("lists, shows, compares, publishes and rolls back", async () => {
    const { slug, get, post } = await aProject();
    const plan = (...args: string[]) => runPlan(slug, args);
    expect(await plan("list")).toEqual({ stdout: "", said: expect.stringContaining("There is no plan yet") });
    expect((await plan("show")).said).toContain("There is no plan yet");
    const text = JSON.stringify(documentOf());
    expect((await runPlan(slug, ["publish", "-", "--reason", "the first"], text)).stdout).toBe("1\n");
    const shown = (await plan("show")).stdout;
    expect(JSON.parse(shown)).toEqual({ ...documentOf(), version: 1 });
    // What is shown can be changed and published: its version says what it was made from.
    const changed = shown.replace('"Asia/Shanghai"', '"Asia/Tokyo"');
    expect((await runPlan(slug, ["diff", "-"], changed)).stdout).toBe(
      "time zone Asia/Shanghai → Asia/Tokyo\n",
    );
    expect((await runPlan(slug, ["publish", "-", "--reason", "moved"], changed)).stdout).toBe("2\n");
    await expect(runPlan(slug, ["publish", "-", "--reason", "too"], changed)).rejects.toThrow(
      /^Another plan was published in the meantime: Version 2 was published by admin token at .*: “moved”\./,
    );
    const over = await runPlan(slug, ["publish", "-", "--reason", "too", "--based-on", "2"], changed);
    expect(over.stdout).toBe("3\n");
    const draft = await post("/api/plans", { document: documentOf({ targets: [small] }) });
    expect((await plan("diff", "1", "0")).stdout).toMatch(/^default: chain added\n$/);
    expect((await plan("diff", String(draft.version), "1")).stdout).toBe("default: target large removed\n");
    expect((await plan("publish", String(draft.version), "--reason", "less")).stdout).toBe("4\n");
    expect((await plan("rollback", "1", "--reason", "more")).stdout).toBe("5\n");
    expect((await plan("list", "--limit", "2")).stdout).toBe(
      "5\tpublished\t2026-11-29T12:00:00.000Z\tadmin token\tmore\n4\tpast\t2026-11-29T12:00:00.000Z\tadmin token\tless\n",
    );
    expect((await plan("routers")).said).toContain("No router was heard of");
    await post("/v1/routers", {
      instance: "i",
      chain: "default",
      source: "shop",
      startedAt: 1,
      planVersion: null,
    });
    expect((await plan("routers")).stdout).toBe(
      "i\tshop\tdefault\tcode\tpending\tlast seen 2026-11-29T12:00:00.000Z\n",
    );
    expect((await get("/api/plans/diff?base=1&version=5")).changes).toEqual([]);
  });
});

it("rehearsals are listed, newest first, and the oldest of thousands go", async () => {
  const { get, post } = await aProject();
  const target = {
    target: "large",
    provider: "acme",
    model: "acme-large",
    passed: 2,
    failed: 1,
    latencyMsP50: 120,
  };
  const rehearsal = {
    chain: "default",
    source: "ci",
    sdkVersion: "0.1.0",
    planVersion: 3,
    startedAt: Date.parse("2026-11-29T11:00:00Z"),
    durationMs: 900,
    cases: 3,
    isOk: false,
    targets: [{ ...target, failures: [{ case: "sum", reason: "expectation", outcome: null }] }],
  };
  const made = await post("/v1/rehearsals", rehearsal);
  expect(made).toEqual({ ...rehearsal, id: expect.any(Number), startedAt: "2026-11-29T11:00:00.000Z" });
  const second = await post("/v1/rehearsals", { ...rehearsal, chain: "other", isOk: true });
  expect((await get("/api/rehearsals")).rehearsals).toEqual([second, made]);
  expect((await get("/api/rehearsals?chain=default")).rehearsals).toEqual([made]);
  await api.database.sql`
    insert into rehearsal (project_id, chain, case_count, is_ok, targets, started_at, duration_ms, received_at)
    select project_id, 'copy', case_count, is_ok, targets, started_at, duration_ms, received_at
      from rehearsal, generate_series(1, 999) n where id = ${second.id}`;
  const last = await post("/v1/rehearsals", rehearsal);
  expect((await get("/api/rehearsals?chain=default")).rehearsals).toEqual([last]);
  expect((await get("/api/rehearsals?chain=other")).rehearsals).toEqual([]);
});
