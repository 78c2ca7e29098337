import { createHash } from "node:crypto";
import { lchownSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { DatabaseError } from "../database-error.ts";
import type { DatabaseUser } from "./database-user.ts";

/** Other users may take a name in /tmp before us: then we move on to the next. */
const MAX_NAMES = 5;

/**
 * The folders, best first, that the socket of a cluster may be in. Short, because a socket's path holds 103
 * bytes at most, and always the same for a cluster, so that a later run knows the server of an earlier one.
 */
export function listSocketFolders(cluster: string): string[] {
  const hash = createHash("sha256").update(cluster).digest("hex").slice(0, 12);
  return Array.from({ length: MAX_NAMES }, (_, index) => `/tmp/busyhour-${hash}${index ? `-${index}` : ""}`);
}

/**
 * Makes a folder that only the database's user (and root) can enter: whoever reaches the socket needs no password.
 *
 * @throws DatabaseError `embedded_start_failed` when others hold all names
 */
export function createSocketFolder(cluster: string, user: DatabaseUser): string {
  const folders = listSocketFolders(cluster);
  const folder = folders.find((candidate) => take(candidate, user));
  if (folder !== undefined) return folder;
  throw new DatabaseError("embedded_start_failed", {
    what: `Another user of this machine holds ${folders[0]}, where the database's socket belongs.`,
    mend: "Remove that folder, or set DATABASE_URL.",
  });
}

export function removeSocketFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

function take(folder: string, user: DatabaseUser): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  // Still ours: new, or a run of root ended right here.
  const isMine = lstatSync(folder).uid === process.getuid?.();
  if (isMine && user.switchTo) lchownSync(folder, user.switchTo.uid, user.switchTo.gid);
  const found = lstatSync(folder);
  return found.isDirectory() && found.uid === user.uid && (found.mode & 0o077) === 0;
}
