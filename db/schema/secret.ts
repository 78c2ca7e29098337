import { customType, integer, pgTable, text, timestamp, unique } from "drizzle-orm/pg-core";
import { project } from "./access.ts";

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/** What must be read back, encrypted with a key that is not in the database. */
export const secret = pgTable(
  "secret",
  {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    /** `null`: the installation's own. */
    projectId: integer("project_id").references(() => project.id, { onDelete: "cascade" }),
    /** Whose it is and what: `channel/12/url`. With the project it is what the cipher text is bound to. */
    name: text("name").notNull(),
    /** Of the key that it was encrypted with. */
    keyId: text("key_id").notNull(),
    /** Nonce, cipher text, tag. */
    sealed: bytea("sealed").notNull(),
    sealedAt: timestamp("sealed_at", { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [unique("secret_project_id_name_unique").on(table.projectId, table.name).nullsNotDistinct()],
);
