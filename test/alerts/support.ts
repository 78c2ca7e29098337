import type { AttemptEvent } from "@busyhour/sdk";
import { createAlertJob } from "../../server/alerts/job.ts";
import { runUsual } from "../../server/alerts/usual-job.ts";
import { enqueueNotice } from "../../server/channels/outbox.ts";
import type { AlertRuleInput } from "../../server/contract/alert-rule.ts";
import type { AlertNotice } from "../../server/contract/notice.ts";
import { runRollup } from "../../server/rollup/job.ts";
import { anAlertRule } from "../support/alerts.ts";
import { anEvent } from "../support/events.ts";
import { send } from "../support/people.ts";
import type { TestServer } from "../support/server.ts";

export const MINUTE = 60_000;

export interface Calls {
  readonly provider: string;
  readonly model?: string;
  readonly source?: string;
  /** Minutes after the start. */
  readonly from: number;
  readonly to: number;
  readonly perMinute?: number;
  /** Each so-many-th finds no room; 0: none. */
  readonly everyFails?: number;
}

/** A server with one channel and a job that is run by hand. */
export async function createAlertWorld(api: TestServer, startMs: number) {
  const { sql } = api.database;
  await sql`
    insert into channel (project_id, name, kind, locale, least_severity, is_enabled, settings, created_at)
    select id, 'on call', 'webhook', 'en', 'info', true, '{}', now() from project where slug = 'default'`;
  const createJob = () =>
    createAlertJob({
      sql: api.server.core.jobSql,
      enqueueNotice,
      explain: async () => ({ cause: null, order: null }),
    });
  let job = createJob();
  let heard = 0;
  let planned: AttemptEvent[] = [];
  const world = {
    createJob,
    /** As after a restart: with nothing in memory. */
    restart: () => {
      job = createJob();
    },
    at: (minute: number) => new Date(startMs + minute * MINUTE).toISOString(),
    calls(parts: Calls): AttemptEvent[] {
      const { provider, model = "large", from, to, perMinute = 6, everyFails = 0, source } = parts;
      return Array.from({ length: perMinute * (to - from) }, (_, i) =>
        anEvent({
          provider,
          model,
          ...(source === undefined ? {} : { source }),
          occurredAt: new Date(startMs + from * MINUTE + (i * MINUTE) / perMinute).toISOString(),
          outcome: everyFails > 0 && i % everyFails === 0 ? "capacity" : "ok",
        }),
      );
    },
    makeRule: (parts: Partial<AlertRuleInput>, project = "default") =>
      send(api, "POST", `/api/rules?project=${project}`, anAlertRule(parts)),
    /** Calls that are going to be made: each is sent once its time has come. */
    plan: (events: readonly AttemptEvent[]) => {
      planned.push(...events);
    },
    /** Moves the clock to a minute, sends what was called by then, and runs the job. */
    async run(minute: number, jobs = [job]): Promise<void> {
      api.clock.nowMs = startMs + minute * MINUTE;
      const isDue = ({ occurredAt }: AttemptEvent) => Date.parse(String(occurredAt)) <= api.clock.nowMs;
      const due = planned.filter(isDue);
      planned = planned.filter((event) => !isDue(event));
      if (due.length > 0) await api.post(due);
      await runRollup(api.server.core.jobSql, api.clock.nowMs);
      await Promise.all(jobs.map((one) => one.run(api.clock.nowMs)));
    },
    async runThrough(from: number, to: number, step = 2): Promise<void> {
      for (let minute = from; minute <= to; minute += step) await world.run(minute);
    },
    learn: () => runUsual(api.server.core.jobSql, api.clock.nowMs),
    /** What channels were told since it was asked last. */
    async hear(): Promise<AlertNotice[]> {
      const rows = await sql<{ id: number; notice: AlertNotice }[]>`
        select id::float8 as id, notice from notification where id > ${heard} order by id`;
      heard = rows.at(-1)?.id ?? heard;
      return rows.map(({ notice }) => notice);
    },
  };
  return world;
}
