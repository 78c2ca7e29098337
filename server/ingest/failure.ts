import { AppError } from "../http/app-error.ts";

/** The database cannot store now; the sender should try again later. Nothing of the request was stored. */
export class DatabaseAway extends AppError {
  constructor(detail: string, retryAfterSeconds = 2) {
    super({
      status: 503,
      code: "database_away",
      title: "The database is away",
      detail,
      headers: { "Retry-After": String(retryAfterSeconds) },
    });
  }
}

/** Codes of the driver, and of a connection that broke. */
const AWAY_CODES: ReadonlySet<string> = new Set([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
]);

/**
 * SQLSTATE classes that say something about the server and nothing about the rows: connection, transaction
 * rollback (deadlock), resources (disk full), operator intervention, system error, read-only.
 */
const AWAY_CLASSES: ReadonlySet<string> = new Set(["08", "25", "40", "53", "55", "57", "58"]);

/** The innermost error that has a code: drizzle wraps those of the driver. */
function findCoded(error: unknown): { readonly code: string; readonly syscall?: unknown } | undefined {
  for (let layer = error; typeof layer === "object" && layer !== null; ) {
    if ("code" in layer && typeof layer.code === "string") return layer as { code: string };
    layer = "cause" in layer ? layer.cause : null;
  }
  return undefined;
}

/** The code of a driver or server error, if it has one. */
export function codeOf(error: unknown): string | undefined {
  return findCoded(error)?.code;
}

/** Codes that mean an absent database only where a connection was tried: a missing file is `ENOENT` as well. */
const UNREACHED_CODES: ReadonlySet<string> = new Set(["ENOENT", "ENOTFOUND", "EACCES", "EAI_AGAIN"]);
const CONNECTING: ReadonlySet<unknown> = new Set(["connect", "getaddrinfo"]);

/** Whether the failure is the database's, so that the same rows may well succeed later. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, syscall } = findCoded(error) ?? {};
  if (code === undefined) return false;
  if (UNREACHED_CODES.has(code)) return CONNECTING.has(syscall);
  return AWAY_CODES.has(code) || (code.length === 5 && AWAY_CLASSES.has(code.slice(0, 2)));
}

/** SQLSTATE class 22 or 23: the rows themselves cannot be stored. */
export function isDataFault(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && code.length === 5 && (code.startsWith("22") || code.startsWith("23"));
}
