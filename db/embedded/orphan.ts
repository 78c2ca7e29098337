import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "../database-error.ts";
import type { DatabaseUser } from "./database-user.ts";
import { disownPostmasterFile, judgePostmaster, readPostmasterFile } from "./postmaster-file.ts";
import { listSocketFolders } from "./socket-folder.ts";

export interface OrphanRequest {
  cluster: string;
  user: DatabaseUser;
  say: (line: string) => void;
  signal?: AbortSignal | undefined;
}

/** It may have a checkpoint of a gigabyte to write before it ends. */
const END_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 50;

/**
 * Ends a server that an earlier run of ours left behind, and takes what is left of one that died off its file.
 * Call it with the owner's lock held: then no living app can be using that server.
 *
 * @throws DatabaseError `embedded_in_use` for a server that somebody else started on this folder by hand
 */
export async function endOrphan({ cluster, user, say, signal }: OrphanRequest): Promise<void> {
  const deadline = Date.now() + END_WITHIN_MS;
  let askedAt = 0;
  for (;;) {
    const file = readPostmasterFile(cluster);
    if (file === null) return;
    if (judgePostmaster(cluster, file) !== "running") {
      disownPostmasterFile(cluster, user);
      return;
    }
    // Empty: it has only just begun to start.
    const isOurs = file.socketFolder === "" || listSocketFolders(cluster).includes(file.socketFolder);
    if (!isOurs || Date.now() > deadline) throw inUse(cluster, file.pid);
    if (Date.now() - askedAt > ASK_EVERY_MS) {
      if (askedAt === 0) say("The database of an earlier run is still there: ending it first.");
      askedAt = Date.now();
      sendInterrupt(file.pid);
    }
    await sleep(LOOK_EVERY_MS, undefined, { signal });
  }
}

/** SIGINT is PostgreSQL's "fast shutdown": it ends its sessions and loses nothing. */
function sendInterrupt(pid: number): void {
  try {
    process.kill(pid, "SIGINT");
  } catch {
    // Gone in the meantime: the next look shows it.
  }
}

function inUse(cluster: string, pid: number): DatabaseError {
  return new DatabaseError("embedded_in_use", {
    what: `The database in ${cluster} is in use by a PostgreSQL server with process number ${pid}.`,
    mend: "Stop that server, choose another data folder, or set DATABASE_URL.",
  });
}
