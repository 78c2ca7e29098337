import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { project } from "./access.ts";
import { moment } from "./columns.ts";
import { projectId } from "./project-id.ts";

/** A text in the languages of the page; `""`: not said in that one. */
export interface LocalText {
  readonly en: string;
  readonly zh: string;
}

/** Calls that a component stands for; endpoint `null`: all of the model's. */
export interface ComponentTarget {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string | null;
}

const localText = (name: string) => jsonb(name).$type<LocalText>().notNull();

/** What a project shows to everybody. Without a row, or switched off, there is nothing to see. */
export const statusPage = pgTable("status_page", {
  projectId: integer("project_id")
    .primaryKey()
    .references(() => project.id, { onDelete: "cascade" }),
  slug: text("slug").notNull().unique(),
  isPublic: boolean("is_public").notNull(),
  /** Search engines may list it. */
  isIndexed: boolean("is_indexed").notNull(),
  showsVolumes: boolean("shows_volumes").notNull(),
  name: localText("name"),
  about: localText("about"),
  homeUrl: text("home_url"),
  updatedAt: moment("updated_at").notNull(),
});

/** A line of the page: one or several targets by a name for the public. */
export const statusComponent = pgTable(
  "status_component",
  {
    projectId: projectId(),
    /** Random, shown to everybody: it tells neither how many there are nor what they stand for. */
    id: text("id").notNull(),
    position: integer("position").notNull(),
    name: localText("name"),
    about: localText("about"),
    mode: text("mode", { enum: ["auto", "manual", "both"] }).notNull(),
    targets: jsonb("targets").$type<readonly ComponentTarget[]>().notNull(),
    createdAt: moment("created_at").notNull(),
    updatedAt: moment("updated_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);

/** What the team said of a component, from when to when. */
export const statusWord = pgTable(
  "status_word",
  {
    projectId: projectId(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    componentId: text("component_id").notNull(),
    state: text("state", {
      enum: ["available", "busy", "veryBusy", "unavailable", "maintenance"],
    }).notNull(),
    fromAt: moment("from_at").notNull(),
    /** `null`: it holds. */
    toAt: moment("to_at"),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index("status_word_component").on(table.projectId, table.componentId, table.fromAt),
  ],
);

/** What the team writes about trouble or maintenance. */
export const statusNote = pgTable(
  "status_note",
  {
    projectId: projectId(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    /** Random, shown to everybody. */
    publicId: text("public_id").notNull(),
    kind: text("kind", { enum: ["incident", "maintenance"] }).notNull(),
    impact: text("impact", { enum: ["none", "minor", "major", "critical"] }).notNull(),
    title: localText("title"),
    componentIds: text("component_ids").array().notNull(),
    startsAt: moment("starts_at").notNull(),
    /** Of a maintenance, when it is to be over; else `null`. */
    endsAt: moment("ends_at"),
    createdAt: moment("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("status_note_public_id").on(table.projectId, table.publicId),
    index("status_note_time").on(table.projectId, table.startsAt),
  ],
);

/** A step of a note, in its own words. */
export const statusUpdate = pgTable(
  "status_update",
  {
    projectId: projectId(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    noteId: bigint("note_id", { mode: "number" }).notNull(),
    publicId: text("public_id").notNull(),
    state: text("state", {
      enum: [
        "investigating",
        "identified",
        "monitoring",
        "resolved",
        "scheduled",
        "in_progress",
        "verifying",
        "completed",
      ],
    }).notNull(),
    body: localText("body"),
    at: moment("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index("status_update_note").on(table.projectId, table.noteId),
  ],
);
