import net from "node:net";
import os from "node:os";
import path from "node:path";
import { z } from "zod";
import { DatabaseError } from "../db/database-error.ts";
import { parseDatabaseUrl } from "../db/url/parse-database-url.ts";
import { parseNetwork } from "./outgoing/address.ts";
import { ALLOW_NOTHING, type AllowList, parseAllowList } from "./outgoing/allow-list.ts";
import type { OidcSettings } from "./sign-in/oidc.ts";

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

/** Where people reach the server: scheme, host and port alone. */
const publicUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isPlain) return url.origin;
  context.addIssue("must be scheme and host alone, such as https://busyhour.example.com");
  return z.NEVER;
});

const commaList = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== ""),
);

const secretTexts = commaList.pipe(
  z
    .array(
      z
        .string()
        .min(32, "each must have at least 32 characters: try `openssl rand -base64 32`")
        .regex(/^[\x21-\x7e]+$/, "each must be of printable characters without blanks"),
    )
    .min(1),
);

const proxies = commaList.pipe(
  z.array(
    z
      .string()
      .refine(
        (part) => parseNetwork(part) !== null,
        "must be addresses or networks with commas between, such as 127.0.0.1, 10.0.0.0/8",
      ),
  ),
);

const allowList = z.string().transform((text, context): AllowList => {
  const list = parseAllowList(text);
  if (!("fault" in list)) return list;
  context.addIssue(
    `must be hosts, addresses or networks with commas between, such as hooks.corp.example, *.inner.example, 10.0.0.0/8: ${list.fault} is none that can be allowed`,
  );
  return z.NEVER;
});

/** What must not be shown to whoever looks over a shoulder or reads a log. */
const SECRETS: ReadonlySet<string> = new Set([
  "DATABASE_URL",
  "BUSYHOUR_ADMIN_TOKEN",
  "BUSYHOUR_SECRET",
  "BUSYHOUR_OIDC_CLIENT_SECRET",
]);

/** HTTPS, or HTTP to this machine itself; without a query. */
const webAddress = z
  .string()
  .refine(
    isWebAddress,
    "must be an address like https://busyhour.example.com; http is for this machine alone",
  );

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  const isHere = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  return (protocol === "https:" || (protocol === "http:" && isHere)) && search + hash + username === "";
}

const printable = z.string().regex(/^[\x21-\x7e]+$/, "must be of printable characters without blanks");

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
  BUSYHOUR_ADMIN_TOKEN: printable
    .min(16, "must have at least 16 characters: try `openssl rand -base64 32`")
    .optional(),
  BUSYHOUR_SECRET: secretTexts.optional(),
  BUSYHOUR_PUBLIC_URL: publicUrl.optional(),
  BUSYHOUR_TRUSTED_PROXIES: proxies.default([]),
  BUSYHOUR_OUTGOING_ALLOW: allowList.default(ALLOW_NOTHING),
  BUSYHOUR_OIDC_ISSUER: webAddress.optional(),
  BUSYHOUR_OIDC_CLIENT_ID: printable.max(500).optional(),
  BUSYHOUR_OIDC_CLIENT_SECRET: printable.max(1_000).optional(),
  BUSYHOUR_OIDC_NAME: z.string().max(40, "must be a name of at most 40 characters").default("single sign-on"),
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
  /** Texts that keys are made of, the one for new secrets first; `undefined`: the key file's. */
  readonly secrets: readonly string[] | undefined;
  /** Without a slash at the end. */
  readonly publicUrl: string | undefined;
  /** Addresses and networks whose `X-Forwarded-…` is believed. */
  readonly trustedProxies: readonly string[];
  /** What may be called although it is not public. */
  readonly outgoingAllow: AllowList;
  /** The provider of identities; `null`: there is none. */
  readonly oidc: OidcSettings | null;
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
    secrets: env.BUSYHOUR_SECRET,
    publicUrl: env.BUSYHOUR_PUBLIC_URL,
    trustedProxies: env.BUSYHOUR_TRUSTED_PROXIES,
    outgoingAllow: env.BUSYHOUR_OUTGOING_ALLOW,
    oidc: toOidc(env),
    roles: env.BUSYHOUR_ROLES,
    rawRetentionDays: env.BUSYHOUR_RAW_RETENTION_DAYS,
    logLevel: env.BUSYHOUR_LOG_LEVEL,
  };
}

/** @throws SettingsError when only a part of what a provider needs is there */
function toOidc(env: z.output<typeof schema>): OidcSettings | null {
  const needed = {
    BUSYHOUR_OIDC_ISSUER: env.BUSYHOUR_OIDC_ISSUER,
    BUSYHOUR_OIDC_CLIENT_ID: env.BUSYHOUR_OIDC_CLIENT_ID,
    BUSYHOUR_OIDC_CLIENT_SECRET: env.BUSYHOUR_OIDC_CLIENT_SECRET,
  };
  const [issuer, clientId, clientSecret] = Object.values(needed);
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return null;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) {
    const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
    throw new SettingsError(missing.map((name) => `${name}: is missing; OpenID Connect takes all three`));
  }
  return { issuer, clientId, clientSecret, name: env.BUSYHOUR_OIDC_NAME };
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
