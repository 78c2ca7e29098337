import type { AttemptEvent, Outcome } from "@busyhour/sdk";
import { describe, expect, it } from "vitest";
import { runProfiles } from "../../server/capacity/profile-job.ts";
import { runRollup } from "../../server/rollup/job.ts";
import { countByHourOfWeek } from "../support/count.ts";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer({ nowMs: Date.parse("2026-11-29T12:00:00Z") });

/** A week or more of attempts at odd minutes, deterministic, with every kind of outcome. */
function eventsOf(
  model: string,
  fromIso: string,
  toIso: string,
  everyMs = 7 * 60_000 + 13_000,
): AttemptEvent[] {
  const outcomes: Outcome[] = [
    "ok",
    "ok",
    "capacity",
    "ok",
    "timeout",
    "invalid_request",
    "cancelled",
    "ok",
    "capacity",
  ];
  const events: AttemptEvent[] = [];
  for (let ms = Date.parse(fromIso), i = 0; ms < Date.parse(toIso); ms += everyMs, i++) {
    events.push(
      anEvent({
        eventId: `${model} ${i}`,
        occurredAt: new Date(ms).toISOString(),
        model,
        outcome: outcomes[i % outcomes.length] as Outcome,
        isFinal: i % 3 !== 0,
        latencyMs: 100 + (i % 50),
        endpoint: i % 2 === 0 ? "eu" : "us",
        source: "app",
      }),
    );
  }
  return events;
}

async function store(events: readonly AttemptEvent[]): Promise<void> {
  for (let i = 0; i < events.length; i += 5_000) await api.post(events.slice(i, i + 5_000));
  await api.catchUp();
}

const query = (parts: Record<string, string>) => `/api/heatmap?${new URLSearchParams(parts)}`;

// Clocks change in Berlin on 2026-10-25 and in New York on 2026-11-01 and, half an hour, on Lord Howe on 2026-10-04;
// Kolkata is off by 30 minutes, Kathmandu by 45, Chatham by 45 with clocks that change.
const ZONES = [
  "UTC",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Pacific/Chatham",
];

describe("the heatmap", async () => {
  const events = eventsOf("weeks", "2026-09-21T00:00:00Z", "2026-11-16T00:00:00Z");
  await store(events);

  for (const zone of ZONES) {
    it(`equals a direct count in ${zone}, over weeks in which clocks change`, async () => {
      const heatmap = await api.get(
        query({ model: "weeks", zone, from: "2026-09-21T00:00:00Z", to: "2026-11-16T00:00:00Z" }),
      );
      const direct = countByHourOfWeek(events, zone);
      expect(heatmap.cells.map(({ n }: { n: number }) => n)).toEqual(direct.n);
      expect(heatmap.cells.map(({ k }: { k: number }) => k)).toEqual(direct.k);
      expect(heatmap.zone).toBe(zone);
    });
  }

  it("counts requests by their last attempt, and filters", async () => {
    const filtered = events.filter(({ isFinal, endpoint }) => isFinal && endpoint === "eu");
    const heatmap = await api.get(
      query({
        model: "weeks",
        endpoint: "eu",
        source: "app",
        provider: "acme",
        count: "requests",
        from: "2026-09-21T00:00:00Z",
        to: "2026-11-16T00:00:00Z",
      }),
    );
    const direct = countByHourOfWeek(filtered, "UTC");
    expect(heatmap.cells.map(({ n }: { n: number }) => n)).toEqual(direct.n);
    expect(heatmap.cells.map(({ k }: { k: number }) => k)).toEqual(direct.k);
  });

  it("cuts a range to the minute where minutes are kept, to the quarter-hour before", async () => {
    const recent = eventsOf("recent", "2026-11-27T00:00:00Z", "2026-11-29T11:00:00Z", 61_000);
    await store(recent);
    const from = "2026-11-27T10:07:00.000Z";
    const to = "2026-11-29T09:52:00.000Z";
    const heatmap = await api.get(query({ model: "recent", from, to }));
    const within = recent.filter(({ occurredAt }) => occurredAt >= from && occurredAt < to);
    expect(heatmap.range).toEqual({ from, to });
    expect(heatmap.cells.map(({ n }: { n: number }) => n)).toEqual(countByHourOfWeek(within, "UTC").n);
    const old = await api.get(
      query({ model: "weeks", from: "2026-10-01T10:07:00Z", to: "2026-10-02T10:07:00Z" }),
    );
    expect(old.range).toEqual({ from: "2026-10-01T10:00:00.000Z", to: "2026-10-02T10:15:00.000Z" });
  });

  it("says the same from the hourly job as from rollups, also with late events and the open hour", async () => {
    const before = eventsOf("job", "2026-11-01T12:00:00Z", "2026-11-29T11:40:00Z", 17 * 60_000);
    await store(before);
    api.clock.nowMs = Date.parse("2026-11-29T12:40:00Z");
    await store([anEvent({ model: "job", occurredAt: "2026-11-29T12:20:00Z", outcome: "capacity" })]);
    const explicit = query({ model: "job", from: "2026-11-01T12:00:00Z", to: "2026-11-29T12:45:00Z" });
    const fromJob = await api.get(query({ model: "job" }));
    const runs = await api.database.sql`select is_stale, range_to from hour_profile_run`;
    expect(runs).toEqual([{ is_stale: false, range_to: new Date("2026-11-29T12:00:00Z") }]);
    expect(fromJob.cells).toEqual((await api.get(explicit)).cells);
    await api.post([anEvent({ model: "job", occurredAt: "2026-11-20T03:00:00Z", outcome: "capacity" })]);
    await runRollup(api.server.core.jobSql, api.clock.nowMs);
    expect((await api.get(query({ model: "job" }))).cells).toEqual((await api.get(explicit)).cells);
    expect(await runProfiles(api.server.core.jobSql, api.clock.nowMs)).toBe(1);
    expect((await api.get(query({ model: "job" }))).cells).toEqual((await api.get(explicit)).cells);
    api.clock.nowMs = Date.parse("2026-11-29T12:00:00Z");
  });

  it("tells no calls from few and from enough, with an interval", async () => {
    const many = Array.from({ length: 20 }, (_, i) =>
      anEvent({
        model: "states",
        eventId: `s${i}`,
        occurredAt: "2026-11-23T00:10:00Z",
        outcome: i < 2 ? "capacity" : "ok",
      }),
    );
    await store([
      ...many,
      ...many.slice(0, 3).map((e) => ({ ...e, occurredAt: "2026-11-23T01:10:00Z", outcome: "ok" as const })),
    ]);
    const { cells } = await api.get(
      query({ model: "states", from: "2026-11-23T00:00:00Z", to: "2026-11-24T00:00:00Z" }),
    );
    expect(cells[0]).toMatchObject({ n: 20, k: 2, rate: 0.1, state: "enough" });
    // Wilson, by hand: (0.1 + 1.9208/20 ± 1.96·√(0.1·0.9/20 + 0.9604/400)) / (1 + 3.8415/20)
    expect(cells[0].low).toBeCloseTo(0.0279, 3);
    expect(cells[0].high).toBeCloseTo(0.301, 3);
    expect(cells[1]).toMatchObject({ n: 3, k: 0, rate: 0, low: 0, state: "few" });
    expect(cells[2]).toEqual({ hourOfWeek: 2, n: 0, k: 0, rate: null, low: null, high: null, state: "none" });
  });

  it("answers in the IANA's spelling of the zone, which the database knows", async () => {
    expect((await api.get(query({ model: "weeks", zone: "utc" }))).zone).toBe("UTC");
    expect((await api.get(query({ model: "weeks", zone: "asia/kolkata" }))).zone).toBe("Asia/Kolkata");
    const rows = await api.database.sql<{ name: string }[]>`select name from pg_timezone_names`;
    const known = new Set(rows.map(({ name }) => name));
    expect(Intl.supportedValuesOf("timeZone").filter((name) => !known.has(name))).toEqual([]);
  });

  it("says what is wrong with a question", async () => {
    const faults = async (parts: Record<string, string>) => {
      const response = await api.fetch(query(parts));
      expect(response.status).toBe(422);
      return (await response.json()).errors.map(({ pointer }: { pointer: string }) => pointer);
    };
    expect(await faults({ zone: "Mars/Olympus" })).toEqual(["?zone"]);
    expect(await faults({ zone: "SystemV/AST4" })).toEqual(["?zone"]);
    expect(await faults({ zone: "'; drop table attempt; --" })).toEqual(["?zone"]);
    expect(await faults({ from: "yesterday", to: "2026-13-01T00:00:00Z" })).toEqual(["?to", "?from"]);
    expect(await faults({ from: "2026-11-02T00:00:00Z", to: "2026-11-01T00:00:00Z" })).toEqual(["?from"]);
    expect(await faults({ count: "calls" })).toEqual(["?count"]);
    expect(await faults({ outcome: "full" })).toEqual(["?outcome"]);
    expect(await faults({ Model: "weeks" })).toEqual(["?Model"]);
    expect(await faults({ model: "a\u0000b" })).toEqual(["?model"]);
    expect(await faults({ from: "2026-02-30T00:00:00Z" })).toEqual(["?from"]);
  });
});

describe("the calendar", () => {
  it("has 25 hours where clocks go back and 23 where they go forward, and loses nothing", async () => {
    const events = eventsOf("dst", "2026-10-24T00:00:00Z", "2026-10-27T00:00:00Z", 5 * 60_000);
    await store(events);
    const calendar = await api.get(
      `/api/calendar?model=dst&zone=Europe/Berlin&from=2026-10-23T22:00:00Z&to=2026-10-26T23:00:00Z`,
    );
    const lengths = Object.fromEntries(
      calendar.days.map((day: { date: string; hours: unknown[] }) => [day.date, day.hours.length]),
    );
    expect(lengths).toEqual({ "2026-10-24": 24, "2026-10-25": 25, "2026-10-26": 24 });
    const [, change] = calendar.days;
    expect(
      change.hours.slice(1, 5).map((h: { hour: number; offset: string }) => `${h.hour} ${h.offset}`),
    ).toEqual(["1 +02:00", "2 +02:00", "2 +01:00", "3 +01:00"]);
    const total = calendar.days
      .flatMap((day: { hours: { n: number }[] }) => day.hours)
      .reduce((sum: number, { n }: { n: number }) => sum + n, 0);
    const counted = events.filter(({ outcome }) => outcome !== "cancelled" && outcome !== "invalid_request");
    expect(total).toBe(counted.filter(({ occurredAt }) => occurredAt < "2026-10-26T23:00:00Z").length);
    const spring = await api.get(
      `/api/calendar?model=dst&zone=America/New_York&from=2026-03-08T05:00:00Z&to=2026-03-09T04:00:00Z`,
    );
    expect(spring.days).toHaveLength(1);
    expect(spring.days[0].hours).toHaveLength(23);
  });

  it("puts half-hour zones into their own hours", async () => {
    await store([
      anEvent({ model: "half", occurredAt: "2026-11-20T18:29:59.999Z" }),
      anEvent({ model: "half", occurredAt: "2026-11-20T18:30:00.000Z" }),
      anEvent({ model: "half", occurredAt: "2026-11-20T18:45:00.000Z" }),
    ]);
    const at = async (zone: string) => {
      const { days } = await api.get(
        `/api/calendar?model=half&zone=${zone}&from=2026-11-19T00:00:00Z&to=2026-11-22T00:00:00Z`,
      );
      return days.flatMap((day: { date: string; hours: { hour: number; n: number }[] }) =>
        day.hours.filter(({ n }) => n > 0).map(({ hour, n }) => `${day.date} ${hour}: ${n}`),
      );
    };
    expect(await at("Asia/Kolkata")).toEqual(["2026-11-20 23: 1", "2026-11-21 0: 2"]);
    expect(await at("Asia/Kathmandu")).toEqual(["2026-11-21 0: 3"]);
  });
});

describe("series", () => {
  it("has a point for every step, gaps included, and marks the open one", async () => {
    await store([
      anEvent({ model: "points", occurredAt: "2026-11-29T09:10:00Z", latencyMs: 100, inputTokens: 5 }),
      anEvent({ model: "points", occurredAt: "2026-11-29T09:50:00Z", outcome: "capacity", latencyMs: 9 }),
      anEvent({ model: "points", occurredAt: "2026-11-29T11:59:00Z", isFinal: false }),
    ]);
    const { points, step } = await api.get(
      "/api/series?model=points&step=1h&from=2026-11-29T09:00:00Z&to=2026-11-29T12:30:00Z",
    );
    expect(step).toBe("1h");
    expect(
      points.map((p: { start: string; attempts: number; isOpen: boolean }) => [
        p.start,
        p.attempts,
        p.isOpen,
      ]),
    ).toEqual([
      ["2026-11-29T09:00:00.000Z", 2, false],
      ["2026-11-29T10:00:00.000Z", 0, false],
      ["2026-11-29T11:00:00.000Z", 1, false],
      ["2026-11-29T12:00:00.000Z", 0, true],
    ]);
    expect(points[0]).toMatchObject({
      outcomes: { ok: 1, capacity: 1 },
      capacity: { k: 1, n: 2, rate: 0.5, state: "few" },
      inputTokens: 5,
    });
    expect(points[0].latencyMs.p50 / 100).toBeCloseTo(1, 1);
    expect(points[1].capacity).toEqual({ k: 0, n: 0, rate: null, low: null, high: null, state: "none" });
    expect(points[2]).toMatchObject({ attempts: 1, requests: 0 });
  });

  it("has days of 23 and 25 hours, and the same sum at every step", async () => {
    const range = "from=2026-10-24T22:00:00Z&to=2026-10-26T23:00:00Z";
    const sums = await Promise.all(
      ["15m", "1h", "1d"].map(async (step) => {
        const { points } = await api.get(`/api/series?model=weeks&zone=Europe/Berlin&step=${step}&${range}`);
        return [points.length, points.reduce((sum: number, p: { attempts: number }) => sum + p.attempts, 0)];
      }),
    );
    expect(sums.map(([length]) => length)).toEqual([49 * 4, 49, 2]);
    expect(new Set(sums.map(([, sum]) => sum)).size).toBe(1);
  });

  it("refuses a step that is too fine", async () => {
    const old = await api.fetch("/api/series?step=1m&from=2026-10-01T00:00:00Z&to=2026-10-01T01:00:00Z");
    expect([old.status, (await old.json()).errors[0].pointer]).toEqual([422, "?step"]);
    const long = await api.fetch("/api/series?step=15m&from=2026-01-01T00:00:00Z");
    expect(long.status).toBe(422);
  });
});

describe("the overview", () => {
  it("compares with the period before and reads whole days from their own rollup", async () => {
    const range = "from=2026-10-19T03:20:00Z&to=2026-10-26T03:20:00Z";
    const { targets, total, before } = await api.get(`/api/overview?model=weeks&${range}`);
    const events = eventsOf("weeks", "2026-09-21T00:00:00Z", "2026-11-16T00:00:00Z");
    const within = (from: string, to: string) =>
      events.filter(({ occurredAt }) => occurredAt >= from && occurredAt < to).length;
    expect(total.attempts).toBe(within("2026-10-19T03:15:00Z", "2026-10-26T03:30:00Z"));
    expect(before.to).toBe("2026-10-19T03:15:00.000Z");
    expect(targets).toHaveLength(2);
    const [first] = targets;
    expect(first.before.attempts).toBeGreaterThan(0);
    const days = await api.database.sql`select count(*)::int as n from unsettled_day`;
    expect(days[0]?.["n"]).toBeLessThan(3);
  });

  it("says so when there is nothing", async () => {
    const overview = await api.get("/api/overview?model=none");
    expect(overview).toMatchObject({ sentence: "No calls in this range.", targets: [], totalBefore: null });
  });
});

describe("models, sources and attempts", () => {
  it("lists targets that were ever called, with first and last sight", async () => {
    const { models } = await api.get("/api/models?model=states");
    expect(models).toEqual([
      expect.objectContaining({ model: "states", attempts: 23, firstSeen: "2026-11-23T00:00:00.000Z" }),
    ]);
  });

  it("shows what was rejected of a source", async () => {
    await api.post([anEvent({ source: "faulty" }), { ...anEvent({ source: "faulty" }), latencyMs: -1 }]);
    await api.catchUp();
    await api.server.core.flushSources();
    const { sources } = await api.get("/api/sources");
    expect(sources.find(({ source }: { source: string }) => source === "faulty")).toMatchObject({
      accepted: 1,
      rejected: 1,
      clockOffsetMs: -3_600_000,
      lastRejection: { pointer: "/attempts/1/latencyMs" },
    });
  });

  it("pages through attempts without a gap or a repetition, ties included", async () => {
    const events = Array.from({ length: 25 }, (_, i) =>
      anEvent({ model: "pages", occurredAt: 1_795_950_000_000 + (i >> 2) }),
    );
    await api.post(events);
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: { attempts: { eventId: string }[]; next: string | null } = await api.get(
        `/api/attempts?model=pages&limit=7${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      seen.push(...page.attempts.map(({ eventId }) => eventId));
      cursor = page.next;
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen)).toEqual(new Set(events.map(({ eventId }) => eventId)));
    expect((await api.fetch("/api/attempts?cursor=nonsense")).status).toBe(422);
  });
});
