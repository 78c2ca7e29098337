import { describe, expect, it } from "vitest";
import { createKeptAnswers } from "../../server/advice/kept/kept-answers.ts";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const hourMs = Date.parse("2026-11-16T09:00:00Z");
const api = await startTestServer({ nowMs: hourMs + 10 * 60_000 });
const { core } = api.server;
const kept = createKeptAnswers({ readSql: core.readSql, sql: core.jobSql });

const WINDOWS = "/api/advice?zone=Asia/Tokyo";
const ask = (path = WINDOWS) => api.get(path);
const call = (id: string, ms: number) =>
  anEvent({ eventId: id, occurredAt: new Date(ms).toISOString(), model: "m" });
/** Marks all that is kept, so that an answer tells whether it was kept or made. */
const mark = () => core.jobSql`update kept_answer set answer = '{"isKept":true}'`;
const KEPT = { isKept: true };

async function publish(basedOn: number): Promise<void> {
  const targets = ["m", "other"].map((model) => ({ id: model, provider: "acme", model }));
  const answer = await api.fetch("/api/plans/publish", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      document: { timeZone: "UTC", chains: { main: { targets } } },
      basedOn,
      reason: "a test",
    }),
  });
  expect(answer.status).toBe(201);
}

describe("kept advice", async () => {
  await api.post(Array.from({ length: 30 }, (_, day) => call(`d${day}`, hourMs - day * DAY - HOUR)));

  it("is of the last full hour, and made once", async () => {
    expect(await ask()).toMatchObject({ asOf: new Date(api.clock.nowMs).toISOString() });
    await api.catchUp();
    expect(await ask()).toMatchObject({ asOf: new Date(hourMs).toISOString(), zone: "Asia/Tokyo" });
    await mark();
    expect(await ask()).toEqual(KEPT);
    expect(await ask(`${WINDOWS}&hours=4`)).toMatchObject({ targets: [{ model: "m" }] });
    expect(await ask(`${WINDOWS}&asOf=${hourMs}`)).toMatchObject({ asOf: new Date(hourMs).toISOString() });
  });

  it("is not answered with what calls have changed since, however old they are", async () => {
    for (const [n, ageMs] of [2 * HOUR, 40 * DAY, 57 * DAY].entries()) {
      await api.catchUp();
      await ask();
      await mark();
      await api.post([call(`now ${n}`, api.clock.nowMs - 60_000)]);
      await api.catchUp();
      expect(await ask(), "a call of the running hour changes nothing").toEqual(KEPT);
      await api.post([call(`late ${n}`, hourMs - ageMs)]);
      await api.catchUp();
      expect(await ask(), `${ageMs / HOUR} h`).toMatchObject({ asOf: new Date(hourMs).toISOString() });
    }
  });

  it("is made beforehand for what people asked of late, at the next hour and for another plan", async () => {
    await kept.refresh(api.clock.nowMs);
    expect(await kept.refresh(api.clock.nowMs)).toBe(0);
    api.clock.nowMs += HOUR;
    await api.catchUp();
    // Two of Tokyo, and what the pages ask first: windows and orders.
    expect(await kept.refresh(api.clock.nowMs)).toBe(4);
    await mark();
    expect(await ask()).toEqual(KEPT);
    expect(await ask("/api/advice/orders?zone=UTC")).toEqual(KEPT);
    await publish(0);
    expect(await ask("/api/advice/orders?zone=UTC")).toMatchObject({ chains: [{ chain: "main" }] });
  });

  it("is made for other projects when one was removed while its profile was made", async () => {
    await core.jobSql`
      insert into hour_profile_run (project_id, time_zone, range_from, range_to, is_stale, computed_at)
      values (0, 'UTC', now(), now(), false, now()), (999, 'UTC', now(), now(), false, now())`;
    await core.jobSql`delete from kept_answer`;
    expect(await kept.refresh(api.clock.nowMs)).toBe(2);
    const question = { of: "windows", query: { zone: "UTC", hours: 3 } } as const;
    expect(await kept.ask(999, question, api.clock.nowMs)).toMatchObject({ targets: [] });
  });

  it("is forgotten when nobody has asked for it in three days", async () => {
    api.clock.nowMs += 4 * DAY;
    await api.catchUp();
    expect(await kept.refresh(api.clock.nowMs)).toBe(2);
    const rows = await core.readSql`select question from kept_answer`;
    expect(rows).toHaveLength(2);
  });
});
