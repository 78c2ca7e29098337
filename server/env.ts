import os from "node:os";
import path from "node:path";
import { z } from "zod";

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
    .regex(/^\d+$/, "must be a whole number")
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`);

const ROLES = ["http", "jobs"] as const;
export type ServerRole = (typeof ROLES)[number];

const schema = z.object({
  PORT: whole(0, 65_535).default(8420),
  HOST: z.string().min(1).default("127.0.0.1"),
  DATABASE_URL: z.string().optional(),
  BUSYHOUR_DATA_DIR: z.string().min(1).optional(),
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
  BUSYHOUR_LOG_LEVEL: z.enum(["debug", "info", "warn", "error", "silent"]).default("info"),
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
  readonly logLevel: "debug" | "info" | "warn" | "error" | "silent";
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
  if (!parsed.success) {
    throw new SettingsError(
      parsed.error.issues.map((issue) => `${issue.path[0]?.toString()}: ${issue.message}`),
    );
  }
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

function defaultDataDir(environment: Readonly<Record<string, string | undefined>>): string {
  if (process.getuid?.() === 0) return "/var/lib/busyhour";
  const home = environment["HOME"] || os.homedir();
  return path.join(environment["XDG_DATA_HOME"] || path.join(home, ".local", "share"), "busyhour");
}
