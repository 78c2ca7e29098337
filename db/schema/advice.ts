import { integer, json, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";
import { project } from "./access.ts";

/** Advice as it was last worked out. It holds while its history and the plan are of these versions. */
export const keptAnswer = pgTable(
  "kept_answer",
  {
    projectId: integer("project_id")
      .notNull()
      .references(() => project.id, { onDelete: "cascade" }),
    /** As JSON text. */
    question: text("question").notNull(),
    /** `hour_profile_run.version`. */
    historyVersion: integer("history_version").notNull(),
    /** 0: no plan is in force. */
    planVersion: integer("plan_version").notNull(),
    answer: json("answer").notNull(),
    /** `null`: made beforehand, and nobody asked for it yet. */
    askedAt: timestamp("asked_at", { withTimezone: true }),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.question] })],
);
