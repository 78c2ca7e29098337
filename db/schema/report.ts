import { json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { projectId } from "./project-id.ts";

/** A week's report as it was when the week was over. */
export const report = pgTable(
  "report",
  {
    projectId: projectId(),
    /** ISO 8601, like `2026-W48`, on the wall of the project's zone at that time. */
    week: text("week").notNull(),
    document: json("document").notNull(),
    madeAt: moment("made_at").notNull(),
    /** When channels were told; `null`: it was made because somebody asked. */
    sentAt: moment("sent_at"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.week] })],
);
