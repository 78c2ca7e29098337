import { bigint, boolean, integer, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

const sum = (name: string) => bigint(name, { mode: "number" }).notNull();

/** Addable numbers only: percentages and percentiles are made of them when asked for. */
const attemptSums = () => ({
  projectId: integer("project_id").notNull(),
  seriesId: integer("series_id").notNull(),
  /** Start of the bucket, aligned to the epoch in UTC. */
  bucketStart: moment("bucket_start").notNull(),
  outcome: smallint("outcome").notNull(),
  attemptCount: integer("attempt_count").notNull(),
  /** Requests that ended with this outcome. */
  finalCount: integer("final_count").notNull(),
  /** Of these, the ones that ended at a later target of their chain. */
  degradedCount: integer("degraded_count").notNull(),
  /** Attempts that were not the first of their request. */
  retryCount: integer("retry_count").notNull(),
  latencyMsSum: sum("latency_ms_sum"),
  inputTokensSum: sum("input_tokens_sum"),
  outputTokensSum: sum("output_tokens_sum"),
});

/** A histogram with logarithmic bins as two arrays of equal length; merging adds the counts of equal bins. */
const latencyHistogram = () => ({
  projectId: integer("project_id").notNull(),
  seriesId: integer("series_id").notNull(),
  bucketStart: moment("bucket_start").notNull(),
  /** 0 latency, 1 time to first token. */
  measure: smallint("measure").notNull(),
  outcome: smallint("outcome").notNull(),
  bins: smallint("bins").array().notNull(),
  counts: integer("counts").array().notNull(),
});

export const attemptRollup1m = pgTable("attempt_rollup_1m", attemptSums(), (table) => [
  primaryKey({ columns: [table.projectId, table.seriesId, table.bucketStart, table.outcome] }),
]);
export const attemptRollup15m = pgTable("attempt_rollup_15m", attemptSums(), (table) => [
  primaryKey({ columns: [table.projectId, table.seriesId, table.bucketStart, table.outcome] }),
]);
export const attemptRollup1h = pgTable("attempt_rollup_1h", attemptSums(), (table) => [
  primaryKey({ columns: [table.projectId, table.seriesId, table.bucketStart, table.outcome] }),
]);
export const attemptRollup1d = pgTable("attempt_rollup_1d", attemptSums(), (table) => [
  primaryKey({ columns: [table.projectId, table.seriesId, table.bucketStart, table.outcome] }),
]);

/**
 * Only what the capacity share needs of a series and quarter-hour, all outcomes in one row. It says nothing that
 * `attempt_rollup_15m` does not, but a heatmap over months reads a row where it would read one per outcome.
 */
export const capacityRollup15m = pgTable(
  "capacity_rollup_15m",
  {
    projectId: integer("project_id").notNull(),
    seriesId: integer("series_id").notNull(),
    bucketStart: moment("bucket_start").notNull(),
    /** Attempts in the denominator of the capacity share; a bucket without any has no row. */
    countedAttempts: integer("counted_attempts").notNull(),
    capacityAttempts: integer("capacity_attempts").notNull(),
    /** The same of requests, by the outcome of their last attempt. */
    countedRequests: integer("counted_requests").notNull(),
    capacityRequests: integer("capacity_requests").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.seriesId, table.bucketStart] })],
);

export const latencyRollup1m = pgTable("latency_rollup_1m", latencyHistogram(), (table) => [
  primaryKey({
    columns: [table.projectId, table.seriesId, table.bucketStart, table.measure, table.outcome],
  }),
]);
export const latencyRollup15m = pgTable("latency_rollup_15m", latencyHistogram(), (table) => [
  primaryKey({
    columns: [table.projectId, table.seriesId, table.bucketStart, table.measure, table.outcome],
  }),
]);
export const latencyRollup1h = pgTable("latency_rollup_1h", latencyHistogram(), (table) => [
  primaryKey({
    columns: [table.projectId, table.seriesId, table.bucketStart, table.measure, table.outcome],
  }),
]);
export const latencyRollup1d = pgTable("latency_rollup_1d", latencyHistogram(), (table) => [
  primaryKey({
    columns: [table.projectId, table.seriesId, table.bucketStart, table.measure, table.outcome],
  }),
]);

/** UTC days whose 1-day rollup is behind their 15-minute rollup: readers take the latter for these. */
export const unsettledDay = pgTable(
  "unsettled_day",
  {
    projectId: integer("project_id").notNull(),
    day: moment("day").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.day] })],
);

/** Which range and zone the project's `hour_profile` was made of; stale once a bucket changed that it or advice looks at. */
export const hourProfileRun = pgTable("hour_profile_run", {
  projectId: integer("project_id").primaryKey(),
  timeZone: text("time_zone").notNull(),
  rangeFrom: moment("range_from").notNull(),
  rangeTo: moment("range_to").notNull(),
  isStale: boolean("is_stale").notNull(),
  /** Counts how often it was made: what was worked out of an earlier one no longer holds. */
  version: integer("version").notNull().default(1),
  computedAt: moment("computed_at").notNull(),
});

/** Attempts and requests by hour of week (0 = Monday 00:00 in the run's zone) and outcome. */
export const hourProfile = pgTable(
  "hour_profile",
  {
    projectId: integer("project_id").notNull(),
    seriesId: integer("series_id").notNull(),
    hourOfWeek: smallint("hour_of_week").notNull(),
    outcome: smallint("outcome").notNull(),
    attemptCount: integer("attempt_count").notNull(),
    finalCount: integer("final_count").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.seriesId, table.hourOfWeek, table.outcome] })],
);
