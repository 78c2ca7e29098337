export interface FieldFault {
  /** JSON Pointer into the document, or `?name` for a query parameter. */
  readonly pointer: string;
  readonly detail: string;
}

export interface AppErrorParts {
  readonly status: number;
  /** Stable, snake_case, documented in `docs/errors.md`. */
  readonly code: string;
  readonly title: string;
  readonly detail?: string;
  readonly errors?: readonly FieldFault[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A planned failure: it knows its status, and its words may be shown to whoever asked. All else is a bug. */
export class AppError extends Error {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly detail: string | undefined;
  readonly errors: readonly FieldFault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(parts: AppErrorParts) {
    super(parts.detail ?? parts.title);
    this.name = "AppError";
    this.status = parts.status;
    this.code = parts.code;
    this.title = parts.title;
    this.detail = parts.detail;
    this.errors = parts.errors;
    this.headers = parts.headers ?? {};
  }
}
