import {
  bigint,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uuid,
} from "drizzle-orm/pg-core";

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });
const moment = (name: string) => timestamp(name, { withTimezone: true });

/** A tenant. Everything that belongs to one carries its id as the first part of every key. */
export const project = pgTable("project", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  slug: text("slug").notNull().unique(),
  name: text("name").notNull(),
  /** IANA zone in which its hours of the week are counted. */
  timeZone: text("time_zone").notNull().default("UTC"),
  /** Made by `busyhour demo`: shown as sample data everywhere, removable in one step. */
  isSample: boolean("is_sample").notNull().default(false),
  /** Seed and anchor of the sample's traffic, so that its trickle continues what was filled. */
  sampleSeed: integer("sample_seed"),
  createdAt: moment("created_at").notNull().defaultNow(),
});

/** What a program shows. Only the hash is kept: a lost key is replaced, never recovered. */
export const apiKey = pgTable(
  "api_key",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => project.id, { onDelete: "cascade" }),
    id: integer("id").generatedAlwaysAsIdentity(),
    kind: text("kind", { enum: ["ingest", "read", "admin"] }).notNull(),
    name: text("name").notNull(),
    /** First characters of the key, for people to tell keys apart. */
    prefix: text("prefix").notNull(),
    /** SHA-256 of the whole key. */
    hash: bytea("hash").notNull(),
    createdAt: moment("created_at").notNull().defaultNow(),
    lastUsedAt: moment("last_used_at"),
    revokedAt: moment("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("api_key_hash_unique").on(table.hash),
  ],
);

export const appUser = pgTable("app_user", {
  id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
  name: text("name").notNull(),
  isOwner: boolean("is_owner").notNull().default(false),
  createdAt: moment("created_at").notNull().defaultNow(),
});

/** A link that signs in once. */
export const signInLink = pgTable("sign_in_link", {
  /** SHA-256 of the token in the link. */
  hash: bytea("hash").primaryKey(),
  userId: integer("user_id")
    .notNull()
    .references(() => appUser.id, { onDelete: "cascade" }),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at").notNull(),
});

export const session = pgTable(
  "session",
  {
    /** SHA-256 of the cookie. */
    hash: bytea("hash").primaryKey(),
    userId: integer("user_id")
      .notNull()
      .references(() => appUser.id, { onDelete: "cascade" }),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [index("session_user_id").on(table.userId)],
);

/** Which server runs a job now; a row outlives its holder only until `expires_at`. */
export const jobLease = pgTable("job_lease", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  expiresAt: moment("expires_at").notNull(),
});

/** One row: facts about the installation as a whole. */
export const installation = pgTable("installation", {
  id: integer("id").primaryKey().default(1),
  /** Raw attempts before this are gone; rollup buckets before it are sealed. `null`: none were dropped yet. */
  sealedBefore: moment("sealed_before"),
});

/** How a source behaves, written a few seconds after the fact: good for people, not for counting. */
export const sourceState = pgTable(
  "source_state",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => project.id, { onDelete: "cascade" }),
    source: text("source").notNull(),
    lastEventAt: moment("last_event_at"),
    lastReceivedAt: moment("last_received_at").notNull(),
    acceptedCount: bigint("accepted_count", { mode: "number" }).notNull().default(0),
    duplicateCount: bigint("duplicate_count", { mode: "number" }).notNull().default(0),
    rejectedCount: bigint("rejected_count", { mode: "number" }).notNull().default(0),
    /** Newest event's time minus its arrival: far above 0, the source's clock runs ahead. */
    clockOffsetMs: bigint("clock_offset_ms", { mode: "number" }),
    lastRejectedAt: moment("last_rejected_at"),
    lastRejectionPointer: text("last_rejection_pointer"),
    lastRejectionDetail: text("last_rejection_detail"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.source] })],
);

/** What a reporter says that it lost of a source: a total that only grows, so that hearing it twice is harmless. */
export const reporterDrop = pgTable(
  "reporter_drop",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => project.id, { onDelete: "cascade" }),
    source: text("source").notNull(),
    /** Made by the reporter; each process has its own. */
    reporterId: uuid("reporter_id").notNull(),
    droppedCount: bigint("dropped_count", { mode: "number" }).notNull(),
    /** When we last heard of more. */
    lastDroppedAt: moment("last_dropped_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.source, table.reporterId] })],
);

/** Which ways a source's attempts came, and how many failed: what blind spots are found by. Seconds behind. */
export const sourceWay = pgTable(
  "source_way",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => project.id, { onDelete: "cascade" }),
    source: text("source").notNull(),
    via: text("via", { enum: ["events", "otlp", "litellm"] }).notNull(),
    /** Name of the spans' instrumentation scope; else empty. */
    instrument: text("instrument").notNull(),
    lastReceivedAt: moment("last_received_at").notNull(),
    callCount: bigint("call_count", { mode: "number" }).notNull(),
    failureCount: bigint("failure_count", { mode: "number" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.source, table.via, table.instrument] })],
);

/** Rules of a project's own by which failures are named, asked before those of the SDK. */
export const classificationRule = pgTable(
  "classification_rule",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => project.id, { onDelete: "cascade" }),
    /** From 1: they are asked in this order. */
    place: smallint("place").notNull(),
    rule: jsonb("rule").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.place] })],
);
