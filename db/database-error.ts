/** What can go wrong on the way to a database, and is nobody's bug. */
export type DatabaseErrorCode =
  | "embedded_in_use"
  | "embedded_version_mismatch"
  | "embedded_unsupported"
  | "embedded_no_owner"
  | "embedded_wrong_owner"
  | "embedded_unreachable_folder"
  | "embedded_not_a_cluster"
  | "embedded_bad_setting"
  | "embedded_start_failed"
  | "url_invalid"
  | "url_unreachable"
  | "url_password"
  | "url_database_missing"
  | "url_starting"
  | "url_too_old"
  | "url_tls"
  | "url_refused";

export interface DatabaseErrorDetails {
  /** What happened and where: a full sentence, without secrets. */
  what: string;
  /** How to mend it: a full sentence. */
  mend: string;
  cause?: unknown;
}

/** A planned failure to get at a database: its message says what, where, and ends with how to mend it. */
export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly code: DatabaseErrorCode;

  constructor(code: DatabaseErrorCode, { what, mend, cause }: DatabaseErrorDetails) {
    super(`${what} ${mend}`, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
