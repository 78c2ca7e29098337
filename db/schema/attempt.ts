import {
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

/**
 * One stream of attempts. Raw rows and rollups carry its id instead of six texts.
 * An absent part is the empty string, so that the unique key sees it.
 */
export const series = pgTable(
  "series",
  {
    projectId: integer("project_id").notNull(),
    id: integer("id").generatedAlwaysAsIdentity(),
    source: text("source").notNull(),
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    endpoint: text("endpoint").notNull(),
    account: text("account").notNull(),
    chain: text("chain").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("series_key").on(
      table.projectId,
      table.source,
      table.provider,
      table.model,
      table.endpoint,
      table.account,
      table.chain,
    ),
  ],
);

/** Names of the models that providers say they served, kept once. */
export const servedModel = pgTable(
  "served_model",
  {
    projectId: integer("project_id").notNull(),
    id: integer("id").generatedAlwaysAsIdentity(),
    name: text("name").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("served_model_name").on(table.projectId, table.name),
  ],
);

/**
 * The truth: one row per attempt, partitioned by UTC day (see the migration and `server/retention`).
 *
 * The primary key serves uniqueness, order and paging at the price of one nearly append-only index. Columns
 * stand in order of their alignment: it saves eight bytes a row.
 */
export const attempt = pgTable(
  "attempt",
  {
    projectId: integer("project_id").notNull(),
    seriesId: integer("series_id").notNull(),
    /** Start of the attempt, to the millisecond. */
    occurredAt: moment("occurred_at").notNull(),
    eventId: uuid("event_id").notNull(),
    /** Place of the outcome in `OUTCOMES`. */
    outcome: smallint("outcome").notNull(),
    httpStatus: smallint("http_status"),
    /** `null`: not said, which counts as the first. */
    attempt: smallint("attempt"),
    /** `null`: not called through a chain. */
    position: smallint("position"),
    inFlight: smallint("in_flight"),
    isFinal: boolean("is_final").notNull(),
    isStream: boolean("is_stream"),
    latencyMs: integer("latency_ms"),
    firstTokenMs: integer("first_token_ms"),
    inputTokens: integer("input_tokens"),
    outputTokens: integer("output_tokens"),
    retryAfterMs: integer("retry_after_ms"),
    servedModelId: integer("served_model_id"),
    requestId: uuid("request_id"),
    /** Scrubbed and bounded: type, code and message of a failure. */
    evidence: jsonb("evidence"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.occurredAt, table.eventId] })],
);

/** Minutes that ingest wrote into, appended in its own transaction; the rollup job takes them out. */
export const touchedBucket = pgTable("touched_bucket", {
  projectId: integer("project_id").notNull(),
  minute: moment("minute").notNull(),
});
