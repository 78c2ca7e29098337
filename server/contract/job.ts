import { z } from "zod";
import { share } from "./advice.ts";
import * as query from "./query.ts";
import { instant } from "./share.ts";

/** What is taken, in one place for contract, docs and errors. */
export const MAX_JOBS_PER_REQUEST = 1_000;
export const MAX_PAYLOAD_BYTES = 256 * 1024;
export const MAX_PAYLOAD_DEPTH = 100;
export const MAX_LEASED_AT_ONCE = 100;
export const MAX_WAIT_SECONDS = 30;
/** A job that was put back may ask for a pause of this at the most. */
export const MAX_PAUSE_MS = 3_600_000;
export const LEASE_MS = { least: 5_000, usual: 60_000, most: 600_000 } as const;
/** Expected of a job of which nothing is said. */
export const USUAL_DURATION_MS = 60_000;

export const plain = z.string().regex(/^\P{Cc}*$/u, "must be without control characters");
export const label = (max: number) => plain.min(1).max(max);

export const jobId = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
export const jobIdParam = z.object({ id: z.coerce.number().pipe(jobId) });

export const PRIORITIES = ["high", "normal", "low"] as const;
export const priority = z.enum(PRIORITIES);

/** Live states first; `held`, `scheduled` and `ready` are `waiting` seen from closer. */
export const JOB_STATES = ["waiting", "leased", "completed", "dead", "cancelled"] as const;
export const jobState = z.enum(JOB_STATES);

/**
 * Why a job waits. Of its own: `ready` (for a worker), `scheduled` (for its time), `busy` (it was put back, there was no
 * room), `failed` (for its next attempt), `due` (its latest time comes: it runs whatever the hour). Of its gate: the rest.
 */
export const WAIT_REASONS = [
  "ready",
  "scheduled",
  "busy",
  "failed",
  "due",
  "notJudged",
  "beforeWindow",
  "inWindow",
  "episode",
  "short",
  "unexpectedCalm",
  "noBetterHour",
  "nothingLearnt",
  "noPattern",
  "noTarget",
  "calm",
  "mustDrain",
] as const;
export const waitReason = z.enum(WAIT_REASONS);

export const when = z
  .union([z.enum(["now", "offPeak"]), instant])
  .describe(
    "now; offPeak: the next good window of the target, or of any target of the chain; or a time, and not before.",
  );

export const target = z
  .strictObject({
    provider: label(200),
    model: label(200),
    endpoint: plain.max(200).optional().describe("Any when left out."),
  })
  .meta({ id: "JobTarget" });

/** A result is what one finds the outcome by, never the outcome itself. */
export const jobResult = z
  .strictObject({
    reference: label(500).optional().describe("Where the outcome is."),
    summary: plain.max(1_000).optional().describe("A line for people."),
  })
  .meta({ id: "JobResult" });

const wait = z
  .object({
    reason: waitReason,
    since: instant.nullable().describe("Since when it is so; null: since it was submitted."),
    until: instant.nullable().describe("When that is expected to change; null: nobody knows."),
    expected: share.nullable().describe("Capacity share expected in the window that it waits for."),
  })
  .meta({ id: "JobWait" });

const jobShape = {
  id: jobId,
  state: jobState,
  wait: wait.nullable().describe("Why it waits; null unless waiting."),
  queue: z.string(),
  submitter: z.string(),
  priority,
  key: z.string().nullable(),
  reference: z.string().nullable(),
  when,
  notAfter: instant.nullable(),
  expectedMs: z.int(),
  target: z.object({ provider: z.string(), model: z.string(), endpoint: z.string().nullable() }).nullable(),
  chain: z.string().nullable(),
  payloadBytes: z.int().nullable().describe("null: none is stored, or not any more."),
  submittedAt: instant,
  attempts: z.int().describe("Times that it was leased."),
  failures: z.int().describe("Of these, the ones that count against maxAttempts."),
  busy: z.int().describe("Of these, the ones that found no room."),
  maxAttempts: z.int(),
  worker: z.string().nullable().describe("Who has it, or had it last."),
  leasedAt: instant.nullable(),
  leasedUntil: instant.nullable().describe("null: nobody has it."),
  isCancelAsked: z.boolean().describe("The worker is told at its next extend."),
  finishedAt: instant.nullable(),
  result: jobResult.nullable(),
  error: z.string().nullable().describe("Of the last failure, cut and scrubbed."),
  notify: z.int().nullable(),
};

export const job = z.object(jobShape).meta({ id: "Job" });

export const LIFE_KINDS = [
  "queued",
  "held",
  "letGo",
  "leased",
  "busy",
  "failed",
  "lost",
  "stopped",
  "retried",
  "cancelAsked",
  "completed",
  "dead",
  "cancelled",
] as const;

export const lifeEvent = z
  .object({
    at: instant,
    is: z.enum(LIFE_KINDS),
    reason: waitReason.nullable().describe("Of held and letGo."),
    until: instant.nullable().describe("Until when it was put back, or held as far as was known."),
    worker: z.string().nullable(),
    since: instant.nullable().describe("When the lease began that this ended."),
    detail: z.string().nullable().describe("The worker's words, or who asked for it."),
  })
  .meta({ id: "JobLifeEvent" });

export const jobWithLife = job
  .extend({
    life: z
      .array(lifeEvent)
      .describe("Oldest first. Of very long lives the first ten events and the last forty."),
  })
  .meta({ id: "JobWithLife" });

export const queueName = label(100).optional();

export const jobsQuery = z.object({
  ...query.project,
  queue: queueName,
  state: z
    .enum([...JOB_STATES, "finished", "live"])
    .optional()
    .describe("One state; live: waiting or leased; finished: the others. All when left out."),
  submitter: label(100).optional(),
  key: label(200).optional().describe("The job of this idempotency key in the queue, else in `default`."),
  limit: z.coerce.number().int().min(1).max(500).default(100),
  cursor: z.string().max(200).optional().describe("`next` of the page before."),
});

export const jobsAnswer = z.object({ jobs: z.array(job), next: z.string().nullable() }).meta({ id: "Jobs" });

export const jobQuery = z.object({
  ...query.project,
  wait: z.coerce
    .number()
    .int()
    .min(0)
    .max(MAX_WAIT_SECONDS)
    .default(0)
    .describe("Seconds to wait for it to be finished before it is answered as it is."),
});

export type Job = z.infer<typeof job>;
export type JobWithLife = z.infer<typeof jobWithLife>;
export type JobState = z.infer<typeof jobState>;
export type JobResult = z.infer<typeof jobResult>;
export type LifeEvent = z.infer<typeof lifeEvent>;
export type WaitReason = z.infer<typeof waitReason>;
export type Priority = z.infer<typeof priority>;
