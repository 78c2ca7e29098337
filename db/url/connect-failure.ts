import { DatabaseError } from "../database-error.ts";

/** `starting` is worth another try. */
export type ConnectFailure = DatabaseError | "starting";

const CERTIFICATE_CODES =
  /^(ERR_TLS_|ERR_SSL_|EPROTO|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** Reasons why nothing answered, by Node's and postgres.js' codes. */
const UNREACHABLE: Record<string, string> = {
  ENOTFOUND: "its host name is unknown",
  EAI_AGAIN: "its host name could not be looked up",
  ECONNREFUSED: "nothing listens there (connection refused)",
  ENOENT: "there is no socket in that folder",
  EACCES: "this user may not use that socket",
  ETIMEDOUT: "it does not answer",
  CONNECT_TIMEOUT: "it does not answer",
  EHOSTUNREACH: "there is no way to that host",
  ENETUNREACH: "there is no way to that network",
  ECONNRESET: "it broke off the connection",
  EPIPE: "it broke off the connection",
  CONNECTION_CLOSED: "it broke off the connection",
  CONNECTION_DESTROYED: "it does not answer as PostgreSQL does",
};

/**
 * Says what a failed connection means, by the SQLSTATE or the system's code.
 *
 * @param label the URL without its password
 */
export function explainConnectFailure(error: unknown, label: string, usesTls: boolean): ConnectFailure {
  const code = codeOf(error);
  const details = (what: string, mend: string) => ({ what: `${label}: ${what}.`, mend, cause: error });
  if (code === "57P03") return "starting";
  if (code === "28P01" || code === "28000" || code === "SASL_SIGNATURE_MISMATCH") {
    const what = `the server refused the user or its password (${messageOf(error)})`;
    return new DatabaseError("url_password", details(what, "Correct user and password in DATABASE_URL."));
  }
  if (code === "3D000") {
    const what = `there is no such database (${messageOf(error)})`;
    const mend = "Create it (createdb), or correct the name at the end of DATABASE_URL.";
    return new DatabaseError("url_database_missing", details(what, mend));
  }
  if (CERTIFICATE_CODES.test(code) || (usesTls && code === "ECONNRESET")) {
    const what = `no encrypted connection came about (${messageOf(error)})`;
    const mend = "Set sslmode in DATABASE_URL to what the server offers, or sslrootcert to its authority.";
    return new DatabaseError("url_tls", details(what, mend));
  }
  const reason = UNREACHABLE[code];
  if (reason !== undefined) {
    const mend = "Start the server, or correct host and port in DATABASE_URL.";
    return new DatabaseError("url_unreachable", details(reason, mend));
  }
  const what = `the server refused the connection (${messageOf(error)})`;
  return new DatabaseError("url_refused", details(what, "Mend that on the server, or correct DATABASE_URL."));
}

/** Of the first cause, where Node tried several addresses of a host. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  if (error instanceof Error && "code" in error) return String(error.code);
  return "";
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
