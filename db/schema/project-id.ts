import { integer } from "drizzle-orm/pg-core";
import { project } from "./access.ts";

/** The project that a row belongs to, and is gone with. */
export const projectId = () =>
  integer("project_id")
    .notNull()
    .references(() => project.id, { onDelete: "cascade" });
