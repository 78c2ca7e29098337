import { describe, expect, it } from "vitest";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();

const RULE = {
  id: "our-proxy/nap",
  outcome: "capacity",
  because: "Our proxy says so when it has no room.",
  text: "is taking a nap",
} as const;

const putRules = (rules: readonly unknown[], query = "") =>
  api.fetch(`/api/classification-rules${query}`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rules }),
  });

const reclassify = async (body: Record<string, unknown> = {}) => {
  const response = await api.fetch("/api/reclassifications", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return response.json();
};

/** An event whose outcome its sender does not name. */
function aFailure(source: string, parts: Record<string, unknown> = {}) {
  const { outcome: _, ...event } = anEvent({ source });
  return { ...event, httpStatus: 418, error: { message: "The gnome is taking a nap." }, ...parts };
}

const listStored = async (source: string) => {
  const { attempts } = await api.get(`/api/attempts?source=${source}&limit=500`);
  return attempts.map((a: { outcome: string; rule: string | null }) => [a.outcome, a.rule]).sort();
};

describe("a project's own rules", () => {
  it("are asked first, and only in their project", async () => {
    await api.database.sql`insert into project (slug, name) values ('other', 'Other')`;
    expect(await (await putRules([RULE])).json()).toEqual({ rules: [RULE] });
    expect(await api.get("/api/classification-rules")).toEqual({ rules: [RULE] });
    expect(await api.get("/api/classification-rules?project=other")).toEqual({ rules: [] });
    await api.post([aFailure("own-rules"), aFailure("own-rules", { outcome: "timeout" })]);
    expect(await listStored("own-rules")).toEqual([
      ["capacity", "our-proxy/nap"],
      ["timeout", null],
    ]);
    await api.fetch("/v1/attempts?project=other", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ attempts: [aFailure("own-rules")] }),
    });
    const { attempts } = await api.get("/api/attempts?project=other");
    expect(attempts).toMatchObject([{ rule: expect.not.stringContaining("our-proxy") }]);
  });

  it("hold at once here, and within seconds on another server", async () => {
    await putRules([]);
    await api.post([aFailure("at-once")]);
    expect((await listStored("at-once"))[0][0]).not.toBe("capacity");
    // As another server would.
    await api.database.sql`
      insert into classification_rule (project_id, place, rule) values (1, 1, ${api.database.sql.json(RULE)})`;
    api.clock.nowMs += 5_000;
    await api.post([aFailure("at-once-2")]);
    // The first call after that time has the new ones read beside it.
    await expect
      .poll(async () => {
        await api.post([aFailure("at-once-3")]);
        return (await listStored("at-once-3")).flat();
      })
      .toContain("our-proxy/nap");
  });

  it("are refused with what is wrong with them, and then the old ones stay", async () => {
    await putRules([RULE]);
    const { text: _, ...empty } = RULE;
    for (const [rules, pointer, words] of [
      [[{ ...RULE, id: "nap" }], "/rules/0/id", "like our-proxy/nap"],
      [[{ ...RULE, outcome: "sleepy" }], "/rules/0/outcome", "must be one of"],
      [[{ ...RULE, outcome: "ok" }], "/rules/0/outcome", "must be one of"],
      [[empty], "/rules/0", "must have code, text or status"],
      [[RULE, RULE], "/rules", "ids that differ"],
      [[{ ...RULE, status: "4" }], "/rules/0/status", "like 429 5xx"],
      [[{ ...RULE, txt: "x" }], "/rules/0", "txt"],
      [{}, "/rules", "must be an array"],
    ] as const) {
      const response = await putRules(rules as never);
      const problem = await response.json();
      expect([pointer, response.status]).toEqual([pointer, 422]);
      expect(problem.errors[0]).toMatchObject({ pointer, detail: expect.stringContaining(words) });
    }
    expect(await api.get("/api/classification-rules")).toEqual({ rules: [RULE] });
  });
});

describe("reclassify", () => {
  it("names stored failures anew, leaves those that their sender named, and the figures follow", async () => {
    await putRules([]);
    const from = "2026-11-20T00:00:00Z";
    const at = (minute: number) => ({ occurredAt: `2026-11-20T10:${minute}:00Z` });
    await api.post([
      aFailure("again", at(10)),
      aFailure("again", at(20)),
      aFailure("again", { ...at(30), outcome: "server_error" }),
      aFailure("again", { ...at(40), httpStatus: 200, error: undefined }),
      aFailure("again", { ...at(50), httpStatus: undefined, error: undefined }),
    ]);
    await api.catchUp();
    const before = await listStored("again&from=2026-11-20T00:00:00Z");
    const [old] = before.find(([, rule]: [string, string | null]) => rule !== null);
    expect(old).not.toBe("capacity");
    const figures = () => api.get(`/api/overview?source=again&from=${from}&to=2026-11-21T00:00:00Z`);
    expect((await figures()).total.outcomes).toMatchObject({ [old]: 2, server_error: 1, ok: 1 });

    await putRules([RULE]);
    const body = { from, to: "2026-11-21T00:00:00Z" };
    const expected = { examined: 2, changes: [{ from: old, to: "capacity", attempts: 2 }], next: null };
    expect(await reclassify({ ...body, dryRun: true })).toMatchObject(expected);
    expect(await listStored("again&from=2026-11-20T00:00:00Z")).toEqual(before);
    expect(await reclassify(body)).toMatchObject(expected);
    expect(await reclassify(body)).toMatchObject({ examined: 2, changes: [] });
    expect(await listStored("again&from=2026-11-20T00:00:00Z")).toEqual([
      ["capacity", "our-proxy/nap"],
      ["capacity", "our-proxy/nap"],
      ["ok", null],
      ["server_error", null],
      ["unknown", null],
    ]);
    await api.catchUp();
    expect((await figures()).total.outcomes).toEqual({ capacity: 2, server_error: 1, ok: 1, unknown: 1 });
    expect((await figures()).total.capacity).toMatchObject({ k: 2 });
  });

  it("goes on from where a call left off, through more attempts than one call takes", async () => {
    await putRules([]);
    const start = Date.parse("2026-11-22T00:00:00Z");
    const failures = Array.from({ length: 12_345 }, (_, i) =>
      aFailure("many", { occurredAt: start + Math.floor(i / 3) * 1000 }),
    );
    await api.post(failures.slice(0, 8_000));
    await api.post(failures.slice(8_000));
    await putRules([RULE]);
    const body = { from: "2026-11-22T00:00:00Z", to: "2026-11-23T00:00:00Z" };
    let examined = 0;
    let changed = 0;
    let calls = 0;
    for (let cursor: string | null = null; ; ) {
      const answer = await reclassify(cursor === null ? body : { ...body, cursor });
      examined += answer.examined;
      changed += answer.changes.reduce(
        (sum: number, { attempts }: { attempts: number }) => sum + attempts,
        0,
      );
      calls++;
      cursor = answer.next;
      if (cursor === null) break;
    }
    expect([examined, changed, calls]).toEqual([12_345, 12_345, 2]);
    await api.catchUp();
    const { total } = await api.get(`/api/overview?source=many&from=${body.from}&to=${body.to}`);
    expect(total.outcomes).toEqual({ capacity: 12_345 });
  });

  it("does no harm when two run at once", async () => {
    await putRules([]);
    await api.post([aFailure("twice", { occurredAt: "2026-11-24T10:00:00Z" })]);
    await putRules([RULE]);
    const body = { from: "2026-11-24T00:00:00Z", to: "2026-11-25T00:00:00Z" };
    await Promise.all([reclassify(body), reclassify(body), reclassify(body)]);
    expect(await listStored("twice&from=2026-11-24T00:00:00Z")).toEqual([["capacity", "our-proxy/nap"]]);
  });

  it("names what was stored before outcomes were named at all", async () => {
    await putRules([RULE]);
    await api.post([aFailure("older", { occurredAt: "2026-11-25T10:00:00Z" })]);
    await api.database.sql`
      update attempt set outcome = 14, evidence = evidence - 'rule' where occurred_at = '2026-11-25T10:00:00Z'`;
    const body = { from: "2026-11-25T00:00:00Z", to: "2026-11-26T00:00:00Z" };
    expect(await reclassify(body)).toMatchObject({
      examined: 1,
      changes: [{ from: "unknown", to: "capacity", attempts: 1 }],
    });
  });

  it("refuses a cursor that no answer gave", async () => {
    const response = await api.fetch("/api/reclassifications", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ cursor: "x" }),
    });
    expect(response.status).toBe(422);
  });
});
