import { z } from "zod";
import { jobId, label, MAX_JOBS_PER_REQUEST, priority, target, USUAL_DURATION_MS, when } from "./job.ts";
import { instant } from "./share.ts";

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

export type NewJob = z.output<typeof newJob>;
export type NewJobs = z.output<typeof newJobs>;
export type SubmittedJobs = z.infer<typeof submittedJobs>;
export type JobChoice = z.output<typeof jobChoice>;
