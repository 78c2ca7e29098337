import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { projectId } from "./project-id.ts";

/** Where notices go. Address and keys are a secret, `channel/12`; what may be shown of them is in `settings`. */
export const channel = pgTable(
  "channel",
  {
    projectId: projectId(),
    id: integer("id").generatedAlwaysAsIdentity(),
    name: text("name").notNull(),
    kind: text("kind").notNull(),
    locale: text("locale", { enum: ["en", "zh"] }).notNull(),
    leastSeverity: text("least_severity", { enum: ["critical", "warning", "info"] }).notNull(),
    isEnabled: boolean("is_enabled").notNull(),
    settings: jsonb("settings").$type<Readonly<Record<string, unknown>>>().notNull(),
    createdAt: moment("created_at").notNull(),
    /** What was left of its rate limit at `tokens_at`; `null`: it was never used. */
    tokens: doublePrecision("tokens"),
    tokensAt: moment("tokens_at"),
    /** Nothing is sent before: the receiver said so, or the last tries failed. */
    pausedUntil: moment("paused_until"),
    /** First of the failures since the last success. */
    failingSince: moment("failing_since"),
    failureCount: integer("failure_count").notNull().default(0),
    /** It was told through another channel that it does not work. */
    brokenSince: moment("broken_since"),
    lastOkAt: moment("last_ok_at"),
    lastFailure: text("last_failure"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("channel_name").on(table.projectId, table.name),
  ],
);

/**
 * The outbox: a notice for one channel, written in the transaction that makes it true. Ids ascend in the order in which
 * notices of a channel were committed, and in this order they are sent.
 */
export const notification = pgTable(
  "notification",
  {
    projectId: projectId(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    channelId: integer("channel_id").notNull(),
    notice: jsonb("notice").$type<Readonly<Record<string, unknown>>>().notNull(),
    /** By which a receiver tells a repetition: the same at every try. */
    messageId: text("message_id").notNull(),
    state: text("state", { enum: ["waiting", "sent", "failed", "digested"] }).notNull(),
    createdAt: moment("created_at").notNull(),
    tryCount: integer("try_count").notNull().default(0),
    /** Not tried before. */
    nextTryAt: moment("next_try_at").notNull(),
    /** Since when a server sends it; long ago: that server died, and nobody knows whether it arrived. */
    sendingAt: moment("sending_at"),
    /** An earlier try may have arrived. */
    isUncertain: boolean("is_uncertain").notNull().default(false),
    settledAt: moment("settled_at"),
    /** The notification that sums it up. */
    digestId: bigint("digest_id", { mode: "number" }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    foreignKey({
      name: "notification_channel",
      columns: [table.projectId, table.channelId],
      foreignColumns: [channel.projectId, channel.id],
    }).onDelete("cascade"),
    index("notification_waiting")
      .on(table.projectId, table.channelId, table.id)
      .where(sql`${table.state} = 'waiting'`),
    index("notification_created").on(table.projectId, table.createdAt),
  ],
);

/** A try to deliver: what was sent, without secrets, and what was answered. */
export const delivery = pgTable(
  "delivery",
  {
    projectId: projectId(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    channelId: integer("channel_id").notNull(),
    /** `null`: a test, which does not wait in the outbox. */
    notificationId: bigint("notification_id", { mode: "number" }),
    at: moment("at").notNull(),
    outcome: text("outcome", { enum: ["delivered", "retried", "failed", "unknown"] }).notNull(),
    tryNumber: integer("try_number").notNull(),
    title: text("title").notNull(),
    durationMs: integer("duration_ms").notNull(),
    requestBytes: integer("request_bytes").notNull(),
    /** HTTP or SMTP; `null`: there was no answer. */
    status: integer("status"),
    /** The receiver's own words, cut short. */
    answer: text("answer").notNull(),
    /** What it means; `null`: it was delivered. */
    code: text("code"),
    nextTryAt: moment("next_try_at"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    foreignKey({
      name: "delivery_channel",
      columns: [table.projectId, table.channelId],
      foreignColumns: [channel.projectId, channel.id],
    }).onDelete("cascade"),
    index("delivery_of_channel").on(table.projectId, table.channelId, table.id),
  ],
);
