/** What the server refused, as it says it (RFC 9457). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string | null;

  constructor(status: number, code: string, title: string, detail: string | null) {
    super(detail === null ? title : `${title}: ${detail}`);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.title = title;
    this.detail = detail;
  }
}

/** The server did not answer at all: it is stopped, or the network is away. */
export class ServerAway extends Error {
  constructor(cause: unknown) {
    super("the server does not answer", { cause });
    this.name = "ServerAway";
  }
}

export const isNotSignedIn = (error: unknown) => error instanceof ApiError && error.status === 401;
