import { describe, expect, it } from "vitest";
import { createKeptAnswers } from "../../server/advice/kept/kept-answers.ts";
import { createExplain } from "../../server/alerts/explain.ts";
import { createAlertJob } from "../../server/alerts/job.ts";
import { runUsual } from "../../server/alerts/usual-job.ts";
import type { AlertNotice } from "../../server/contract/notice.ts";
import { anAlertRule } from "../support/alerts.ts";
import { send } from "../support/people.ts";
import { startTestServer } from "../support/server.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Thursday. */
const TODAY = Date.parse("2026-11-26T00:00:00Z");
const api = await startTestServer({ nowMs: TODAY });
const { sql } = api.database;
const now = (ms: number) => {
  api.clock.nowMs = ms;
  return ms;
};

/**
 * Six weeks of rollups: two targets are called twenty times a minute. Of `rushing` a quarter finds no room from
 * 10 to 12 on weekdays, and of both today from 18:00 on.
 */
await sql`
  insert into series (project_id, source, provider, model, endpoint, account, chain)
  select p.id, 'app', m.provider, m.model, '', '', ''
    from project p, (values ('acme', 'rushing'), ('other', 'calm')) as m (provider, model) where p.slug = 'default'`;
async function fill(level: "1m" | "15m", fromMs: number, toMs: number): Promise<void> {
  const [step, calls] = level === "1m" ? ["1 minute", 20] : ["15 minutes", 300];
  await sql`
    insert into ${sql(`attempt_rollup_${level}`)}
           (project_id, series_id, bucket_start, outcome, attempt_count, final_count, degraded_count, retry_count,
            latency_ms_sum, input_tokens_sum, output_tokens_sum)
    select s.project_id, s.id, t, o.outcome, o.n, o.n, 0, 0, 0, 0, 0
      from series s,
           generate_series(${new Date(fromMs)}::timestamptz, ${new Date(toMs - 1)}::timestamptz, ${step}::interval) as t
     cross join lateral (
           select case when t >= ${new Date(TODAY + 18 * HOUR)} then 0.35
                       when s.model = 'rushing' and extract(isodow from t) < 6
                            and extract(hour from t) in (10, 11) then 0.25
                       else 0.0 end as share) as x
     cross join lateral (
           values (0, round(${calls}::int * (1 - x.share))::int), (1, round(${calls}::int * x.share)::int)) as o (outcome, n)
     where o.n > 0`;
}
await fill("15m", TODAY - 42 * DAY, TODAY + 18 * HOUR);
await fill("1m", TODAY - 14 * DAY, TODAY + 18 * HOUR);

/** The quarter-hour that is under way, of the minutes that there are. */
async function rollUpQuarter(ms: number): Promise<void> {
  const start = new Date(Math.floor(ms / 900_000) * 900_000);
  await sql`delete from attempt_rollup_15m where bucket_start = ${start}`;
  await sql`
    insert into attempt_rollup_15m
    select project_id, series_id, ${start}, outcome, sum(attempt_count), sum(final_count), 0, 0, 0, 0, 0
      from attempt_rollup_1m
     where bucket_start >= ${start} and bucket_start < ${start}::timestamptz + interval '15 minutes' group by 1, 2, 4`;
}

const rule = { ...anAlertRule({ name: "Far above usual" }), condition: { kind: "learnt" } as const };

describe("what is usual", () => {
  it("keeps the daily rush from being told, and tells the same share at a quiet hour, with its cause", async () => {
    await send(api, "POST", "/api/rules", rule);
    expect(await runUsual(api.server.core.jobSql, now(TODAY + HOUR))).toBe(1);
    // Once an hour is enough.
    expect(await runUsual(api.server.core.jobSql, now(TODAY + HOUR + 60_000))).toBe(0);
    const told: AlertNotice[] = [];
    const warnings: unknown[] = [];
    const explain = createExplain({
      sql: api.server.core.readSql,
      kept: createKeptAnswers({ readSql: api.server.core.readSql, sql: api.server.core.jobSql }),
      log: { warn: (...parts: unknown[]) => warnings.push(parts) } as never,
      limitMs: 60_000,
    });
    const job = createAlertJob({
      sql: api.server.core.jobSql,
      enqueueNotice: async (_, { notice }) => {
        if (notice.kind === "alert") told.push(notice);
      },
      // As if the cause of one could not be found at first.
      explain: async (trouble) =>
        trouble.subject.model === "calm" && trouble.nowMs < TODAY + 18 * HOUR + 300_000
          ? { cause: null, order: null }
          : explain(trouble),
    });
    for (let ms = TODAY + 8 * HOUR; ms < TODAY + 18 * HOUR; ms += HOUR / 4) await job.run(now(ms));
    expect(told).toEqual([]);
    for (let ms = TODAY + 18 * HOUR; ms < TODAY + 18.5 * HOUR; ms += 60_000) {
      await fill("1m", ms, ms + 60_000);
      await rollUpQuarter(ms);
      await job.run(now(ms + 60_000));
    }
    expect(told.map(({ event, subject }) => [event, subject.model]).sort()).toEqual([
      ["firing", "calm"],
      ["firing", "rushing"],
    ]);
    for (const { usual, value, since } of told) {
      expect(usual).toBeLessThan(0.1);
      expect(value).toBeGreaterThan(0.05);
      expect(Math.abs(Date.parse(since) - (TODAY + 18 * HOUR))).toBeLessThanOrEqual(5 * 60_000);
    }
    expect(told.find(({ subject }) => subject.model === "rushing")?.cause?.code).toBe("model");
    expect(told.find(({ subject }) => subject.model === "calm")?.cause).toBeNull();
    // Whoever looks later finds what could not be found at first.
    const { alerts } = await api.get("/api/alerts");
    const calm = alerts.find(({ subject }: AlertNotice) => subject.model === "calm");
    expect(calm.cause).toMatchObject({ code: "everything" });
    expect(warnings).toEqual([]);
  });

  it("is learnt for a replay from the days before alone", async () => {
    await fill("1m", TODAY + 18.5 * HOUR, now(TODAY + 20 * HOUR));
    const replay = await send(api, "POST", "/api/rules/replay", { rule });
    expect(replay).toMatchObject({ groups: 2, count: 2 });
    expect(replay.firings.map(({ to }: { to: string | null }) => to)).toEqual([null, null]);
    expect(replay.minutes).toBeGreaterThan(200);
    // A fixed share tells the rush as well: each weekday of two weeks.
    const condition = { kind: "share", above: 0.1, windowMinutes: 30, minCalls: 50 };
    const fixed = await send(api, "POST", "/api/rules/replay", { rule: { ...rule, condition } });
    expect(fixed.count).toBeGreaterThan(8);
    const deaf = await send(api, "POST", "/api/rules/replay", {
      rule: { ...rule, condition: { ...condition, above: 0.9 } },
    });
    expect(deaf).toMatchObject({ count: 0, minutes: 0, firings: [] });
  });

  it("is made anew for a rule that counts something else", async () => {
    await send(
      api,
      "POST",
      "/api/rules",
      anAlertRule({ measure: { of: "requests", outcomes: ["capacity"] } }),
    );
    expect(await runUsual(api.server.core.jobSql, now(TODAY + 20 * HOUR))).toBe(1);
    const rows = await sql<{ key: string }[]>`
      select distinct counted_key as key from alert_usual order by 1`;
    expect(rows.map(({ key }) => JSON.parse(JSON.parse(key)[0])[0])).toEqual(["attempts", "requests"]);
  });
});
