import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { project } from "./access.ts";
import { moment } from "./columns.ts";
import { projectId } from "./project-id.ts";

/** A stretch of time in which a target was short of room. */
export const episode = pgTable(
  "episode",
  {
    projectId: projectId(),
    id: bigint("id", { mode: "number" }).generatedAlwaysAsIdentity(),
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    endpoint: text("endpoint").notNull(),
    openedAt: moment("opened_at").notNull(),
    /** `null`: it goes on. */
    closedAt: moment("closed_at"),
    /** End of the last minute that was seen of it. */
    lastSeenAt: moment("last_seen_at").notNull(),
    attemptCount: integer("attempt_count").notNull(),
    errorCount: integer("error_count").notNull(),
    /** Requests that ended without room. */
    requestCount: integer("request_count").notNull(),
    peakRatio: doublePrecision("peak_ratio").notNull(),
    /** The nightly pass has seen it in hindsight; the live job leaves it alone. */
    isSettled: boolean("is_settled").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("episode_opened").on(table.projectId, table.provider, table.model, table.endpoint, table.openedAt),
    index("episode_time").on(table.projectId, table.openedAt),
  ],
);

/** Until when the nightly pass has looked. */
export const episodeRun = pgTable("episode_run", {
  projectId: integer("project_id")
    .primaryKey()
    .references(() => project.id, { onDelete: "cascade" }),
  settledTo: moment("settled_to").notNull(),
});
