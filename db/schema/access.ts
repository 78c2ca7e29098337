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
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

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
    /** What of its kind it may do; `null`: all. */
    scopes: text("scopes").array(),
    /** Events that are taken of it, on each server; `null`: no limit. */
    eventsPerMinute: integer("events_per_minute"),
    createdAt: moment("created_at").notNull().defaultNow(),
    /** From then on it is refused; `null`: never. */
    expiresAt: moment("expires_at"),
    /** The key that was made in its place; both work until this one expires. */
    replacedBy: integer("replaced_by"),
    lastUsedAt: moment("last_used_at"),
    revokedAt: moment("revoked_at"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("api_key_hash_unique").on(table.hash),
  ],
);

/** A person. How they sign in is theirs: by links alone, by password, by the provider of identities, or all of it. */
export const appUser = pgTable(
  "app_user",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    name: text("name").notNull(),
    /** In lower case; `null`: none was given. */
    email: text("email"),
    /** As `hashPassword` writes it. */
    passwordHash: text("password_hash"),
    /** Who vouches for them, and the name that they have there: OpenID Connect's `iss` and `sub`. */
    oidcIssuer: text("oidc_issuer"),
    oidcSubject: text("oidc_subject"),
    /** Owners may do everything in every project. */
    isOwner: boolean("is_owner").notNull().default(false),
    createdAt: moment("created_at").notNull().defaultNow(),
    /** Since then they cannot sign in; what they did stays theirs. */
    disabledAt: moment("disabled_at"),
  },
  (table) => [
    unique("app_user_email_unique").on(table.email),
    unique("app_user_oidc_unique").on(table.oidcIssuer, table.oidcSubject),
  ],
);

/** What a person may do in a project. Owners need no row. */
export const projectMember = pgTable(
  "project_member",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => project.id, { onDelete: "cascade" }),
    userId: integer("user_id")
      .notNull()
      .references(() => appUser.id, { onDelete: "cascade" }),
    role: text("role", { enum: ["viewer", "editor", "admin"] }).notNull(),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.userId] }),
    index("project_member_user_id").on(table.userId),
  ],
);

/** A link by which somebody joins a project, once. */
export const invitation = pgTable(
  "invitation",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => project.id, { onDelete: "cascade" }),
    id: integer("id").generatedAlwaysAsIdentity(),
    /** SHA-256 of the token in the link. */
    hash: bytea("hash").notNull(),
    role: text("role", { enum: ["viewer", "editor", "admin"] }).notNull(),
    /** For whom it is, as a reminder: whoever has the link may use it. */
    note: text("note").notNull(),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("invitation_hash_unique").on(table.hash),
  ],
);

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
    /** By which people tell it from others; says nothing of the cookie. */
    id: integer("id").notNull().generatedAlwaysAsIdentity(),
    via: text("via", { enum: ["link", "password", "oidc", "invitation"] })
      .notNull()
      .default("link"),
    /** Browser and system in a word or two, from a list of ours. */
    device: text("device").notNull().default(""),
    createdAt: moment("created_at").notNull(),
    expiresAt: moment("expires_at").notNull(),
    /** Noted once a minute at the most. */
    lastSeenAt: moment("last_seen_at"),
  },
  (table) => [unique("session_id_unique").on(table.id), index("session_user_id").on(table.userId)],
);

/**
 * Who changed what, from what to what. It holds names beside ids and refers to nothing, so that it stays when the
 * project, the person or the thing is gone. Rows are only ever added.
 */
export const auditLog = pgTable(
  "audit_log",
  {
    id: bigint("id", { mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: moment("at").notNull(),
    /** `null`: the installation as a whole. */
    projectId: integer("project_id"),
    projectSlug: text("project_slug"),
    actorKind: text("actor_kind", { enum: ["person", "key", "token", "server"] }).notNull(),
    /** Of the person or the key. */
    actorId: integer("actor_id"),
    actorName: text("actor_name").notNull(),
    /** Like `key.created`. */
    action: text("action").notNull(),
    subjectId: text("subject_id").notNull(),
    subjectName: text("subject_name").notNull(),
    before: jsonb("before"),
    after: jsonb("after"),
    requestId: uuid("request_id"),
  },
  (table) => [index("audit_log_project_id").on(table.projectId, table.id)],
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
