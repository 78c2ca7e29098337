import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connect } from "../../db/connect.ts";
import { runProfiles } from "../../server/capacity/profile-job.ts";
import type { Attempt } from "../../server/ingest/attempt.ts";
import { createDictionary } from "../../server/ingest/dictionary.ts";
import { toUuid } from "../../server/ingest/event-id.ts";
import { insertAttempts } from "../../server/ingest/queries.ts";
import { createStore } from "../../server/ingest/store.ts";
import { createPartitionKeeper, partitionName, toDayNumber } from "../../server/retention/partitions.ts";
import { runUpkeep } from "../../server/retention/upkeep.ts";
import { runRollup } from "../../server/rollup/job.ts";
import { latencyBin } from "../../server/rollup/latency-bin.ts";
import { queueRebuild } from "../../server/rollup/rebuild.ts";
import { createTestDatabase } from "../support/database.ts";

const { sql, target } = await createTestDatabase();
const NOW_MS = Date.parse("2026-11-29T12:00:00Z");
const DAY_MS = 86_400_000;
const PROJECT = 1;
const dictionary = createDictionary(sql);
const partitions = createPartitionKeeper(sql);

function anAttempt(parts: Partial<Attempt> = {}): Attempt {
  return {
    occurredAtMs: NOW_MS - 60_000,
    eventId: toUuid(crypto.randomUUID()),
    hasOwnId: true,
    series: { source: "", provider: "acme", model: "large", endpoint: "", account: "", chain: "" },
    outcome: "ok",
    httpStatus: null,
    latencyMs: null,
    firstTokenMs: null,
    inputTokens: null,
    outputTokens: null,
    requestId: null,
    attempt: null,
    isFinal: true,
    position: null,
    inFlight: null,
    retryAfterMs: null,
    servedModel: null,
    isStream: null,
    evidence: null,
    ...parts,
  };
}

async function toRows(attempts: readonly Attempt[]) {
  await partitions.ensureDays(new Set(attempts.map(({ occurredAtMs }) => toDayNumber(occurredAtMs))));
  return (await dictionary.toRows(PROJECT, attempts)).filter((row) => row !== null);
}

const storeRows = createStore(sql);
const store = async (attempts: readonly Attempt[]) => storeRows(await toRows(attempts));

async function clear(): Promise<void> {
  await sql`truncate attempt, touched_bucket, unsettled_day, hour_profile_run, hour_profile, attempt_rollup_1m,
                     attempt_rollup_15m, attempt_rollup_1h, attempt_rollup_1d, capacity_rollup_15m, latency_rollup_1m,
                     latency_rollup_1h, latency_rollup_15m, latency_rollup_1d`;
}

interface Sums {
  attempts: number;
  finals: number;
  degraded: number;
  retries: number;
  latencyMs: number;
  inputTokens: number;
}

/** What a rollup level must hold, counted from the attempts: by model, bucket and outcome. */
function countDirectly(attempts: readonly Attempt[], widthMs: number): Map<string, Sums> {
  const sums = new Map<string, Sums>();
  for (const attempt of attempts) {
    const start = Math.floor(attempt.occurredAtMs / widthMs) * widthMs;
    const key = `${attempt.series.model} ${new Date(start).toISOString()} ${attempt.outcome}`;
    const sum = sums.get(key) ?? {
      attempts: 0,
      finals: 0,
      degraded: 0,
      retries: 0,
      latencyMs: 0,
      inputTokens: 0,
    };
    sum.attempts++;
    if (attempt.isFinal) sum.finals++;
    if (attempt.isFinal && (attempt.position ?? 0) > 0) sum.degraded++;
    if ((attempt.attempt ?? 1) > 1) sum.retries++;
    sum.latencyMs += attempt.latencyMs ?? 0;
    sum.inputTokens += attempt.inputTokens ?? 0;
    sums.set(key, sum);
  }
  return sums;
}

async function readRollup(level: string): Promise<Map<string, Sums>> {
  const rows = await sql<({ model: string; start: Date; outcome: number } & Sums)[]>`
    select s.model, r.bucket_start as start, r.outcome, r.attempt_count as attempts, r.final_count as finals,
           r.degraded_count as degraded, r.retry_count as retries, r.latency_ms_sum::float8 as "latencyMs",
           r.input_tokens_sum::float8 as "inputTokens"
      from ${sql(`attempt_rollup_${level}`)} r join series s on s.project_id = r.project_id and s.id = r.series_id`;
  return new Map(
    rows.map(({ model, start, outcome, ...sums }) => [
      `${model} ${start.toISOString()} ${OUTCOMES[outcome]}`,
      sums,
    ]),
  );
}

const COUNTED: readonly Outcome[] = ["ok", "capacity", "timeout"];

/** k and n of the capacity share by model and quarter-hour, of attempts and of requests; buckets with n of 0 are left out. */
function countCapacity(attempts: readonly Attempt[]): Map<string, number[]> {
  const counts = new Map<string, number[]>();
  for (const { occurredAtMs, outcome, isFinal, series } of attempts) {
    if (!COUNTED.includes(outcome)) continue;
    const key = `${series.model} ${Math.floor(occurredAtMs / 900_000) * 900_000}`;
    const [k = 0, n = 0, requestK = 0, requestN = 0] = counts.get(key) ?? [];
    const isCapacity = outcome === "capacity" ? 1 : 0;
    const isRequest = isFinal ? 1 : 0;
    counts.set(key, [k + isCapacity, n + 1, requestK + isCapacity * isRequest, requestN + isRequest]);
  }
  return counts;
}

async function readCapacity(): Promise<Map<string, number[]>> {
  const rows = await sql<{ model: string; start: Date; counts: number[] }[]>`
    select s.model, r.bucket_start as start,
           array[r.capacity_attempts, r.counted_attempts, r.capacity_requests, r.counted_requests] as counts
      from capacity_rollup_15m r join series s on s.project_id = r.project_id and s.id = r.series_id`;
  return new Map(rows.map(({ model, start, counts }) => [`${model} ${start.getTime()}`, counts]));
}

function countBins(attempts: readonly Attempt[], widthMs: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const attempt of attempts) {
    const start = Math.floor(attempt.occurredAtMs / widthMs) * widthMs;
    for (const [measure, ms] of [attempt.latencyMs, attempt.firstTokenMs].entries()) {
      if (ms === null) continue;
      const key = `${attempt.series.model} ${start} ${attempt.outcome} ${measure} ${latencyBin(ms)}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

async function readBins(level: string): Promise<Map<string, number>> {
  const rows = await sql<
    { model: string; start: Date; outcome: number; measure: number; bin: number; n: number }[]
  >`
    select s.model, r.bucket_start as start, r.outcome, r.measure, u.bin, u.n
      from ${sql(`latency_rollup_${level}`)} r join series s on s.project_id = r.project_id and s.id = r.series_id
     cross join lateral unnest(r.bins, r.counts) as u (bin, n)`;
  return new Map(
    rows.map((r) => [`${r.model} ${r.start.getTime()} ${OUTCOMES[r.outcome]} ${r.measure} ${r.bin}`, r.n]),
  );
}

/** Attempts in a few hours around a UTC midnight, some of them long ago, so that all grains and paths meet. */
const attemptArbitrary = fc
  .record({
    minute: fc.integer({ min: 0, max: 600 }),
    ms: fc.integer({ min: 0, max: 59_999 }),
    daysAgo: fc.constantFrom(0, 1, 20),
    id: fc.integer({ min: 0, max: 40 }),
    model: fc.constantFrom("large", "small"),
    outcome: fc.constantFrom<Outcome>("ok", "capacity", "timeout", "cancelled"),
    latencyMs: fc.option(fc.integer({ min: 0, max: 100_000 })),
    firstTokenMs: fc.option(fc.integer({ min: 0, max: 9_000 })),
    inputTokens: fc.option(fc.integer({ min: 0, max: 10_000 })),
    attempt: fc.option(fc.integer({ min: 1, max: 4 })),
    position: fc.option(fc.integer({ min: 0, max: 3 })),
    isFinal: fc.boolean(),
  })
  .map(({ minute, ms, daysAgo, id, model, ...parts }) =>
    anAttempt({
      ...parts,
      occurredAtMs: NOW_MS - (11 + 10) * 3_600_000 - daysAgo * DAY_MS + minute * 60_000 + (ms % (id + 1)),
      eventId: toUuid(`event ${id}`),
      series: { source: "", provider: "acme", model, endpoint: "", account: "", chain: "" },
    }),
  );

const identity = ({ occurredAtMs, eventId }: Attempt) => `${occurredAtMs} ${eventId}`;

describe("the rollup job", () => {
  it("equals a direct count, whatever comes in whatever order, how often, and wherever it breaks off", async () => {
    const steps = fc.array(
      fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({
            kind: fc.constant("store" as const),
            batch: fc.array(attemptArbitrary, { maxLength: 12 }),
          }),
        },
        { weight: 2, arbitrary: fc.constant({ kind: "run" as const }) },
        { weight: 1, arbitrary: fc.constant({ kind: "runTwiceAtOnce" as const }) },
        {
          weight: 1,
          arbitrary: fc.record({
            kind: fc.constant("crash" as const),
            batch: fc.array(attemptArbitrary, { maxLength: 6 }),
          }),
        },
        { weight: 1, arbitrary: fc.constant({ kind: "repeat" as const }) },
        { weight: 1, arbitrary: fc.constant({ kind: "rebuild" as const }) },
      ),
      { maxLength: 14 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        await clear();
        const stored = new Map<string, Attempt>();
        let last: readonly Attempt[] = [];
        for (const step of script) {
          if (step.kind === "store") {
            last = step.batch;
            await store(step.batch);
            for (const attempt of step.batch)
              if (!stored.has(identity(attempt))) stored.set(identity(attempt), attempt);
          } else if (step.kind === "repeat") await store([...last].reverse());
          else if (step.kind === "run") await runRollup(sql, NOW_MS);
          else if (step.kind === "runTwiceAtOnce")
            await Promise.all([runRollup(sql, NOW_MS), runRollup(sql, NOW_MS)]);
          else if (step.kind === "rebuild") await queueRebuild(sql);
          else await crashWhileStoring(step.batch);
        }
        await runRollup(sql, NOW_MS);
        const all = [...stored.values()];
        expect(await readRollup("15m")).toEqual(countDirectly(all, 15 * 60_000));
        expect(await readBins("15m")).toEqual(countBins(all, 15 * 60_000));
        expect(await readRollup("1h")).toEqual(countDirectly(all, 3_600_000));
        expect(await readBins("1h")).toEqual(countBins(all, 3_600_000));
        expect(await readCapacity()).toEqual(countCapacity(all));
        const recent = all.filter(({ occurredAtMs }) => occurredAtMs > NOW_MS - 14 * DAY_MS);
        expect(await readRollup("1m")).toEqual(countDirectly(recent, 60_000));
        const closed = all.filter(({ occurredAtMs }) => occurredAtMs < Date.parse("2026-11-29T00:00:00Z"));
        expect(await readRollup("1d")).toEqual(countDirectly(closed, DAY_MS));
        expect(await readBins("1d")).toEqual(countBins(closed, DAY_MS));
      }),
      { numRuns: 25 },
    );
  });

  /** The server dies between insert and commit: neither rows nor touched minutes may remain. */
  async function crashWhileStoring(batch: readonly Attempt[]): Promise<void> {
    const rows = await toRows(batch);
    if (rows.length === 0) return;
    await sql
      .begin(async (tx) => {
        await insertAttempts(tx, rows);
        throw new Error("crash");
      })
      .catch(() => {});
  }

  it("loses nothing of an ingest transaction that is open across its run", async () => {
    await clear();
    const early = anAttempt();
    const late = anAttempt({ occurredAtMs: early.occurredAtMs + 1_000, outcome: "capacity" });
    const other = connect(target, { max: 1, name: "slow ingest" });
    const rows = await toRows([late]);
    let commit = () => {};
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let isInserted = () => {};
    const inserted = new Promise<void>((resolve) => {
      isInserted = resolve;
    });
    const slow = other.begin(async (tx) => {
      await insertAttempts(tx, rows);
      isInserted();
      await mayCommit;
    });
    await inserted;
    await store([early]);
    await runRollup(sql, NOW_MS);
    expect(await readRollup("1m")).toEqual(countDirectly([early], 60_000));
    commit();
    await slow;
    await other.end();
    await runRollup(sql, NOW_MS);
    expect(await readRollup("1m")).toEqual(countDirectly([early, late], 60_000));
    expect(await readRollup("15m")).toEqual(countDirectly([early, late], 15 * 60_000));
  });

  it("counts a bucket once on two servers at once", async () => {
    await clear();
    const attempts = Array.from({ length: 400 }, (_, i) => anAttempt({ occurredAtMs: NOW_MS - i * 60_000 }));
    await store(attempts);
    const second = connect(target, { max: 2, name: "second server" });
    await Promise.all([runRollup(sql, NOW_MS), runRollup(second, NOW_MS), runRollup(second, NOW_MS)]);
    await second.end();
    await runRollup(sql, NOW_MS);
    expect(await readRollup("15m")).toEqual(countDirectly(attempts, 15 * 60_000));
  });

  it("leaves sealed buckets as they are, and says so", async () => {
    await clear();
    const old = anAttempt({ occurredAtMs: NOW_MS - 30 * DAY_MS });
    await store([old]);
    await runRollup(sql, NOW_MS);
    const before = await readRollup("15m");
    await runUpkeep(sql, NOW_MS, 10);
    expect(await sql`select to_regclass(${partitionName(toDayNumber(old.occurredAtMs))}) as found`).toEqual([
      { found: null },
    ]);
    const report = await queueRebuild(sql);
    expect(report.sealedDays).toBe(1);
    await sql`insert into touched_bucket values (${PROJECT}, ${new Date(Math.floor(old.occurredAtMs / 60_000) * 60_000)})`;
    expect(await runRollup(sql, NOW_MS)).toMatchObject({ minutes: 0, sealedMinutes: 1 });
    expect(await readRollup("15m")).toEqual(before);
    await sql`update installation set sealed_before = null`;
  });

  it("keeps a day whose minutes still wait to be added up", async () => {
    await clear();
    const old = anAttempt({ occurredAtMs: NOW_MS - 31 * DAY_MS });
    await store([old]);
    await runUpkeep(sql, NOW_MS, 10);
    expect(await sql`select count(*)::int as n from attempt`).toEqual([{ n: 1 }]);
    await runRollup(sql, NOW_MS);
    await runUpkeep(sql, NOW_MS, 10);
    expect(await sql`select count(*)::int as n from attempt`).toEqual([{ n: 0 }]);
    expect(await readRollup("15m")).toEqual(countDirectly([old], 15 * 60_000));
    await sql`update installation set sealed_before = null`;
  });

  it("moves rows of the default partition to their day", async () => {
    await clear();
    const stray = anAttempt({ occurredAtMs: NOW_MS - 50 * DAY_MS });
    const rows = (await dictionary.toRows(PROJECT, [stray])).filter((row) => row !== null);
    await storeRows(rows);
    expect(await sql`select count(*)::int as n from attempt_default`).toEqual([{ n: 1 }]);
    await runUpkeep(sql, NOW_MS, 400);
    expect(await sql`select count(*)::int as n from attempt_default`).toEqual([{ n: 0 }]);
    expect(await storeRows(rows)).toEqual([false]);
  });

  it("marks a profile stale when a late event changes an hour that it counted", async () => {
    await clear();
    await store([anAttempt({ occurredAtMs: NOW_MS - 3 * DAY_MS })]);
    await runRollup(sql, NOW_MS);
    await runProfiles(sql, NOW_MS);
    expect(await runProfiles(sql, NOW_MS)).toBe(0);
    await store([anAttempt({ occurredAtMs: NOW_MS - 2 * DAY_MS })]);
    await runRollup(sql, NOW_MS);
    expect(await runProfiles(sql, NOW_MS)).toBe(1);
    expect(await sql`select sum(attempt_count)::int as n from hour_profile`).toEqual([{ n: 2 }]);
  });
});
