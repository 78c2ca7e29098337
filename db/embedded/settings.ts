import { DatabaseError } from "../database-error.ts";

/** Extra PostgreSQL settings, by name. */
export type PostgresConf = Readonly<Record<string, string | number>>;

/** Durable, small, and without what only replication needs. `conf` wins over each of them. */
function defaultSettings(major: number, platform: NodeJS.Platform): Record<string, string | number> {
  return {
    listen_addresses: "",
    port: 5432,
    max_connections: 40,
    shared_buffers: "128MB",
    ...(major >= 18 ? { io_method: "sync" } : {}),
    wal_level: "minimal",
    max_wal_senders: 0,
    max_wal_size: "1GB",
    fsync: "on",
    synchronous_commit: "on",
    // One call per file system instead of one per file: quicker after a crash.
    ...(platform === "linux" ? { recovery_init_sync_method: "syncfs" } : {}),
    // %e is the SQLSTATE: failures to start are judged by it, never by their text.
    log_line_prefix: "%m [%p] %e ",
  };
}

/**
 * All settings for a server of that major version.
 *
 * @throws DatabaseError `embedded_bad_setting` for a name PostgreSQL can't have
 */
export function chooseSettings(
  major: number,
  conf: PostgresConf = {},
  platform: NodeJS.Platform = process.platform,
): Record<string, string | number> {
  for (const name of Object.keys(conf)) {
    if (/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i.test(name)) continue;
    throw new DatabaseError("embedded_bad_setting", {
      what: `"${name}" is not the name of a PostgreSQL setting.`,
      mend: "Correct the extra settings of the embedded database.",
    });
  }
  return { ...defaultSettings(major, platform), ...conf };
}

/** Settings as arguments of `postgres`. */
export function formatSettings(settings: PostgresConf): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
