/** A planned failure of an import: its message is written for the person at the terminal, and is all they see. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}

/** The message of anything that was thrown; for errors of the operating system, in words. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : undefined;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "is a folder, not a file";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "ENOSPC") return "the disk is full";
  if (code === "ECONNREFUSED") return "nothing listens there";
  if (code === "ENOTFOUND") return "there is no such host";
  return error.message;
}
