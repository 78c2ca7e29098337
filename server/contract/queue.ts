import { z } from "zod";
import { share } from "./advice.ts";
import { job, queueName, waitReason } from "./job.ts";
import * as query from "./query.ts";
import { instant } from "./share.ts";

export const queuesQuery = z.object({ ...query.project, queue: queueName });

const counts = {
  ready: z.int().describe("Wait for a worker only."),
  held: z.int().describe("Wait for a good window, or for an episode to end."),
  scheduled: z.int().describe("Wait for their time, or after a failure or for want of room."),
  leased: z.int(),
};

export const gate = z
  .object({
    queue: z.string(),
    target: job.shape.target,
    chain: z.string().nullable(),
    waiting: z.int(),
    isOpen: z.boolean(),
    reason: waitReason,
    since: instant,
    until: instant.nullable().describe("When that is expected to change."),
    window: z
      .object({ from: instant, to: instant, expected: share })
      .nullable()
      .describe("The good window that is open or comes next."),
    perMinute: z.int().nullable().describe("unexpectedCalm: so many are let go a minute; else null."),
    drainBefore: instant
      .nullable()
      .describe("Jobs that are to begin before it are let go now: so many wait that they would be late."),
  })
  .meta({ id: "JobGate" });

export const aheadHour = z
  .object({
    from: instant,
    to: instant,
    jobs: z.object({
      ready: z.int().describe("Free to run already."),
      held: z.int().describe("Let go by a good window in this hour."),
      scheduled: z.int().describe("Their own time comes."),
      due: z.int().describe("Their latest time comes."),
    }),
    expected: share
      .nullable()
      .describe("Capacity share expected of the targets in question; null: not known."),
    isGood: z.boolean().describe("Part of a good window."),
  })
  .meta({ id: "QueueHour" });

export const queueDepth = z
  .object({
    queue: z.string(),
    ...counts,
    oldestAt: instant.nullable().describe("Submission of the oldest that waits."),
    nextDueAt: instant.nullable().describe("Latest time of the most urgent one."),
    lastHour: z.object({
      completed: z.int(),
      dead: z.int(),
      cancelled: z.int(),
      busy: z.int().describe("Put back for want of room."),
      failed: z.int().describe("Failed attempts."),
      lost: z.int().describe("Leases that ran out."),
    }),
    dead: z.int().describe("All that are kept."),
    meanMs: z.number().nullable().describe("Of jobs completed in the last hour; null: none was."),
    workers: z.array(
      z.object({
        worker: z.string(),
        lastSeenAt: instant,
        concurrency: z.int().nullable(),
        leased: z.int(),
      }),
    ),
  })
  .meta({ id: "QueueDepth" });

export const queuesAnswer = z
  .object({
    at: instant.describe("When this was counted; at most 5 s ago."),
    zone: z.string(),
    queues: z.array(queueDepth),
    gates: z.array(gate).describe("What holds jobs that wait for a good window, or lets them go."),
    ahead: z
      .array(aheadHour)
      .length(24)
      .describe(
        "What will run when, as far as is known: from this hour on. Of the queue asked for, else of all.",
      ),
    perHour: z
      .number()
      .nullable()
      .describe("Jobs an hour that its workers can do, which ahead is spread by; null: none is there."),
  })
  .meta({ id: "Queues" });

export const queueSettings = z
  .strictObject({
    storesPayloads: z
      .boolean()
      .describe("Off by default: payloads are the one place where texts of yours are kept."),
    payloadHours: z.int().min(1).max(720).describe("A payload goes when its job is done, and after this."),
    keptDays: z.int().min(1).max(90).describe("Completed and cancelled jobs can be looked up for so long."),
    deadKeptDays: z.int().min(1).max(365),
  })
  .meta({ id: "QueueSettings" });

export type QueuesAnswer = z.infer<typeof queuesAnswer>;
export type QueueDepth = z.infer<typeof queueDepth>;
export type AheadHour = z.infer<typeof aheadHour>;
export type QueueSettings = z.infer<typeof queueSettings>;
