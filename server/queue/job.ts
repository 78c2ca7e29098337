import type { Job } from "../jobs/schedule.ts";
import { type CallbackDeps, runCallbacks } from "./callbacks.ts";
import { type GateDeps, judgeGates } from "./judge-gates.ts";
import type { Queue } from "./queue.ts";
import { createSweep } from "./sweep.ts";
import { runQueueUpkeep } from "./upkeep.ts";

export interface QueueJobDeps {
  readonly queue: Queue;
  readonly gates: Omit<GateDeps, "onChanged">;
  readonly callbacks: CallbackDeps;
}

/** What the clock starts for the queue. */
export function createQueueJobs({ queue, gates, callbacks }: QueueJobDeps): Job[] {
  const sweep = createSweep(queue);
  const gateDeps: GateDeps = { ...gates, onChanged: (projectId) => queue.leases.notice(projectId) };
  return [
    { name: "leases", cron: "*/5 * * * * *", everyMs: 5_000, run: (nowMs) => sweep.run(nowMs) },
    // After the episodes and the advice of the minute, on which it stands.
    { name: "gates", cron: "45 * * * * *", everyMs: 60_000, run: (nowMs) => judgeGates(gateDeps, nowMs) },
    {
      name: "callbacks",
      cron: "*/3 * * * * *",
      everyMs: 3_000,
      run: (nowMs) => runCallbacks(callbacks, nowMs),
    },
    {
      name: "queue upkeep",
      cron: "27 */10 * * * *",
      everyMs: 600_000,
      run: (nowMs) => runQueueUpkeep(queue.sql, nowMs),
    },
  ];
}
