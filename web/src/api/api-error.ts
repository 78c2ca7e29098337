/** What is wrong at one place of a body. */
export interface BodyFault {
  readonly pointer: string;
  readonly detail: string;
}

/** What the server refused, as it says it (RFC 9457). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string | null;
  /** Of a body that was refused, each place with its fault. */
  readonly faults: readonly BodyFault[];

  constructor(
    status: number,
    code: string,
    title: string,
    detail: string | null,
    faults: readonly BodyFault[] = [],
  ) {
    super(detail === null ? title : `${title}: ${detail}`);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.title = title;
    this.detail = detail;
    this.faults = faults;
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
