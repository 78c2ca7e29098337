export type OutgoingCode =
  | "outgoing_bad_url"
  | "outgoing_refused"
  | "outgoing_not_found"
  | "outgoing_timeout"
  | "outgoing_too_large"
  | "outgoing_failed";

/** A request to elsewhere that was not made or not answered. The message is for people and names no address. */
export class OutgoingError extends Error {
  readonly code: OutgoingCode;

  constructor({ code, message, cause }: { code: OutgoingCode; message: string; cause?: unknown }) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "OutgoingError";
    this.code = code;
  }
}
