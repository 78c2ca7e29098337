import net from "node:net";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { DatabaseError } from "../db/database-error.ts";
import { parseDatabaseUrl } from "../db/url/parse-database-url.ts";

/** A setting that cannot be used. The message lists every fault at once. */
export class SettingsError extends Error {
  constructor(faults: readonly string[]) {
    super(`These settings cannot be used:\n${faults.map((fault) => `  ${fault}`).join("\n")}`);
    this.name = "SettingsError";
  }
}

const whole = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number);

const ROLES = ["http", "jobs"] as const;
export type ServerRole = (typeof ROLES)[number];

const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;

const isHost = (text: string) => net.isIP(text) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text);

const databaseUrl = z.string().superRefine((url, context) => {
  try {
    parseDatabaseUrl(url);
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    context.addIssue(error.message);
  }
});

/** What must not be shown to whoever looks over a shoulder or reads a log. */
const SECRETS: ReadonlySet<string> = new Set(["DATABASE_URL", "BUSYHOUR_ADMIN_TOKEN"]);

const schema = z.object({
  PORT: whole(0, 65_535).default(8420),
  HOST: z
    .string()
    .transform((text) => text.replace(/^\[(.*)\]$/, "$1"))
    .refine(isHost, "must be an address or a name of this machine, such as 127.0.0.1, 0.0.0.0 or ::1")
    .default("127.0.0.1"),
  DATABASE_URL: databaseUrl.optional(),
  BUSYHOUR_DATA_DIR: z
    .string()
    .refine((folder) => folder.trim() !== "", "must be a folder")
    .refine((folder) => !folder.startsWith("~"), "begins with ~, which only a shell replaces: write it out")
    .optional(),
  BUSYHOUR_ADMIN_TOKEN: z
    .string()
    .min(16, "must have at least 16 characters: try `openssl rand -base64 32`")
    .regex(/^[\x21-\x7e]+$/, "must be of printable characters without blanks")
    .optional(),
  BUSYHOUR_ROLES: z
    .string()
    .default("http,jobs")
    .transform((text) => text.split(",").map((role) => role.trim()))
    .pipe(z.array(z.enum(ROLES, "must be http, jobs, or both with a comma between")).min(1)),
  BUSYHOUR_RAW_RETENTION_DAYS: whole(1, 3_650).default(400),
  BUSYHOUR_LOG_LEVEL: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).default("info"),
});

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly databaseUrl: string | undefined;
  /** Absolute. */
  readonly dataDir: string;
  readonly adminToken: string | undefined;
  readonly roles: readonly ServerRole[];
  readonly rawRetentionDays: number;
  readonly logLevel: (typeof LOG_LEVELS)[number];
}

/** Names of all settings, for the test that finds each of them in the documentation. */
export const SETTING_NAMES: readonly string[] = Object.keys(schema.shape);

/**
 * The settings of an environment. An empty variable counts as unset.
 *
 * @throws SettingsError
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    SETTING_NAMES.map((name) => [name, environment[name] === "" ? undefined : environment[name]]),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new SettingsError(describeFaults(parsed.error.issues, given));
  const env = parsed.data;
  return {
    port: env.PORT,
    host: env.HOST,
    databaseUrl: env.DATABASE_URL,
    dataDir: path.resolve(env.BUSYHOUR_DATA_DIR ?? defaultDataDir(environment)),
    adminToken: env.BUSYHOUR_ADMIN_TOKEN,
    roles: env.BUSYHOUR_ROLES,
    rawRetentionDays: env.BUSYHOUR_RAW_RETENTION_DAYS,
    logLevel: env.BUSYHOUR_LOG_LEVEL,
  };
}

/** One line per setting: what it must be, and what it is unless that is a secret. */
function describeFaults(
  issues: readonly z.core.$ZodIssue[],
  given: Readonly<Record<string, string | undefined>>,
): string[] {
  const faults = new Map<string, string>();
  for (const { path: where, message } of issues) {
    const name = String(where[0]);
    if (faults.has(name)) continue;
    const is = SECRETS.has(name) ? "" : `; it is ${JSON.stringify(given[name]?.slice(0, 100))}`;
    faults.set(name, message.startsWith(name) ? message : `${name}: ${message}${is}`);
  }
  return [...faults.values()];
}

function defaultDataDir(environment: Readonly<Record<string, string | undefined>>): string {
  if (process.getuid?.() === 0) return "/var/lib/busyhour";
  const home = environment["HOME"] || os.homedir();
  return path.join(environment["XDG_DATA_HOME"] || path.join(home, ".local", "share"), "busyhour");
}
