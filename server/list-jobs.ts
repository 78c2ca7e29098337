import { createExplain } from "./alerts/explain.ts";
import { createAlertJob } from "./alerts/job.ts";
import { runUsual } from "./alerts/usual-job.ts";
import { runProfiles } from "./capacity/profile-job.ts";
import type { Deliveries } from "./channels/job.ts";
import { enqueueNotice } from "./channels/outbox.ts";
import { createTrickle } from "./demo/sample.ts";
import { createEpisodeJobs } from "./episodes/job.ts";
import type { Job } from "./jobs/schedule.ts";
import { findVersion } from "./plans/plans.ts";
import { createQueueJobs } from "./queue/job.ts";
import { runReports } from "./reports/job.ts";
import { runUpkeep } from "./retention/upkeep.ts";
import { runRollup } from "./rollup/job.ts";
import type { ServerOptions, ServerParts } from "./server-parts.ts";

interface JobParts extends Pick<ServerParts, "core" | "sampleDeps" | "kept" | "net" | "queue"> {
  readonly deliveries: Deliveries;
}

/** What the clock starts, on servers that run jobs. */
export function listJobs(
  { core, sampleDeps, kept, deliveries, net, queue }: JobParts,
  { settings, now, log }: ServerOptions,
): Job[] {
  const { jobSql } = core;
  const { rawRetentionDays } = settings;
  const episodes = createEpisodeJobs(jobSql);
  const alerts = createAlertJob({
    sql: jobSql,
    enqueueNotice,
    explain: createExplain({ sql: core.readSql, kept, log: log.child({ job: "alerts" }) }),
  });
  const queueJobs = createQueueJobs({
    queue,
    gates: {
      sql: jobSql,
      readSql: core.readSql,
      kept,
      findPlan: (projectId, version) => findVersion(core.db, projectId, version),
    },
    callbacks: {
      sql: jobSql,
      secrets: core.secrets,
      net,
      now,
      random: Math.random,
      log: log.child({ job: "callbacks" }),
    },
  });
  const trickle = createTrickle(sampleDeps, now());
  return [
    { name: "rollup", cron: "*/10 * * * * *", everyMs: 10_000, run: (nowMs) => runRollup(jobSql, nowMs) },
    // Looks every minute, works once an hour, and when late events changed an hour that it had counted.
    { name: "profiles", cron: "5 * * * * *", everyMs: 60_000, run: (nowMs) => runProfiles(jobSql, nowMs) },
    // After the profiles, on whose version its answers stand.
    { name: "advice", cron: "20 * * * * *", everyMs: 60_000, run: (nowMs) => kept.refresh(nowMs) },
    { name: "episodes", cron: "35 * * * * *", everyMs: 60_000, run: (nowMs) => episodes.runLive(nowMs) },
    { name: "alerts", cron: "13,43 * * * * *", everyMs: 30_000, run: (nowMs) => alerts.run(nowMs) },
    // Looks every minute, works once an hour, and when rules changed.
    { name: "usual", cron: "8 * * * * *", everyMs: 60_000, run: (nowMs) => runUsual(jobSql, nowMs) },
    // Works after the first midnight UTC that it has not seen, and when calls of a day turned up that it had seen.
    {
      name: "episodes in hindsight",
      cron: "50 */5 * * * *",
      everyMs: 300_000,
      run: (nowMs) => episodes.runNightly(nowMs),
    },
    {
      name: "upkeep",
      cron: "20 7 * * * *",
      everyMs: 3_600_000,
      run: (nowMs) => runUpkeep(jobSql, nowMs, rawRetentionDays),
    },
    // Looks every ten minutes, works once a week for each project.
    {
      name: "reports",
      cron: "40 */10 * * * *",
      everyMs: 600_000,
      run: (nowMs) => runReports(jobSql, enqueueNotice, nowMs),
    },
    { name: "deliveries", cron: "*/3 * * * * *", everyMs: 3_000, run: (nowMs) => deliveries.run(nowMs) },
    ...queueJobs,
    { name: "trickle", cron: "*/10 * * * * *", everyMs: 10_000, run: (nowMs) => trickle(nowMs) },
  ];
}
