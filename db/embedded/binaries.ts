import path from "node:path";
import { DatabaseError } from "../database-error.ts";
import type { DatabaseUser } from "./database-user.ts";
import { listMachineFolders } from "./machine-binaries.ts";
import { listCacheFolders, preparePackageBinaries } from "./package-binaries.ts";
import { runCommand } from "./run-command.ts";

/** A PostgreSQL that runs here as the database's user. */
export interface Binaries {
  /** Holds `postgres` and `initdb`. */
  binDir: string;
  major: number;
}

export interface BinariesRequest {
  user: DatabaseUser;
  /** Major version of the cluster that is already there, `null` for a new one. */
  clusterMajor: number | null;
  /** Use this one and no other. */
  binDir?: string;
}

const OLDEST_MAJOR = 15;

/**
 * Finds the PostgreSQL to run: the npm package's, else the newest on the machine; for a cluster that is already
 * there, the first of its own major version.
 *
 * @throws DatabaseError `embedded_unsupported` when there is none, `embedded_version_mismatch` when none fits
 */
export async function findBinaries({ user, clusterMajor, binDir }: BinariesRequest): Promise<Binaries> {
  const rejected: string[] = [];
  const foreign: Binaries[] = [];
  for await (const candidate of binDir === undefined ? listCandidates(user) : [binDir]) {
    const checked = await checkBinaries(candidate, user);
    if (typeof checked === "string") rejected.push(checked);
    else if (clusterMajor === null || clusterMajor === checked.major) return checked;
    else foreign.push(checked);
  }
  const [other] = foreign;
  if (other !== undefined && clusterMajor !== null) throw versionMismatch(clusterMajor, other);
  throw unsupported(rejected);
}

/** @returns why it can't be used, as a sentence without a full stop, or what it is */
export async function checkBinaries(binDir: string, user: DatabaseUser): Promise<Binaries | string> {
  for (const program of ["initdb", "postgres"]) {
    const { exitCode, stdout, stderr } = await runCommand(path.join(binDir, program), ["--version"], user);
    if (exitCode !== 0)
      return `${path.join(binDir, program)} does not run as ${user.name}: ${firstLine(stderr)}`;
    const major = parseMajor(stdout);
    if (major < OLDEST_MAJOR) return `${binDir} has PostgreSQL ${major}, older than ${OLDEST_MAJOR}`;
    if (program === "postgres") return { binDir, major };
  }
  return `${binDir} is empty`;
}

/** `postgres (PostgreSQL) 18.4` and `15.18 (Debian 15.18-0+deb12u1)` both start with the version; 0 if neither. */
export function parseMajor(versionText: string): number {
  return Number(/\)\s+(\d+)/.exec(versionText)?.[1] ?? 0);
}

async function* listCandidates(user: DatabaseUser): AsyncGenerator<string> {
  const fromPackage = await preparePackageBinaries({ user, cacheFolders: listCacheFolders(user) });
  if (fromPackage !== null) yield fromPackage;
  yield* await listMachineFolders(user);
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}

function versionMismatch(clusterMajor: number, found: Binaries): DatabaseError {
  return new DatabaseError("embedded_version_mismatch", {
    what:
      `The data folder was made by PostgreSQL ${clusterMajor}, but the one found here (${found.binDir}) ` +
      `is PostgreSQL ${found.major}. Nothing was changed.`,
    mend:
      `Install PostgreSQL ${clusterMajor} on this machine, go back to the earlier release of Busyhour, ` +
      "choose another data folder, or set DATABASE_URL.",
  });
}

function unsupported(rejected: string[]): DatabaseError {
  const reasons = rejected.length === 0 ? "" : ` (${rejected.join("; ")})`;
  return new DatabaseError("embedded_unsupported", {
    what:
      `No PostgreSQL ${OLDEST_MAJOR} or newer was found for ${process.platform}-${process.arch}, ` +
      `neither as an npm package nor on this machine${reasons}.`,
    mend:
      "Set DATABASE_URL to a PostgreSQL server, install PostgreSQL, " +
      "or install again without --omit=optional.",
  });
}
