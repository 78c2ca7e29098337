import { describe, expect, it } from "vitest";
import { aMaintenanceWindow } from "../support/alerts.ts";
import { send } from "../support/people.ts";
import { startTestServer } from "../support/server.ts";
import { createAlertWorld } from "./support.ts";

// The night in which clocks in Berlin go back, at 01:00 UTC.
const START = Date.parse("2026-10-25T00:00:00Z");
const api = await startTestServer({ nowMs: START });
const world = await createAlertWorld(api, START);
const { at, calls, hear, makeRule, plan, run, runThrough } = world;
const DAY = 1440;

const listFiring = async (query = "") => (await api.get(`/api/alerts?${query}`)).alerts;
const outline = (notices: Awaited<ReturnType<typeof hear>>) =>
  notices.map(({ event, subject, alert }) => `${alert} ${event} ${subject.model ?? subject.provider}`);

describe("alerts", () => {
  it("are not told in a maintenance window, however clocks change, and told after it where they go on", async () => {
    const window = aMaintenanceWindow({ where: { provider: "night" } });
    await send(api, "POST", "/api/maintenance-windows", window);
    await makeRule({ where: { provider: "night" } });
    plan(calls({ provider: "night", from: 0, to: 160, everyFails: 2 }));
    // Before the window, which is from 00:30 to 02:30 UTC: 02:30 comes twice, and it begins the first time.
    await run(31);
    expect(outline(await hear())).toEqual([]);
    expect(await listFiring()).toMatchObject([
      { subject: { provider: "night" }, toldAt: null, muted: { by: "maintenance", until: at(150) } },
    ]);
    await runThrough(60, 148, 22);
    expect(await hear()).toEqual([]);
    await run(150);
    expect(await hear()).toMatchObject([{ event: "firing", subject: { provider: "night" } }]);
  });

  it("live through restarts: told once when they begin and once when they are over", async () => {
    const base = 2 * DAY;
    await makeRule({ where: { provider: "acme" }, pendingMinutes: 4 });
    await send(api, "POST", "/api/projects", { slug: "other", name: "Other" });
    await makeRule({}, "other");
    await run(base);
    plan(calls({ provider: "acme", from: base, to: base + 30, everyFails: 50 }));
    await run(base + 30);
    expect(await listFiring("provider=acme")).toEqual([]);
    plan(calls({ provider: "acme", from: base + 30, to: base + 60, everyFails: 2 }));
    plan(calls({ provider: "acme", from: base + 60, to: base + 120 }));
    await hear();
    for (let minute = base + 31; minute < base + 125; minute += 3) {
      await run(minute);
      world.restart();
    }
    const told = await hear();
    expect(told.map(({ event }) => event)).toEqual(["firing", "resolved"]);
    const [firing, resolved] = told;
    expect(firing).toMatchObject({
      rule: { name: "Short of room" },
      project: { slug: "default" },
      subject: { provider: "acme", model: "large", endpoint: "" },
      of: "attempts",
      outcomes: ["capacity"],
      endedAt: null,
      view: `/alerts?project=default&alert=${firing?.alert}`,
    });
    expect(Date.parse(firing?.at ?? "")).toBeLessThanOrEqual(Date.parse(at(base + 40)));
    expect(firing?.value).toBeCloseTo((firing?.k ?? 0) / (firing?.n ?? 1));
    expect(resolved?.dedupeKey).toBe(firing?.dedupeKey);
    expect(Date.parse(resolved?.endedAt ?? "")).toBeGreaterThan(Date.parse(at(base + 60)));
    expect(resolved?.peak).toBeGreaterThan(0.3);
    // The other project has the same rule, and none of the calls.
    expect((await api.get("/api/alerts?project=other&state=all")).alerts).toEqual([]);
    const [listed] = (await api.get("/api/alerts?state=all&provider=acme")).alerts;
    expect(listed).toMatchObject({ id: firing?.alert, state: "resolved", endedAt: resolved?.endedAt });
  });

  it("are sent once by two servers at once", async () => {
    const base = 4 * DAY;
    await makeRule({ where: { provider: "twice" } });
    plan(calls({ provider: "twice", from: base, to: base + 20, everyFails: 2 }));
    plan(calls({ provider: "twice", from: base + 20, to: base + 90 }));
    const servers = [world.createJob(), world.createJob(), world.createJob()];
    for (let minute = base; minute < base + 90; minute += 3) await run(minute, servers);
    const told = (await hear()).filter(({ subject }) => subject.provider === "twice");
    expect(told.map(({ event }) => event)).toEqual(["firing", "resolved"]);
  });

  it("do not fire for what comes hours late", async () => {
    const base = 5 * DAY;
    const long = { kind: "share", above: 0.1, windowMinutes: 360, minCalls: 20 } as const;
    const { id } = await makeRule({ where: { provider: "late" }, condition: long });
    plan(calls({ provider: "late", from: base, to: base + 300 }));
    await runThrough(base + 240, base + 300, 15);
    plan(calls({ provider: "late", from: base + 60, to: base + 280, perMinute: 20, everyFails: 1 }));
    await runThrough(base + 301, base + 330);
    expect(await listFiring("provider=late&state=all")).toEqual([]);
    await send(api, "DELETE", `/api/rules/${id}`);
    await makeRule({ where: { provider: "late" } });
    // Nor for what a server that was away finds when it comes back.
    plan(calls({ provider: "late", from: base + 340, to: base + 400, everyFails: 1 }));
    await run(base + 400, []);
    world.restart();
    await runThrough(base + 600, base + 610);
    expect(await listFiring("provider=late&state=all")).toEqual([]);
  });

  it("of a provider's models are one", async () => {
    const base = 7 * DAY;
    await makeRule({ where: { provider: "wide" } });
    const models = ["one", "two", "three"];
    await run(base);
    for (const [i, model] of models.entries()) {
      const short = base + 20 + 10 * i;
      plan([
        ...calls({ provider: "wide", model, from: base, to: short }),
        ...calls({ provider: "wide", model, from: short, to: base + 60, everyFails: 2 }),
        ...calls({ provider: "wide", model, from: base + 60, to: base + 120 }),
      ]);
    }
    await runThrough(base + 1, base + 59);
    const told = await hear();
    const id = told[0]?.alert;
    expect(outline(told)).toEqual([`${id} firing one`, `${id} reminder wide`]);
    expect(told[1]?.folded.map(({ model }) => model)).toEqual(["one", "two"]);
    const [listed, ...others] = await listFiring("provider=wide&model=three");
    expect(others).toEqual([]);
    expect(listed).toMatchObject({
      id,
      subject: { provider: "wide" },
      folded: [{ subject: { model: "two" } }, { subject: { model: "three" } }],
    });
    expect(listed.n).toBeGreaterThan(2 * 15 * 6);
    await runThrough(base + 61, base + 121);
    expect(outline(await hear())).toEqual([`${id} resolved wide`]);
    expect(await listFiring("provider=wide")).toEqual([]);
  });

  it("are silenced by what they are about, until a time, and acknowledged by who is at it", async () => {
    const base = 9 * DAY;
    const source = "quiet";
    await makeRule({ where: { source }, remindHours: 1 });
    await run(base);
    const { id: silence } = await send(api, "POST", "/api/silences", {
      where: { provider: "hush" },
      until: at(base + 40),
      reason: "known",
    });
    plan(calls({ source, provider: "hush", from: base, to: base + 110, everyFails: 2 }));
    plan(calls({ source, provider: "loud", from: base, to: base + 110, everyFails: 2 }));
    await runThrough(base + 6, base + 38, 8);
    // The silence of one thing does not hide another one.
    expect((await hear()).map(({ event, subject }) => [event, subject.provider])).toEqual([
      ["firing", "loud"],
    ]);
    const [muted] = await listFiring("source=quiet&provider=hush");
    expect(muted).toMatchObject({
      toldAt: null,
      muted: { by: "silence", id: silence, until: at(base + 40) },
    });
    const { silences } = await api.get("/api/silences");
    expect(silences).toMatchObject([{ id: silence, isActive: true, muted: 1, by: { name: "admin token" } }]);

    await run(base + 40);
    const [told, ...others] = await hear();
    expect(others).toEqual([]);
    expect(told).toMatchObject({ event: "firing", since: muted.since, subject: { provider: "hush" } });
    const { alert } = await send(api, "POST", `/api/alerts/${told?.alert}/acknowledgement`, {
      note: "at it",
    });
    expect(alert.acknowledged).toMatchObject({ by: { name: "admin token" }, note: "at it" });
    const acknowledged = { by: "admin token", note: "at it" };
    expect(await hear()).toMatchObject([{ event: "acknowledged", alert: told?.alert, acknowledged }]);
    // Said again, with nothing new.
    const same = await send(api, "POST", `/api/alerts/${told?.alert}/acknowledgement`, {});
    expect([same.alert.acknowledged, await hear()]).toEqual([alert.acknowledged, []]);
    // Whoever is at it is not reminded.
    await runThrough(base + 66, base + 106, 20);
    expect((await hear()).map(({ event, subject }) => [event, subject.provider])).toEqual([
      ["reminder", "loud"],
    ]);
    await runThrough(base + 120, base + 190, 10);
    expect((await hear()).map(({ event }) => event)).toEqual(["resolved", "resolved"]);
    const again = await api.fetch(`/api/alerts/${told?.alert}/acknowledgement`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect([again.status, (await again.json()).type]).toEqual([409, "urn:busyhour:error:alert_over"]);
  });
});
