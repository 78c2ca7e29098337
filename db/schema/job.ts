import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { projectId } from "./project-id.ts";

type Json = Readonly<Record<string, unknown>>;
const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** A project without a foreign key: each row of these would check it. `removeProject` takes them along. */
const plainProjectId = () => integer("project_id").notNull();

/** What of the queue a project decides; one that has no row has the defaults. */
export const jobSetting = pgTable("job_setting", {
  projectId: projectId().primaryKey(),
  storesPayloads: boolean("stores_payloads").notNull(),
  payloadHours: integer("payload_hours").notNull(),
  keptDays: integer("kept_days").notNull(),
  deadKeptDays: integer("dead_kept_days").notNull(),
});

/**
 * What lets jobs go that wait for a good time, for all jobs of a target or chain together: when it opens or shuts, no job
 * is touched.
 */
export const jobGate = pgTable(
  "job_gate",
  {
    projectId: projectId(),
    id: integer("id").generatedAlwaysAsIdentity(),
    /** `window`: opens in good windows. `calm`: for jobs whose latest time is before the next one; opens when it is calm. */
    mode: text("mode", { enum: ["window", "calm"] }).notNull(),
    /** Empty: of a chain. */
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    /** Empty: any. */
    endpoint: text("endpoint").notNull(),
    /** Empty: of a target. */
    chain: text("chain").notNull(),
    /** Of mode, target and chain: the texts are too long for an index. */
    hash: uuid("hash").notNull(),
    isOpen: boolean("is_open").notNull(),
    /** As in `server/contract/job.ts`. */
    reason: text("reason").notNull(),
    sinceAt: moment("since_at").notNull(),
    /** When that is expected to change; `null`: nobody knows. */
    untilAt: moment("until_at"),
    windowFrom: moment("window_from"),
    windowTo: moment("window_to"),
    /** Capacity share expected in it. */
    windowShare: real("window_share"),
    /** Jobs that may still go this minute, where they are let go little by little; `null`: no limit. */
    room: integer("room"),
    perMinute: integer("per_minute"),
    /** Jobs that are to begin before it are ready, whether open or not: else there were too many at the end. */
    drainBefore: moment("drain_before"),
    /** Windows and verdicts of its targets, when and in which zone they were learnt. */
    learnt: jsonb("learnt").$type<Json>(),
    /** Expected capacity share by hour of week (0 = Monday 00:00), of the target with most room: 168 values or none. */
    rates: real("rates").array(),
    /** `null`: the job has not looked at it yet. */
    judgedAt: moment("judged_at"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("job_gate_hash").on(table.projectId, table.hash),
  ],
);

/** When a gate opened or shut, and why: part of the lives of the jobs that waited before it. */
export const jobGateChange = pgTable(
  "job_gate_change",
  {
    projectId: projectId(),
    gateId: integer("gate_id").notNull(),
    at: moment("at").notNull(),
    isOpen: boolean("is_open").notNull(),
    reason: text("reason").notNull(),
    untilAt: moment("until_at"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.gateId, table.at] })],
);

/** What jobs have in common by which they are chosen: leasing takes turns between submitters. Never changed. */
export const jobLane = pgTable(
  "job_lane",
  {
    projectId: projectId(),
    id: integer("id").generatedAlwaysAsIdentity(),
    queue: text("queue").notNull(),
    submitter: text("submitter").notNull(),
    /** 0 high, 1 normal, 2 low. */
    priority: smallint("priority").notNull(),
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    endpoint: text("endpoint").notNull(),
    chain: text("chain").notNull(),
    /** 0: nothing holds its jobs but their own times. */
    gateId: integer("gate_id").notNull(),
    /** Of all of the above. */
    hash: uuid("hash").notNull(),
    /** To the hour. */
    usedAt: moment("used_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("job_lane_hash").on(table.projectId, table.hash),
    index("job_lane_queue").on(table.projectId, table.queue),
  ],
);

/** A job that waits or is being done. Finished ones are in `job_done`, so that this stays as large as what waits. */
export const job = pgTable(
  "job",
  {
    projectId: plainProjectId(),
    id: bigint("id", { mode: "number" }).generatedByDefaultAsIdentity(),
    laneId: integer("lane_id").notNull(),
    key: text("key"),
    keyHash: uuid("key_hash"),
    reference: text("reference"),
    payloadBytes: integer("payload_bytes"),
    /** Channel. */
    notify: integer("notify"),
    submittedAt: moment("submitted_at").notNull(),
    /** The submitter's own time. */
    notBefore: moment("not_before"),
    notAfter: moment("not_after"),
    expectedMs: integer("expected_ms").notNull(),
    /** `not_after` less `expected_ms`: then it is ready whatever its gate says. */
    dueAt: moment("due_at"),
    /** Waits until then, whatever its gate says; `null`: it never had to. Kept when it is over. */
    delayedUntil: moment("delayed_until"),
    delayReason: text("delay_reason", { enum: ["scheduled", "busy", "failed", "stopped"] }),
    maxAttempts: smallint("max_attempts").notNull(),
    leaseCount: integer("lease_count").notNull().default(0),
    failureCount: smallint("failure_count").notNull().default(0),
    busyCount: integer("busy_count").notNull().default(0),
    eventCount: integer("event_count").notNull().default(0),
    /** Of the lease; `null`: nobody has it. */
    token: uuid("token"),
    /** Of the lease that a worker ended last: that worker may say so again. */
    endedToken: uuid("ended_token"),
    worker: text("worker"),
    leasedAt: moment("leased_at"),
    leasedUntil: moment("leased_until"),
    leaseMs: integer("lease_ms"),
    cancelAskedAt: moment("cancel_asked_at"),
    lastError: text("last_error"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    // What waits, in the order in which it is taken. Each job is in one of the first two.
    index("job_fresh")
      .on(table.projectId, table.laneId, table.id)
      .where(sql`${table.token} is null and ${table.delayedUntil} is null`),
    index("job_delayed")
      .on(table.projectId, table.laneId, table.delayedUntil, table.id)
      .where(sql`${table.token} is null and ${table.delayedUntil} is not null`),
    index("job_due")
      .on(table.projectId, table.laneId, table.dueAt, table.id)
      .where(sql`${table.token} is null and ${table.dueAt} is not null`),
    // Few; without the time, so that extending a lease touches no index.
    index("job_leased").on(table.projectId, table.laneId, table.id).where(sql`${table.token} is not null`),
  ],
);

/** A job that is finished, as long as it is kept. Dead ones may be queued again. */
export const jobDone = pgTable(
  "job_done",
  {
    projectId: plainProjectId(),
    id: bigint("id", { mode: "number" }).notNull(),
    laneId: integer("lane_id").notNull(),
    state: text("state", { enum: ["completed", "dead", "cancelled"] }).notNull(),
    finishedAt: moment("finished_at").notNull(),
    result: jsonb("result").$type<Json>(),
    key: text("key"),
    keyHash: uuid("key_hash"),
    reference: text("reference"),
    payloadBytes: integer("payload_bytes"),
    notify: integer("notify"),
    submittedAt: moment("submitted_at").notNull(),
    notBefore: moment("not_before"),
    notAfter: moment("not_after"),
    expectedMs: integer("expected_ms").notNull(),
    maxAttempts: smallint("max_attempts").notNull(),
    leaseCount: integer("lease_count").notNull(),
    failureCount: smallint("failure_count").notNull(),
    busyCount: integer("busy_count").notNull(),
    eventCount: integer("event_count").notNull(),
    /** Of the lease that finished it. */
    endedToken: uuid("ended_token"),
    worker: text("worker"),
    leasedAt: moment("leased_at"),
    lastError: text("last_error"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index("job_done_of_lane").on(table.projectId, table.laneId, table.id),
    index("job_done_finished").on(table.projectId, table.finishedAt),
    index("job_done_dead").on(table.projectId, table.laneId, table.id).where(sql`${table.state} = 'dead'`),
  ],
);

/** Idempotency keys, for as long as their jobs are kept: waiting and finished jobs are in two tables, keys in one. */
export const jobKey = pgTable(
  "job_key",
  {
    projectId: plainProjectId(),
    /** First 16 bytes of SHA-256 of queue and key. */
    hash: uuid("hash").notNull(),
    jobId: bigint("job_id", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.hash] })],
);

/** A submitter's own text, encrypted; gone when its job is done. */
export const jobPayload = pgTable(
  "job_payload",
  {
    projectId: plainProjectId(),
    jobId: bigint("job_id", { mode: "number" }).notNull(),
    /** Of the key that it was encrypted with. */
    keyId: text("key_id").notNull(),
    /** Nonce, cipher text, tag. */
    sealed: bytea("sealed").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.jobId] }),
    index("job_payload_expires").on(table.projectId, table.expiresAt),
  ],
);

/** How leases of a job ended, and what people did to it: its life, with its own times and those of its gate. */
export const jobEvent = pgTable(
  "job_event",
  {
    projectId: plainProjectId(),
    jobId: bigint("job_id", { mode: "number" }).notNull(),
    laneId: integer("lane_id").notNull(),
    /** From 1. Of very long lives the middle is left out. */
    number: integer("number").notNull(),
    at: moment("at").notNull(),
    /** As in `server/contract/job.ts`. */
    kind: text("kind").notNull(),
    worker: text("worker"),
    leasedAt: moment("leased_at"),
    untilAt: moment("until_at"),
    detail: text("detail"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.jobId, table.number] }),
    index("job_event_at").on(table.projectId, table.at),
  ],
);

/** The outbox: finished jobs of which a webhook is to be told. Written in the transaction that finishes them. */
export const jobCallback = pgTable(
  "job_callback",
  {
    projectId: plainProjectId(),
    jobId: bigint("job_id", { mode: "number" }).notNull(),
    channelId: integer("channel_id").notNull(),
    /** Of the message that tells of it, given before its first try: the same at every one. */
    messageId: uuid("message_id"),
    createdAt: moment("created_at").notNull(),
    tryCount: integer("try_count").notNull().default(0),
    nextTryAt: moment("next_try_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.jobId] }),
    index("job_callback_due").on(table.projectId, table.channelId, table.nextTryAt),
  ],
);

/** Workers as they last spoke, noted some seconds late. */
export const jobWorker = pgTable(
  "job_worker",
  {
    projectId: projectId(),
    queue: text("queue").notNull(),
    worker: text("worker").notNull(),
    concurrency: integer("concurrency"),
    lastSeenAt: moment("last_seen_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.queue, table.worker] })],
);
