import { describe, expect, it } from "vitest";
import type { Now } from "../../server/contract/now.ts";
import type { Heatmap, OverviewTarget, Point } from "../../server/contract/share.ts";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const HOUR_MS = 3_600_000;
// Half past, so that hours are open; a Sunday, on which Berlin's clocks went back four weeks before.
const NOW = Date.parse("2026-11-22T12:37:00Z");
const api = await startTestServer({ nowMs: NOW });

const OUTCOMES = ["ok", "capacity", "ok", "timeout", "cancelled", "ok", "invalid_request"] as const;
const events = [
  ["eu", 7 * 60_000 + 13_000],
  ["us", 3 * HOUR_MS + 7_000],
].flatMap(([endpoint, everyMs]) =>
  Array.from({ length: Math.floor((40 * 24 * HOUR_MS) / Number(everyMs)) }, (_, i) =>
    anEvent({
      eventId: `${endpoint} ${i}`,
      occurredAt: new Date(NOW - i * Number(everyMs)).toISOString(),
      endpoint: String(endpoint),
      outcome: OUTCOMES[i % OUTCOMES.length] as (typeof OUTCOMES)[number],
      isFinal: i % 3 !== 0,
    }),
  ),
);
for (let i = 0; i < events.length; i += 5_000) await api.post(events.slice(i, i + 5_000));
await api.post([anEvent({ eventId: "old", occurredAt: "2026-03-01T00:00:00Z", model: "gone" })]);
await api.catchUp();

const ask = (path: string, parts: Record<string, string>) => api.get(`${path}?${new URLSearchParams(parts)}`);

/** What overview, series and heatmap say one by one of what the answer says at once. */
async function expectSameAsSingleAnswers(zone: string, count: "attempts" | "requests"): Promise<void> {
  const answer: Now = await ask("/api/now", { zone, count });
  const nowMs = api.clock.nowMs;
  const pick = count === "attempts" ? "capacity" : "requestCapacity";
  const shareOver = async (hours: number, endpoint: string) => {
    const overview = await ask("/api/overview", { from: String(nowMs - hours * HOUR_MS), endpoint });
    return overview.targets.find((one: OverviewTarget) => one.endpoint === endpoint)?.[pick] ?? { n: 0 };
  };
  expect(answer.targets.map(({ model, endpoint }) => `${model} ${endpoint}`)).toEqual([
    "acme-large eu",
    "acme-large us",
    "gone ",
  ]);
  for (const target of answer.targets.slice(0, 2)) {
    const { endpoint } = target;
    const heatmap: Heatmap = await ask("/api/heatmap", { zone, count, endpoint });
    const series = await ask("/api/series", {
      zone,
      endpoint,
      step: "1h",
      from: String(nowMs - 24 * HOUR_MS),
    });
    const points: Point[] = series.points.slice(-24);
    const cellAt = (hourOfWeek: number) => {
      const { hourOfWeek: _, ...cell } = heatmap.cells[hourOfWeek] as Heatmap["cells"][number];
      return cell;
    };
    expect(target.hours.map(({ start }) => start)).toEqual(points.map(({ start }) => start));
    expect(target.hours.map(({ isOpen }) => isOpen)).toEqual(points.map(({ isOpen }) => isOpen));
    expect(target.hours.map(({ measured }) => measured)).toEqual(points.map((point) => point[pick]));
    expect(target.hours.map(({ usual }) => usual)).toEqual(
      target.hours.map(({ hourOfWeek }) => cellAt(hourOfWeek)),
    );
    const from = (target.today[0]?.hourOfWeek ?? -1) as number;
    expect(from % 24).toBe(0);
    expect(target.today).toEqual(heatmap.cells.slice(from, from + 24));
    expect(target.usual).toEqual(cellAt(target.hours.at(-1)?.hourOfWeek ?? -1));
    expect(target.now.cell).toEqual(await shareOver(target.now.hours, endpoint));
    const all = await ask("/api/overview", {
      endpoint,
      from: new Date(Math.floor(nowMs / HOUR_MS) * HOUR_MS - 28 * 24 * HOUR_MS).toISOString(),
    });
    expect(target.calls).toBe(all.total[count]);
  }
}

describe("now", () => {
  for (const zone of ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Pacific/Chatham"]) {
    for (const count of ["attempts", "requests"] as const) {
      it(`says of ${count} what the single answers say, in ${zone}`, () =>
        expectSameAsSingleAnswers(zone, count));
    }
  }

  it("is no less right when late events have made the hourly job's counts out of date", async () => {
    const late = { occurredAt: new Date(NOW - 5 * 24 * HOUR_MS).toISOString(), outcome: "capacity" } as const;
    await api.post([anEvent({ ...late, endpoint: "eu" })]);
    const before = await ask("/api/now", {});
    await api.catchUp();
    await expectSameAsSingleAnswers("UTC", "attempts");
    const after = await ask("/api/now", {});
    expect(after.targets[0].calls).toBe(before.targets[0].calls + 1);
  });

  it("judges the last hour, and three together where one is too thin", async () => {
    const { targets }: Now = await ask("/api/now", {});
    expect(targets.map(({ now }) => [now.state, now.hours])).toEqual([
      ["few", 3],
      // Three hours hold no more of it than one.
      ["few", 1],
      ["silent", 1],
    ]);
    const full = Array.from({ length: 40 }, (_, i) =>
      anEvent({
        occurredAt: new Date(NOW - i * 60_000).toISOString(),
        endpoint: "us",
        outcome: i % 4 === 0 ? "capacity" : "ok",
      }),
    );
    await api.post(full);
    await api.catchUp();
    const us = (await ask("/api/now", { endpoint: "us" })).targets;
    expect(us).toHaveLength(1);
    expect(us[0].now).toMatchObject({ state: "short", hours: 1 });
  });

  it("still names what was called long ago, with when that was", async () => {
    const { targets }: Now = await ask("/api/now", { model: "gone" });
    expect(targets).toMatchObject([
      {
        model: "gone",
        calls: 0,
        firstSeen: "2026-03-01T00:00:00.000Z",
        lastSeen: "2026-03-01T00:00:00.000Z",
      },
    ]);
    expect(targets[0]?.hours).toHaveLength(24);
  });

  it("has 24 hours on a day whose clocks went back, the two equal ones apart", async () => {
    api.clock.nowMs = Date.parse("2026-10-25T12:10:00Z");
    await api.catchUp();
    const [target] = (await ask("/api/now", { zone: "Europe/Berlin", endpoint: "eu" })).targets;
    const hours = target.hours.filter(({ hourOfWeek }: { hourOfWeek: number }) => hourOfWeek === 6 * 24 + 2);
    expect(hours.map(({ start }: { start: string }) => start)).toEqual([
      "2026-10-25T00:00:00.000Z",
      "2026-10-25T01:00:00.000Z",
    ]);
    expect(new Set(target.hours.map(({ start }: { start: string }) => start)).size).toBe(24);
    await expectSameAsSingleAnswers("Europe/Berlin", "attempts");
  });
});
