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

const plain = z.string().regex(/^\P{Cc}*$/u, "must be without control characters");
const label = (max: number) => plain.min(1).max(max);

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

const when = z
  .union([z.enum(["now", "offPeak"]), instant])
  .describe(
    "now; offPeak: the next good window of the target, or of any target of the chain; or a time, and not before.",
  );

const target = z
  .strictObject({
    provider: label(200),
    model: label(200),
    endpoint: plain.max(200).optional().describe("Any when left out."),
  })
  .meta({ id: "JobTarget" });

const jobFields = {
  queue: label(100).default("default").describe("Workers take jobs of one queue."),
  submitter: label(100)
    .optional()
    .describe("On whose behalf: submitters get turns. The name of the key or the person when left out."),
  when: when.default("now"),
  notAfter: instant
    .optional()
    .describe("By then it should be done: early enough before it the job is ready whatever the hour."),
  expectedMs: z
    .int()
    .min(1)
    .max(86_400_000)
    .default(USUAL_DURATION_MS)
    .describe("How long it takes: so long before notAfter it is ready."),
  target: target.optional().describe("Whom it will call. offPeak wants this or chain."),
  chain: label(100).optional().describe("Chain of the plan whose targets it may call."),
  priority: priority.default("normal").describe("Among jobs of one submitter."),
  maxAttempts: z.int().min(1).max(20).default(5).describe("After so many failures it is dead."),
  notify: z
    .int()
    .min(1)
    .max(2_147_483_647)
    .optional()
    .describe("Number of a webhook channel that is told when it is finished."),
};

export const newJob = z
  .strictObject({
    key: label(200)
      .optional()
      .describe("Idempotency key, unique in the queue: who submits it again gets the job that is there."),
    reference: label(500).optional().describe("What the worker finds its work by. Always taken."),
    payload: z
      .unknown()
      .optional()
      .describe(
        "Any JSON of at most 256 kB, nested at most 100 deep; taken where the project stores payloads, which is off by default.",
      ),
    ...jobFields,
  })
  .meta({ id: "NewJob" });

/** Fields that all jobs of a request have in common; each may have its own. */
export const jobDefaults = z
  .strictObject({
    queue: jobFields.queue.unwrap().optional(),
    submitter: jobFields.submitter,
    when: when.optional(),
    notAfter: jobFields.notAfter,
    expectedMs: jobFields.expectedMs.unwrap().optional(),
    target: jobFields.target,
    chain: jobFields.chain,
    priority: priority.optional(),
    maxAttempts: jobFields.maxAttempts.unwrap().optional(),
    notify: jobFields.notify,
  })
  .meta({ id: "JobDefaults" });

export const newJobs = z
  .strictObject({
    defaults: jobDefaults.optional(),
    jobs: z.array(newJob).min(1).max(MAX_JOBS_PER_REQUEST),
  })
  .meta({ id: "NewJobs" });

export const submittedJobs = z
  .object({
    jobs: z
      .array(
        z.object({
          id: jobId,
          key: z.string().nullable(),
          isNew: z.boolean().describe("false: a job of this key was there, and nothing was changed."),
        }),
      )
      .describe("In the order in which they came."),
  })
  .meta({ id: "SubmittedJobs" });

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

const queueName = label(100).optional();

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

/** Which jobs a request of people is about. */
export const jobChoice = z
  .strictObject({
    ids: z.array(jobId).min(1).max(1_000).optional(),
    queue: label(100).optional(),
    submitter: label(100).optional(),
  })
  .refine(
    ({ ids, queue, submitter }) => ids !== undefined || queue !== undefined || submitter !== undefined,
    {
      error: "name ids, a queue or a submitter",
    },
  )
  .meta({ id: "JobChoice" });

export const cancelledJobs = z
  .object({
    cancelled: z.int().describe("They are cancelled."),
    asked: z.int().describe("Workers have them, who are told at their next extend."),
    untouched: z.int().describe("Of ids: finished already, or not the project's."),
    isMore: z.boolean().describe("Of a queue or submitter 10,000 at a time are cancelled: call again."),
  })
  .meta({ id: "CancelledJobs" });

export const retriedJobs = z
  .object({
    retried: z.int(),
    untouched: z.int().describe("Of ids: not dead, or not the project's."),
    isMore: z.boolean(),
  })
  .meta({ id: "RetriedJobs" });

/** ---- Workers ---- */

const workerName = label(100).describe("Its name: it stands in the lives of its jobs.");
const token = z.uuid().describe("Of the lease.");
const leaseMs = z
  .int()
  .min(LEASE_MS.least)
  .max(LEASE_MS.most)
  .default(LEASE_MS.usual)
  .describe("So long it is the worker's, unless it extends it.");

export const leaseRequest = z
  .strictObject({
    queue: label(100).default("default"),
    worker: workerName,
    limit: z.int().min(1).max(MAX_LEASED_AT_ONCE).default(1),
    leaseMs,
    concurrency: z
      .int()
      .min(1)
      .max(10_000)
      .optional()
      .describe("Jobs that it runs at once at the most; tells how fast a queue can be emptied."),
    wait: z.int().min(0).max(MAX_WAIT_SECONDS).default(0).describe("Seconds to wait while nothing is ready."),
  })
  .meta({ id: "LeaseRequest" });

export const leasedJob = z
  .object({
    id: jobId,
    token,
    leasedUntil: instant,
    queue: z.string(),
    submitter: z.string(),
    idempotencyKey: z
      .string()
      .describe(
        "The same at every attempt: hand it to what must not happen twice. The submitter's key, else of the id.",
      ),
    reference: z.string().nullable(),
    payload: z.unknown().optional().describe("As it was submitted; absent: there was none."),
    target: job.shape.target,
    chain: z.string().nullable(),
    attempt: z.int().describe("1 for the first."),
    failures: z.int(),
    maxAttempts: z.int(),
    notAfter: instant.nullable(),
    expectedMs: z.int(),
    isDue: z.boolean().describe("It runs because its latest time comes, whatever the hour."),
    submittedAt: instant,
  })
  .meta({ id: "LeasedJob" });

export const leasedJobs = z
  .object({
    jobs: z.array(leasedJob),
    now: instant.describe("The server's clock, which leases are counted by."),
    nextAt: instant
      .nullable()
      .describe("Without jobs: when something is expected to be ready; null: nobody knows."),
  })
  .meta({ id: "LeasedJobs" });

export const extendRequest = z
  .strictObject({
    worker: workerName,
    leaseMs,
    leases: z
      .array(z.strictObject({ id: jobId, token }))
      .min(1)
      .max(500),
  })
  .meta({ id: "ExtendRequest" });

export const extendedLeases = z
  .object({
    now: instant,
    leases: z
      .array(
        z.object({
          id: jobId,
          is: z
            .enum(["held", "cancel", "lost"])
            .describe("cancel: held, but stop, and release or fail it. lost: somebody else may have it."),
          leasedUntil: instant.nullable(),
        }),
      )
      .describe("In the order of the request."),
  })
  .meta({ id: "ExtendedLeases" });

export const completeRequest = z
  .strictObject({ token, result: jobResult.optional() })
  .meta({ id: "CompleteRequest" });

export const failRequest = z
  .strictObject({
    token,
    error: z.string().max(2_000).default("").describe("Why; kept cut to 300 characters and scrubbed."),
    isFinal: z.boolean().default(false).describe("Another attempt would fail as well: it is dead at once."),
    delayMs: z
      .int()
      .min(0)
      .max(MAX_PAUSE_MS)
      .optional()
      .describe("Before the next attempt; 10 s, doubled with each failure up to 15 min, when left out."),
  })
  .meta({ id: "FailRequest" });

export const releaseRequest = z
  .strictObject({
    token,
    reason: z
      .enum(["busy", "stopped"])
      .default("busy")
      .describe("busy: there was no room. stopped: the worker stops. Neither counts as a failure."),
    delayMs: z
      .int()
      .min(0)
      .max(MAX_PAUSE_MS)
      .optional()
      .describe("Not before; when left out 15 s for busy, doubled up to 5 min, and 0 for stopped."),
    error: z.string().max(2_000).default("").describe("What was answered; kept cut and scrubbed."),
  })
  .meta({ id: "ReleaseRequest" });

export const settledJob = z
  .object({
    id: jobId,
    state: jobState,
    readyAt: instant.nullable().describe("Where it waits again: not before; null: it is finished."),
  })
  .meta({ id: "SettledJob" });

/** ---- Depth, and settings ---- */

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

export type NewJob = z.output<typeof newJob>;
export type NewJobs = z.output<typeof newJobs>;
export type SubmittedJobs = z.infer<typeof submittedJobs>;
export type Job = z.infer<typeof job>;
export type JobWithLife = z.infer<typeof jobWithLife>;
export type JobState = z.infer<typeof jobState>;
export type JobResult = z.infer<typeof jobResult>;
export type LifeEvent = z.infer<typeof lifeEvent>;
export type WaitReason = z.infer<typeof waitReason>;
export type Priority = z.infer<typeof priority>;
export type LeaseRequest = z.output<typeof leaseRequest>;
export type LeasedJob = z.infer<typeof leasedJob>;
export type LeasedJobs = z.infer<typeof leasedJobs>;
export type ExtendRequest = z.output<typeof extendRequest>;
export type ExtendedLeases = z.infer<typeof extendedLeases>;
export type FailRequest = z.output<typeof failRequest>;
export type ReleaseRequest = z.output<typeof releaseRequest>;
export type SettledJob = z.infer<typeof settledJob>;
export type QueuesAnswer = z.infer<typeof queuesAnswer>;
export type QueueDepth = z.infer<typeof queueDepth>;
export type AheadHour = z.infer<typeof aheadHour>;
export type QueueSettings = z.infer<typeof queueSettings>;
export type JobChoice = z.output<typeof jobChoice>;
