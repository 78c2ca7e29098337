import { integer, json, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment } from "./columns.ts";
import { projectId } from "./project-id.ts";

/** Advice as it was last worked out. It holds while its history and the plan are of these versions. */
export const keptAnswer = pgTable(
  "kept_answer",
  {
    projectId: projectId(),
    /** As JSON text. */
    question: text("question").notNull(),
    /** `hour_profile_run.version`. */
    historyVersion: integer("history_version").notNull(),
    /** 0: no plan is in force. */
    planVersion: integer("plan_version").notNull(),
    answer: json("answer").notNull(),
    /** `null`: made beforehand, and nobody asked for it yet. */
    askedAt: moment("asked_at"),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.question] })],
);
