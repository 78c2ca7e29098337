import { existsSync } from "node:fs";
import {
  chmod,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import path from "node:path";

export interface CopyRequest {
  /** The package's folder `native`. */
  native: string;
  cacheFolder: string;
  /** Whether the programs in a `bin` folder run. */
  isUsable: (binDir: string) => Promise<boolean>;
}

/** A copy that is older and still unpublished was left by a process that was killed. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;

/**
 * Copies the programs to the cache, with all library links, and returns the copy's `bin`.
 *
 * It appears by a rename, so no other process ever sees half of it; a damaged one is made anew once.
 *
 * @returns `null` when the folder can't be made, isn't safely ours, or the copy doesn't run there
 */
export async function publishCopy({ native, cacheFolder, isUsable }: CopyRequest): Promise<string | null> {
  try {
    await mkdir(cacheFolder, { recursive: true });
    if (!(await isOnlyOurs(cacheFolder))) return null;
    await chmod(cacheFolder, 0o755); // whatever the umask: the database's user must get in
    const copy = path.join(cacheFolder, await nameOf(native));
    const binDir = path.join(copy, "bin");
    if (existsSync(copy)) {
      if ((await areProgramsOurs(copy)) && (await isUsable(binDir))) return binDir;
      await setAside(copy, cacheFolder);
    }
    await removeAbandoned(cacheFolder);
    await makeCopy(native, copy, cacheFolder);
    return (await areProgramsOurs(copy)) && (await isUsable(binDir)) ? binDir : null;
  } catch (error) {
    if (error instanceof Error && "code" in error) return null; // no space, no permission: try elsewhere
    throw error;
  }
}

async function makeCopy(native: string, copy: string, cacheFolder: string): Promise<void> {
  const fresh = await mkdtemp(path.join(cacheFolder, ".new-"));
  try {
    await chmod(fresh, 0o755);
    for (const part of ["bin", "lib", "share"]) {
      const options = { recursive: true, verbatimSymlinks: true };
      await cp(path.join(native, part), path.join(fresh, part), options);
    }
    await linkLibraries(native, fresh);
    await rename(fresh, copy);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    if (!existsSync(copy)) throw error; // else another process was first
  }
}

/** npm packages hold no links: the package lists them, and its postinstall, when it ran, made them in place. */
async function linkLibraries(native: string, fresh: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(path.join(native, "pg-symlinks.json"), "utf8"));
  if (!Array.isArray(list)) return;
  for (const { source, target } of list) {
    const link = path.join(fresh, String(target).replace(/^native\//, ""));
    await symlink(path.basename(String(source)), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

/** `pg-18.4.0-beta.17-linux-x64`: another release of the package gets another copy. */
async function nameOf(native: string): Promise<string> {
  const text = await readFile(path.join(native, "..", "package.json"), "utf8");
  const { version } = JSON.parse(text) as { version: string };
  return `pg-${version}-${process.platform}-${process.arch}`;
}

/** Root may be about to run what lies here: it must be ours, and nobody else may have been able to change it. */
async function isOnlyOurs(file: string): Promise<boolean> {
  const found = await lstat(file);
  return found.uid === process.getuid?.() && !found.isSymbolicLink() && (found.mode & 0o022) === 0;
}

async function areProgramsOurs(copy: string): Promise<boolean> {
  for (const part of ["", "bin", "lib", "bin/postgres", "bin/initdb"]) {
    const isOurs = await isOnlyOurs(path.join(copy, part)).catch(() => false);
    if (!isOurs) return false;
  }
  return true;
}

async function setAside(copy: string, cacheFolder: string): Promise<void> {
  const aside = await mkdtemp(path.join(cacheFolder, ".old-"));
  await rename(copy, path.join(aside, "copy"));
  await rm(aside, { recursive: true, force: true });
}

async function removeAbandoned(cacheFolder: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const folder = path.join(cacheFolder, name);
    if (!name.startsWith(".")) continue;
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(folder, { recursive: true, force: true });
  }
}
