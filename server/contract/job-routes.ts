import { forAdmins, forReaders } from "./callers.ts";
import * as job from "./job.ts";
import * as lease from "./job-lease.ts";
import * as submission from "./job-submission.ts";
import * as query from "./query.ts";
import * as queue from "./queue.ts";
import { defineRoute, type RouteContract } from "./route.ts";

/** Whoever hands work over. */
const forSubmitters = { of: "project", keys: ["ingest", "admin"], scope: "jobs", role: "editor" } as const;
/** Whoever looks after it. */
const forLookers = {
  of: "project",
  keys: ["ingest", "read", "admin"],
  scope: "jobs",
  role: "viewer",
} as const;
/** Whoever does it: payloads are shown to nobody else, and a browser has no business here. */
const forWorkers = { of: "project", keys: ["ingest", "admin"], scope: "work", role: null } as const;

export const postJobs = defineRoute({
  method: "post",
  path: "/v1/jobs",
  summary: "Hand over work that can wait: up to 1,000 jobs, all of them or, with a fault in one, none.",
  access: forSubmitters,
  audit: [],
  query: query.projectQuery,
  body: { kind: "raw", mediaTypes: ["application/json"], schema: submission.newJobs },
  answer: {
    status: 201,
    description: "Committed. Their numbers, in order.",
    schema: submission.submittedJobs,
  },
});

export const getJobs = defineRoute({
  method: "get",
  path: "/v1/jobs",
  summary: "Jobs, newest first, in pages; finished ones as long as they are kept.",
  access: forLookers,
  query: job.jobsQuery,
  answer: { status: 200, description: "A page.", schema: job.jobsAnswer },
});

export const getJob = defineRoute({
  method: "get",
  path: "/v1/jobs/:id",
  summary: "One job with its life; with wait, once it is finished.",
  access: forLookers,
  params: job.jobIdParam,
  query: job.jobQuery,
  answer: { status: 200, description: "The job.", schema: job.jobWithLife },
});

export const postJobCancellations = defineRoute({
  method: "post",
  path: "/v1/jobs/cancel",
  summary: "Cancel jobs that wait; workers of others are told at their next extend.",
  access: forSubmitters,
  audit: ["jobs.cancelled"],
  query: query.projectQuery,
  body: { kind: "json", schema: submission.jobChoice },
  answer: { status: 200, description: "How many.", schema: submission.cancelledJobs },
});

export const postJobRetries = defineRoute({
  method: "post",
  path: "/v1/jobs/retry",
  summary: "Queue dead jobs again, with all of their attempts.",
  access: forSubmitters,
  audit: ["jobs.retried"],
  query: query.projectQuery,
  body: { kind: "json", schema: submission.jobChoice },
  answer: { status: 200, description: "How many.", schema: submission.retriedJobs },
});

export const postJobLeases = defineRoute({
  method: "post",
  path: "/v1/jobs/lease",
  summary: "Take jobs that are ready, for a while; with wait, as soon as there are some.",
  access: forWorkers,
  audit: [],
  query: query.projectQuery,
  body: { kind: "json", schema: lease.leaseRequest },
  answer: { status: 200, description: "The jobs; none where nothing is ready.", schema: lease.leasedJobs },
});

export const postJobExtensions = defineRoute({
  method: "post",
  path: "/v1/jobs/extend",
  summary: "Keep leases for longer, and hear which are lost or to be cancelled.",
  access: forWorkers,
  audit: [],
  query: query.projectQuery,
  body: { kind: "json", schema: lease.extendRequest },
  answer: { status: 200, description: "Each lease.", schema: lease.extendedLeases },
});

export const postJobCompletion = defineRoute({
  method: "post",
  path: "/v1/jobs/:id/complete",
  summary: "It is done. Sent again with the same token, it is answered the same.",
  access: forWorkers,
  audit: [],
  params: job.jobIdParam,
  query: query.projectQuery,
  body: { kind: "json", schema: lease.completeRequest },
  answer: { status: 200, description: "Noted, once.", schema: lease.settledJob },
});

export const postJobFailure = defineRoute({
  method: "post",
  path: "/v1/jobs/:id/fail",
  summary: "The attempt failed: another one follows, or the job is dead.",
  access: forWorkers,
  audit: [],
  params: job.jobIdParam,
  query: query.projectQuery,
  body: { kind: "json", schema: lease.failRequest },
  answer: { status: 200, description: "Noted, once.", schema: lease.settledJob },
});

export const postJobRelease = defineRoute({
  method: "post",
  path: "/v1/jobs/:id/release",
  summary: "Put it back without a failure: there was no room, or the worker stops.",
  access: forWorkers,
  audit: [],
  params: job.jobIdParam,
  query: query.projectQuery,
  body: { kind: "json", schema: lease.releaseRequest },
  answer: { status: 200, description: "Noted, once.", schema: lease.settledJob },
});

export const getQueues = defineRoute({
  method: "get",
  path: "/api/queues",
  summary: "How much waits and why, and what will run when in the coming 24 hours.",
  access: forReaders,
  query: queue.queuesQuery,
  answer: { status: 200, description: "The queues.", schema: queue.queuesAnswer },
});

export const getQueueSettings = defineRoute({
  method: "get",
  path: "/api/queues/settings",
  summary: "Whether payloads are stored, and how long things are kept.",
  access: forReaders,
  query: query.projectQuery,
  answer: { status: 200, description: "The settings.", schema: queue.queueSettings },
});

export const putQueueSettings = defineRoute({
  method: "put",
  path: "/api/queues/settings",
  summary: "Change these. Payloads that are stored go at once where they are switched off.",
  access: forAdmins,
  audit: ["queue.changed"],
  query: query.projectQuery,
  body: { kind: "json", schema: queue.queueSettings },
  answer: { status: 200, description: "The settings as they are now.", schema: queue.queueSettings },
});

/** Work that can wait, and who does it. */
export const JOB_ROUTES: readonly RouteContract[] = [
  postJobs,
  getJobs,
  getJob,
  postJobCancellations,
  postJobRetries,
  postJobLeases,
  postJobExtensions,
  postJobCompletion,
  postJobFailure,
  postJobRelease,
  getQueues,
  getQueueSettings,
  putQueueSettings,
];
