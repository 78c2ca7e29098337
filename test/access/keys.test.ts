import { describe, expect, it } from "vitest";
import { anEvent } from "../support/events.ts";
import { send } from "../support/people.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
const { sql } = api.database;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const statusOf = async (key: string) => (await fetch(`${api.url}/api/me`, { headers: bearer(key) })).status;
const findKey = async (id: number) =>
  (await api.get("/api/keys")).keys.find((key: { id: number }) => key.id === id);

describe("keys", () => {
  it("are stored as hashes only", async () => {
    const { key } = await api.createKey("ingest");
    const [dump] = await sql<{ text: string }[]>`
      select (select string_agg(k::text, ' ') from api_key k) || (select string_agg(a::text, ' ') from audit_log a)
          as text`;
    expect(dump?.text).toContain(key.slice(0, 10));
    expect(dump?.text).not.toContain(key.slice(12));
  });

  it("stop working at once when they are revoked, and stay revoked", async () => {
    const { id, key } = await api.createKey("read");
    expect(await statusOf(key)).toBe(200);
    const { revokedAt } = await send(api, "DELETE", `/api/keys/${id}`);
    expect(await statusOf(key)).toBe(401);
    api.clock.nowMs += HOUR_MS;
    expect((await send(api, "DELETE", `/api/keys/${id}`)).revokedAt).toBe(revokedAt);
  });

  it("say what is wrong with a new one", async () => {
    const faultsOf = async (body: unknown) => {
      const response = await api.fetch("/api/keys", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(422);
      return (await response.json()).errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await faultsOf({ kind: "root", name: "" })).toEqual(["/kind", "/name"]);
    expect(await faultsOf({ kind: "read", name: "x", scopes: ["events"] })).toEqual(["/scopes"]);
    expect(await faultsOf({ kind: "read", name: "x", scopes: [] })).toEqual(["/scopes"]);
    expect(await faultsOf({ kind: "read", name: "x", eventsPerMinute: 5 })).toEqual(["/eventsPerMinute"]);
    expect(await faultsOf({ kind: "read", name: "x", expiresInDays: 0 })).toEqual(["/expiresInDays"]);
  });

  it("expire when they were told to, also one that was used a moment ago", async () => {
    const { key, expiresAt } = await send(api, "POST", "/api/keys", {
      kind: "read",
      name: "x",
      expiresInDays: 1,
    });
    expect(Date.parse(expiresAt)).toBe(api.clock.nowMs + DAY_MS);
    api.clock.nowMs += DAY_MS - 1;
    expect(await statusOf(key)).toBe(200);
    api.clock.nowMs += 1;
    expect(await statusOf(key)).toBe(401);
  });

  it("are replaced by one that may do the same; both work until the overlap is over", async () => {
    const old = await send(api, "POST", "/api/keys", {
      kind: "admin",
      name: "deploy",
      scopes: ["events", "access"],
      eventsPerMinute: 500,
      expiresInDays: 90,
    });
    api.clock.nowMs += 10 * DAY_MS;
    const made = await send(api, "POST", `/api/keys/${old.id}/rotations`, { overlapHours: 2 });
    expect(made).toMatchObject({
      kind: "admin",
      name: "deploy",
      scopes: ["events", "access"],
      eventsPerMinute: 500,
      expiresAt: new Date(api.clock.nowMs + 90 * DAY_MS).toISOString(),
    });
    expect(await findKey(old.id)).toMatchObject({ replacedBy: made.id });
    expect([await statusOf(old.key), await statusOf(made.key)]).toEqual([200, 200]);
    const again = await api.fetch(`/api/keys/${old.id}/rotations`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect([again.status, (await again.json()).code]).toEqual([409, "key_is_over"]);
    api.clock.nowMs += 2 * HOUR_MS;
    expect([await statusOf(old.key), await statusOf(made.key)]).toEqual([401, 200]);
  });

  it("make no other key that may do more than themselves", async () => {
    const { key } = await send(api, "POST", "/api/keys", {
      kind: "admin",
      name: "narrow",
      scopes: ["access", "figures"],
    });
    const whole = await api.createKey("admin");
    const ask = (path: string, body: unknown) =>
      fetch(api.url + path, {
        method: "POST",
        headers: { ...bearer(key), "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    expect((await ask("/api/keys", { kind: "admin", name: "x" })).status).toBe(403);
    expect((await ask("/api/keys", { kind: "ingest", name: "x" })).status).toBe(403);
    expect((await ask(`/api/keys/${whole.id}/rotations`, {})).status).toBe(403);
    expect((await ask("/api/keys", { kind: "read", name: "x", scopes: ["figures"] })).status).toBe(201);
  });

  it("tell when they were used last, to the minute", async () => {
    const { id, key } = await api.createKey("read");
    expect(await findKey(id)).toMatchObject({ lastUsedAt: null });
    await statusOf(key);
    await expect
      .poll(async () => (await findKey(id)).lastUsedAt)
      .toBe(new Date(api.clock.nowMs).toISOString());
  });
});

describe("a key with a limit", () => {
  const post = (key: string, count: number) =>
    fetch(`${api.url}/v1/attempts`, {
      method: "POST",
      headers: { ...bearer(key), "content-type": "application/json" },
      body: JSON.stringify({ attempts: Array.from({ length: count }, () => anEvent({ model: "limited" })) }),
    });
  const make = async (eventsPerMinute: number) =>
    (await send(api, "POST", "/api/keys", { kind: "ingest", name: "x", eventsPerMinute })) as {
      id: number;
      key: string;
    };

  it("is refused with how long to wait once it has sent too much, and over time keeps to it", async () => {
    const { key } = await make(60);
    expect((await post(key, 59)).status).toBe(202);
    // The last one that is let in may take too much: the next ones wait for it.
    expect((await post(key, 31)).status).toBe(202);
    const refused = await post(key, 1);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "31"]);
    expect(await refused.json()).toMatchObject({ code: "key_limit" });
    api.clock.nowMs += 31_000;
    expect((await post(key, 1)).status).toBe(202);
    expect((await post(key, 1)).status).toBe(429);
    api.clock.nowMs += 60 * 60_000;
    let taken = 0;
    for (let second = 0; second < 300; second++) {
      if ((await post(key, 2)).status === 202) taken += 2;
      api.clock.nowMs += 1_000;
    }
    expect(taken).toBeGreaterThanOrEqual(300);
    expect(taken).toBeLessThanOrEqual(60 + 300 + 2);
  });

  it("answers spans in their own format, and payloads of LiteLLM alike", async () => {
    const { key } = await make(1);
    expect((await post(key, 5)).status).toBe(202);
    for (const [path, code] of [
      ["/v1/traces", 8],
      ["/v1/litellm", "key_limit"],
    ]) {
      const response = await fetch(api.url + path, {
        method: "POST",
        headers: { ...bearer(key), "content-type": "application/json" },
        body: "{}",
      });
      expect([path, response.status, Number(response.headers.get("retry-after")) > 200]).toEqual([
        path,
        429,
        true,
      ]);
      expect((await response.json()).code).toBe(code);
    }
  });

  it("is held to a new limit at once, and to none when that is taken away", async () => {
    const { id, key } = await make(1);
    await post(key, 10);
    expect((await post(key, 1)).status).toBe(429);
    await send(api, "PATCH", `/api/keys/${id}`, { eventsPerMinute: null });
    expect((await post(key, 1)).status).toBe(202);
  });
});
