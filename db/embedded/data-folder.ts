import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { DatabaseError } from "../database-error.ts";
import type { Binaries } from "./binaries.ts";
import type { DatabaseUser } from "./database-user.ts";
import { asUser, runCommand } from "./run-command.ts";

/**
 * Makes the app's data folder, if it is not there, and returns its real path.
 *
 * @throws DatabaseError `embedded_unreachable_folder` when it can't be made or written
 */
export function createDataFolder(dataDir: string): string {
  try {
    const first = makeFolders(path.resolve(dataDir));
    if (first !== undefined) openToOthers(first, path.resolve(dataDir));
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return realpathSync(dataDir);
  } catch (cause) {
    throw new DatabaseError("embedded_unreachable_folder", {
      what: `The data folder ${dataDir} can't be made or written: ${cause instanceof Error ? cause.message : cause}.`,
      mend: "Choose another data folder, let this user write there, or set DATABASE_URL.",
      cause,
    });
  }
}

/**
 * Makes a folder and the missing ones above it. Node's own recursive form never ends where the system refuses a
 * folder inside one that exists, as in `/proc`.
 *
 * @returns the first that was made, `undefined` when all were there
 */
function makeFolders(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  const first = makeFolders(path.dirname(folder));
  mkdirSync(folder);
  return first ?? folder;
}

/** Root's umask may be strict, but the database runs as another user, who must get through to its own folder. */
function openToOthers(first: string, dataDir: string): void {
  if (process.getuid?.() !== 0) return;
  for (let folder = dataDir; folder.startsWith(first); folder = path.dirname(folder))
    chmodSync(folder, 0o755);
}

/**
 * Checks that the database's user can enter the data folder.
 *
 * @throws DatabaseError `embedded_unreachable_folder`
 */
export async function checkReachable(dataDir: string, user: DatabaseUser): Promise<void> {
  const { exitCode, stderr } = await runCommand("/bin/sh", ["-c", 'cd "$1"', "sh", dataDir], user);
  if (exitCode === 0) return;
  if (exitCode === null) {
    throw new DatabaseError("embedded_no_owner", {
      what: `Programs can't be run as ${user.name} here: ${stderr}.`,
      mend: "Run as an ordinary user, or set DATABASE_URL.",
    });
  }
  throw new DatabaseError("embedded_unreachable_folder", {
    what: `The database runs as ${user.name}, who can't enter ${dataDir}.`,
    mend: "Choose a data folder such as /var/lib/busyhour, open the folders above it (chmod o+x), or set DATABASE_URL.",
  });
}

/**
 * Major version of the PostgreSQL that made the cluster, `null` when there is none yet.
 *
 * @throws DatabaseError `embedded_not_a_cluster` when the folder holds something else
 */
export function findClusterMajor(cluster: string): number | null {
  const marker = path.join(cluster, "PG_VERSION");
  if (existsSync(marker)) return Number.parseInt(readFileSync(marker, "utf8"), 10);
  if (!existsSync(cluster) || readdirSync(cluster).length === 0) return null;
  throw new DatabaseError("embedded_not_a_cluster", {
    what: `${cluster} is not empty, but it holds no PostgreSQL database.`,
    mend: "Restore it from a backup, move it away to begin anew, or set DATABASE_URL.",
  });
}

/**
 * Makes a new cluster. It is built beside its place and renamed, so a killed start leaves nothing half done.
 * Locale and time zone are the same on every platform; only the socket, whose folder is private, needs no password.
 */
export async function createCluster(
  cluster: string,
  { binDir, major }: Binaries,
  user: DatabaseUser,
): Promise<void> {
  const fresh = `${cluster}.init-${process.pid}`;
  removeUnfinished(cluster);
  mkdirSync(fresh, { mode: 0o700 });
  if (user.switchTo) chownSync(fresh, user.switchTo.uid, user.switchTo.gid);
  const locale = major >= 17 ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"] : [];
  const access = ["--username=postgres", "--auth-local=trust", "--auth-host=scram-sha-256"];
  const result = await runCommand(
    path.join(binDir, "initdb"),
    ["-D", fresh, ...access, "--encoding=UTF8", "--locale=C", ...locale, "--no-instructions"],
    user,
  );
  if (result.exitCode !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    throw initFailed(cluster, user, `${result.stderr}${result.stdout}`.trim());
  }
  renameSync(fresh, cluster);
  syncFolder(path.dirname(cluster));
}

/** Left by starts that were killed; the caller holds the owner's lock, so nobody is at work on one. */
function removeUnfinished(cluster: string): void {
  const folder = path.dirname(cluster);
  const prefix = `${path.basename(cluster)}.init-`;
  for (const name of readdirSync(folder)) {
    if (name.startsWith(prefix)) rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, "r");
  fsyncSync(fd);
  closeSync(fd);
}

function initFailed(cluster: string, user: DatabaseUser, output: string): DatabaseError {
  const isNameless = user.name.startsWith("uid ") && !("uid" in asUser(user));
  return new DatabaseError("embedded_start_failed", {
    what: `A new database could not be made in ${cluster}: ${output.slice(-1000)}.`,
    mend: isNameless
      ? "PostgreSQL needs a user with a name: run as one that the machine knows, or set DATABASE_URL."
      : "Mend what it names (space left, rights of the folder), or set DATABASE_URL.",
  });
}
