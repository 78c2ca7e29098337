import { type ConnectionTarget, formatServerVersion } from "./connection-target.ts";
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from "./embedded/launch.ts";
import { readServerVersion, withConnection } from "./server-version.ts";
import { parseDatabaseUrl } from "./url/parse-database-url.ts";
import { reachServer } from "./url/reach-server.ts";

export type { ConnectionTarget } from "./connection-target.ts";

export interface OpenDatabaseOptions extends EmbeddedPostgresOptions {
  /** A server to use. Absent or empty: one of our own is started in `dataDir`. */
  databaseUrl?: string;
}

export interface OpenedDatabase {
  kind: "url" | "embedded";
  target: ConnectionTarget;
  /** For people, without secrets. */
  label: string;
  /** Such as 180004 for PostgreSQL 18.4. */
  serverVersion: number;
  /** Ends the server, if it is ours. Close the connections first. */
  close(): Promise<void>;
}

const EMBEDDED_DATABASE = "busyhour";

/**
 * The database to work with: the one of `databaseUrl`, else one of our own in `dataDir`. It has been reached once
 * and is PostgreSQL 15 or newer.
 *
 * @throws DatabaseError
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { databaseUrl, ...embedded } = options;
  return databaseUrl ? await openUrl(databaseUrl, options) : await openEmbedded(embedded);
}

async function openUrl(databaseUrl: string, { say, signal }: OpenDatabaseOptions): Promise<OpenedDatabase> {
  const { target, label, ignored } = parseDatabaseUrl(databaseUrl);
  if (ignored.length > 0) say(`Not used of DATABASE_URL: ${ignored.join(", ")}.`);
  const serverVersion = await reachServer({ target, label, say, signal });
  return { kind: "url", target, label, serverVersion, close: async () => {} };
}

async function openEmbedded(options: EmbeddedPostgresOptions): Promise<OpenedDatabase> {
  const server = await startEmbeddedPostgres(options);
  const target = { ...server.target, database: EMBEDDED_DATABASE };
  try {
    const serverVersion = await createDatabaseOnce(server.target, target);
    const label = `PostgreSQL ${formatServerVersion(serverVersion)} of its own in ${options.dataDir}`;
    return { kind: "embedded", target, label, serverVersion, close: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Makes our database in a new cluster. @returns the server's version */
async function createDatabaseOnce(maintenance: ConnectionTarget, target: ConnectionTarget): Promise<number> {
  await withConnection(maintenance, async (sql) => {
    const found = await sql`select from pg_database where datname = ${target.database}`;
    if (found.length === 0) await sql`create database ${sql(target.database)}`;
  });
  return await readServerVersion(target);
}
