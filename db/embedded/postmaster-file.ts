import { chownSync, readFileSync, readlinkSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { DatabaseUser } from "./database-user.ts";
import { findProgramName, isRunning } from "./process-identity.ts";

/** What a running PostgreSQL says about itself in `postmaster.pid`. */
export interface PostmasterFile {
  pid: number;
  socketFolder: string;
  /** `starting`, `ready`, `stopping`, or `null` while the file is being written. */
  status: string | null;
}

/**
 * - `none`: no file, or its process is gone
 * - `recycled`: its number now belongs to some other program
 * - `running`: a PostgreSQL of this very folder
 */
export type PostmasterState = "none" | "recycled" | "running";

/** Larger than any process number can be, so PostgreSQL takes its owner for dead. */
const NOBODYS_PID = 2_147_483_647;

export function parsePostmasterFile(text: string): PostmasterFile | null {
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid < 1) return null;
  return { pid, socketFolder: lines[4] ?? "", status: lines[7]?.trim() || null };
}

export function readPostmasterFile(cluster: string): PostmasterFile | null {
  try {
    return parsePostmasterFile(readFileSync(fileOf(cluster), "utf8"));
  } catch {
    return null;
  }
}

export function judgePostmaster(cluster: string, file: PostmasterFile): PostmasterState {
  if (!isRunning(file.pid)) return isZombie(file.pid) ? "recycled" : "none";
  const program = findProgramName(file.pid);
  if (program === null) return "running"; // no /proc: nothing more to know
  if (!/^(postgres|postmaster)/.test(program)) return "recycled";
  return servesFolder(file.pid, cluster) ? "running" : "recycled";
}

/** The text of `postmaster.pid` as of a server that is surely gone, and not `ready`. */
export function disown(text: string): string {
  const lines = text.split("\n");
  lines[0] = String(NOBODYS_PID);
  if (lines[7] !== undefined) lines[7] = "stopping";
  return lines.join("\n");
}

/**
 * Makes PostgreSQL believe that the process named in `postmaster.pid` is gone. The file itself stays: by the rest
 * of it PostgreSQL finds out whether old backends still hold the shared memory.
 */
export function disownPostmasterFile(cluster: string, user: DatabaseUser): void {
  const file = fileOf(cluster);
  const fresh = `${file}.busyhour`;
  writeFileSync(fresh, disown(readFileSync(file, "utf8")), { mode: 0o600 });
  if (user.switchTo) chownSync(fresh, user.switchTo.uid, user.switchTo.gid);
  renameSync(fresh, file);
}

/** A zombie still answers `kill -0`, which PostgreSQL takes for life: nobody reaps in a container without init. */
function isZombie(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** PostgreSQL works inside its folder; where that can't be seen (containers), its command line names the folder. */
function servesFolder(pid: number, cluster: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === cluster;
  } catch {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(cluster);
    } catch {
      return false;
    }
  }
}

function fileOf(cluster: string): string {
  return path.join(cluster, "postmaster.pid");
}
