import { closeSync, fchownSync, openSync, readSync, renameSync, statSync } from "node:fs";
import type { DatabaseUser } from "./database-user.ts";

const MAX_BYTES = 10 * 1024 * 1024;

/** The server's log, from the moment it was opened. */
export interface ServerLog {
  /** For the server's output. Close it when the server has it. */
  fd: number;
  close(): void;
  /** The last `maxBytes` that were written since it was opened. */
  tail(maxBytes: number): string;
}

/** Opens the log for appending; above 10 MB the old one first steps aside to `<file>.1`. */
export function openServerLog(file: string, user: DatabaseUser): ServerLog {
  const before = sizeOf(file);
  const rotate = before > MAX_BYTES;
  if (rotate) renameSync(file, `${file}.1`);
  const start = rotate ? 0 : before;
  const fd = openSync(file, "a", 0o600);
  if (user.switchTo) fchownSync(fd, user.switchTo.uid, user.switchTo.gid);
  return {
    fd,
    close: () => closeSync(fd),
    tail: (maxBytes) => readFrom(file, Math.max(start, sizeOf(file) - maxBytes)),
  };
}

/** SQLSTATEs of the FATAL lines in a log written with our `log_line_prefix`. */
export function listFatalStates(log: string): string[] {
  return [...log.matchAll(/^\S+ \S+ \S+ \[\d+\] ([0-9A-Z]{5}) FATAL:/gm)].flatMap((match) => match[1] ?? []);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function readFrom(file: string, position: number): string {
  const buffer = Buffer.alloc(Math.max(0, sizeOf(file) - position));
  const fd = openSync(file, "r");
  try {
    const length = readSync(fd, buffer, 0, buffer.length, position);
    return buffer.toString("utf8", 0, length);
  } finally {
    closeSync(fd);
  }
}
