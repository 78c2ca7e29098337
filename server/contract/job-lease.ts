import { z } from "zod";
import {
  job,
  jobId,
  jobResult,
  jobState,
  LEASE_MS,
  label,
  MAX_LEASED_AT_ONCE,
  MAX_PAUSE_MS,
  MAX_WAIT_SECONDS,
} from "./job.ts";
import { instant } from "./share.ts";

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

export type LeaseRequest = z.output<typeof leaseRequest>;
export type LeasedJob = z.infer<typeof leasedJob>;
export type LeasedJobs = z.infer<typeof leasedJobs>;
export type ExtendRequest = z.output<typeof extendRequest>;
export type ExtendedLeases = z.infer<typeof extendedLeases>;
export type FailRequest = z.output<typeof failRequest>;
export type ReleaseRequest = z.output<typeof releaseRequest>;
export type SettledJob = z.infer<typeof settledJob>;
