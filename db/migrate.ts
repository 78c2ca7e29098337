import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import { connect } from "./connect.ts";
import type { ConnectionTarget } from "./open-database.ts";

/** Any number will do, as long as every version of the program uses the same. */
const MIGRATION_LOCK = 20260704;

/**
 * Brings the schema up to date. Servers that start at the same moment take turns: drizzle itself takes no lock,
 * so the one connection that migrates holds an advisory one.
 */
export async function migrate(target: ConnectionTarget): Promise<void> {
  const sql = connect(target, { max: 1, name: "migrate" });
  try {
    await sql`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await runMigrations(drizzle(sql), { migrationsFolder: findMigrationsFolder() });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** Beside this file in the sources, beside the bundle's folder in `dist`. */
function findMigrationsFolder(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const candidates = [path.join(here, "migrations"), path.join(here, "..", "db", "migrations")];
  const found = candidates.find((folder) => existsSync(path.join(folder, "meta", "_journal.json")));
  if (found === undefined) throw new Error(`no migrations in ${candidates.join(" or ")}`);
  return found;
}
