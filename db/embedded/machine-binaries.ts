import { readdirSync } from "node:fs";
import path from "node:path";
import type { DatabaseUser } from "./database-user.ts";
import { runCommand } from "./run-command.ts";

/** Where packages put a PostgreSQL of each major version; the star stands for the version. */
const PLACES = [
  "/usr/lib/postgresql/*/bin", // Debian, Ubuntu
  "/usr/pgsql-*/bin", // Red Hat
  "/usr/libexec/postgresql*", // Alpine
  "/opt/homebrew/opt/postgresql@*/bin",
  "/usr/local/opt/postgresql@*/bin",
  "/Library/PostgreSQL/*/bin",
  "/Applications/Postgres.app/Contents/Versions/*/bin",
];

/** Folders that may hold `postgres`: first what `pg_config` names, then the known places, newest first in each. */
export async function listMachineFolders(user: DatabaseUser): Promise<string[]> {
  const { exitCode, stdout } = await runCommand("pg_config", ["--bindir"], user);
  const named = exitCode === 0 && stdout.trim() !== "" ? [stdout.trim()] : [];
  return [...new Set([...named, ...PLACES.flatMap(listVersions)])];
}

function listVersions(place: string): string[] {
  const [before = "", after = ""] = place.split("*");
  const folder = path.dirname(`${before}x`);
  const prefix = before.slice(folder.length + 1);
  return readFolder(folder)
    .flatMap((name) => {
      const version = name.startsWith(prefix) ? name.slice(prefix.length) : "";
      return /^\d+(\.\d+)?$/.test(version)
        ? [{ version: Number(version), dir: path.join(folder, name, after) }]
        : [];
    })
    .sort((a, b) => b.version - a.version)
    .map(({ dir }) => dir);
}

function readFolder(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
