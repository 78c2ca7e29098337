import { integer, json, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { project } from "./access.ts";

/** A week's report as it was when the week was over. */
export const report = pgTable(
  "report",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => project.id, { onDelete: "cascade" }),
    /** ISO 8601, like `2026-W48`, on the wall of the project's zone at that time. */
    week: text("week").notNull(),
    document: json("document").notNull(),
    madeAt: timestamp("made_at", { withTimezone: true }).notNull(),
    /** When channels were told; `null`: it was made because somebody asked. */
    sentAt: timestamp("sent_at", { withTimezone: true }),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.week] })],
);
