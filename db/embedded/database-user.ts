import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseError } from "../database-error.ts";

/** The system user that PostgreSQL runs as. */
export interface DatabaseUser {
  name: string;
  uid: number;
  /** Set when we are root and must become this user: PostgreSQL refuses to run as root. */
  switchTo: { uid: number; gid: number } | null;
}

/** In this order; `nobody` is there without anybody's `useradd`. */
const CANDIDATES = ["postgres", "_postgres", "nobody"];

/**
 * Finds the user for the database in `cluster`.
 *
 * An ordinary user runs it himself. For root it is the owner of the cluster that is already there, so that a
 * user `postgres` installed later changes nothing; for a new one `postgres`, else `nobody`.
 *
 * @throws DatabaseError `embedded_no_owner`, `embedded_wrong_owner`
 */
export function findDatabaseUser(cluster: string): DatabaseUser {
  const owner = findOwner(cluster);
  const ownUid = process.getuid?.() ?? 0;
  if (ownUid !== 0) {
    if (owner !== null && owner.uid !== ownUid) throw wrongOwner(cluster, owner.uid, String(ownUid));
    return { name: nameOfMe(ownUid), uid: ownUid, switchTo: null };
  }
  if (owner !== null) {
    if (owner.uid === 0) throw wrongOwner(cluster, 0, findCandidate()?.name ?? "nobody");
    return { name: `uid ${owner.uid}`, uid: owner.uid, switchTo: owner };
  }
  const user = findCandidate();
  if (user !== null) return user;
  throw new DatabaseError("embedded_no_owner", {
    what: "PostgreSQL does not run as root, and this machine has neither a user postgres nor nobody.",
    mend: "Run as an ordinary user, or set DATABASE_URL.",
  });
}

/** The owner of a cluster that exists; an empty folder made by root counts as none. */
function findOwner(cluster: string): { uid: number; gid: number } | null {
  const marker = statSync(path.join(cluster, "PG_VERSION"), { throwIfNoEntry: false });
  const folder = marker && statSync(cluster, { throwIfNoEntry: false });
  return folder ? { uid: folder.uid, gid: folder.gid } : null;
}

function findCandidate(): DatabaseUser | null {
  for (const name of CANDIDATES) {
    const uid = askId("-u", name);
    const gid = askId("-g", name);
    if (uid !== null && gid !== null && uid > 0) return { name, uid, switchTo: { uid, gid } };
  }
  return null;
}

function askId(flag: "-u" | "-g", name: string): number | null {
  try {
    const text = execFileSync("id", [flag, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return Number(text);
  } catch {
    return null;
  }
}

/** `uid 7777` for a user without a name, as in `docker run -u 7777`. */
function nameOfMe(uid: number): string {
  try {
    return os.userInfo().username;
  } catch {
    return `uid ${uid}`;
  }
}

function wrongOwner(cluster: string, found: number, wanted: string): DatabaseError {
  return new DatabaseError("embedded_wrong_owner", {
    what: `The database in ${cluster} belongs to uid ${found}, but would have to run as ${wanted}.`,
    mend: `Run "chown -R ${wanted} ${cluster}", choose another data folder, or set DATABASE_URL.`,
  });
}
