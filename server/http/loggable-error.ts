/** What is logged of a failure. */
export interface LoggableError {
  readonly type: string;
  readonly message: string;
  /** SQLSTATE, or the code of a system call. */
  readonly code?: string;
  /** Where it was thrown: lines of our code, without the message. */
  readonly stack: readonly string[];
  readonly cause?: LoggableError;
}

const MAX_DEPTH = 3;
const MAX_FRAMES = 12;
const MAX_MESSAGE = 500;

/**
 * A failure without the values that it was met with: drizzle puts the parameters of a statement into its message, and
 * PostgreSQL whole rows into its details.
 */
export function toLoggable(error: unknown, depth = 0): LoggableError {
  if (!(error instanceof Error)) return { type: typeof error, message: "", stack: [] };
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const [message = ""] = error.message.split("\nparams:");
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    message: message.slice(0, MAX_MESSAGE),
    ...(typeof code === "string" ? { code } : {}),
    stack: frames.slice(0, MAX_FRAMES).map((line) => line.trim()),
    ...(cause === undefined || depth >= MAX_DEPTH ? {} : { cause: toLoggable(cause, depth + 1) }),
  };
}
