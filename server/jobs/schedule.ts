import { randomUUID } from "node:crypto";
import cron, { type ScheduledTask } from "node-cron";
import type { Logger } from "pino";
import type { Sql } from "../../db/connect.ts";
import { isDatabaseAway } from "../ingest/failure.ts";
import { releaseLeases, takeLease } from "./lease.ts";

/** Work that the clock starts. Pure in its clock, harmless when run twice. */
export interface Job {
  readonly name: string;
  /** Cron expression with seconds. */
  readonly cron: string;
  /** Longest time between two runs: a server that is silent for twice as long has lost the job. */
  readonly everyMs: number;
  readonly run: (nowMs: number) => Promise<unknown>;
}

export interface Scheduler {
  /** Runs a job once no nudge has come for a moment, without waiting for its clock. */
  nudge(name: string): void;
  /** Stops the clocks and waits for what is running. */
  stop(): Promise<void>;
}

const NUDGE_DELAY_MS = 300;
const NUDGE_EVERY_MS = 2_000;

/** Starts the jobs, each on one server at a time and never twice at once on this one. */
export function startJobs(
  sql: Sql,
  jobs: readonly Job[],
  { now, log }: { now: () => number; log: Logger },
): Scheduler {
  const holder = randomUUID();
  const running = new Map<string, Promise<void>>();
  const lastRunMs = new Map<string, number>();
  const nudges = new Map<string, NodeJS.Timeout>();
  let isStopped = false;

  async function runOnce(job: Job): Promise<void> {
    if (isStopped || running.has(job.name)) return;
    const run = runLeased(job);
    running.set(job.name, run);
    await run.finally(() => running.delete(job.name));
  }

  async function runLeased(job: Job): Promise<void> {
    const jobLog = log.child({ job: job.name });
    try {
      if (!(await takeLease(sql, job.name, holder, 2 * job.everyMs))) return;
      lastRunMs.set(job.name, now());
      await job.run(now());
    } catch (error) {
      if (isDatabaseAway(error)) jobLog.warn("the database is away; the next run catches up");
      else jobLog.error({ err: error }, "job failed; the next run tries again");
    }
  }

  const tasks: ScheduledTask[] = jobs.map((job) =>
    cron.schedule(job.cron, () => runOnce(job), {
      name: job.name,
      timezone: "UTC",
      noOverlap: true,
      suppressMissedWarning: true,
    }),
  );

  return {
    nudge(name) {
      const job = jobs.find((one) => one.name === name);
      if (job === undefined || isStopped) return;
      // While nudges keep coming the job's own clock is enough: it must not take the machine from those who nudge.
      clearTimeout(nudges.get(name));
      const sinceMs = now() - (lastRunMs.get(name) ?? Number.NEGATIVE_INFINITY);
      const delayMs = Math.max(NUDGE_DELAY_MS, NUDGE_EVERY_MS - Math.max(0, sinceMs));
      const timer = setTimeout(() => {
        nudges.delete(name);
        void runOnce(job);
      }, delayMs);
      timer.unref();
      nudges.set(name, timer);
    },
    async stop() {
      isStopped = true;
      for (const timer of nudges.values()) clearTimeout(timer);
      await Promise.all(tasks.map((task) => task.destroy()));
      await Promise.all(running.values());
      await releaseLeases(sql, holder).catch(() => {});
    },
  };
}
