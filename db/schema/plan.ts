import { bigint, boolean, index, integer, json, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { type Actor, moment } from "./columns.ts";
import { projectId } from "./project-id.ts";

/** A version of the plan. Its document never changes; it is a draft until it is published. */
export const plan = pgTable(
  "plan",
  {
    projectId: projectId(),
    version: integer("version").notNull(),
    /** Without its version; as text, so that people find its fields in the order in which they wrote them. */
    document: json("document").$type<Readonly<Record<string, unknown>>>().notNull(),
    /** The published version that its author had seen; `null`: none. */
    basedOn: integer("based_on"),
    /** The version that was published again by this one. */
    copyOf: integer("copy_of"),
    author: jsonb("author").$type<Actor>().notNull(),
    publisher: jsonb("publisher").$type<Actor>(),
    reason: text("reason"),
    createdAt: moment("created_at").notNull(),
    /** `null`: a draft. The highest version that has one is in force. */
    publishedAt: moment("published_at"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.version] })],
);

/** A router in a running process, as it last spoke of itself. */
export const routerInstance = pgTable(
  "router_instance",
  {
    projectId: projectId(),
    instance: text("instance").notNull(),
    chain: text("chain").notNull(),
    source: text("source"),
    sdkVersion: text("sdk_version"),
    /** In force there; `null`: the chain in code. */
    planVersion: integer("plan_version"),
    /** When it was first seen with this version. */
    planSince: moment("plan_since").notNull(),
    targets: jsonb("targets").$type<readonly unknown[]>().notNull(),
    problems: jsonb("problems").$type<readonly unknown[]>().notNull(),
    startedAt: moment("started_at").notNull(),
    lastSeenAt: moment("last_seen_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.instance] }),
    index("router_instance_seen").on(table.projectId, table.lastSeenAt),
  ],
);

/** How the targets of a chain did over typical tasks. */
export const rehearsal = pgTable(
  "rehearsal",
  {
    projectId: projectId(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    chain: text("chain").notNull(),
    source: text("source"),
    sdkVersion: text("sdk_version"),
    planVersion: integer("plan_version"),
    caseCount: integer("case_count").notNull(),
    isOk: boolean("is_ok").notNull(),
    targets: jsonb("targets").$type<readonly unknown[]>().notNull(),
    startedAt: moment("started_at").notNull(),
    durationMs: bigint("duration_ms", { mode: "number" }).notNull(),
    receivedAt: moment("received_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);
