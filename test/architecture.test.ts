import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");

/** Which rooms a room may import from; what is not named here it must not know. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  db: [],
  sdk: [],
  server: ["db", "sdk"],
  web: ["server/contract", "sdk"],
};

/** The SDK's public doors; all but the first are for Node alone. */
const DOORS = ["@busyhour/sdk", "@busyhour/sdk/spool", "@busyhour/sdk/files"];
const NODE_ROOMS = ["sdk/src/spool", "sdk/src/files"];

interface Import {
  readonly file: string;
  /** As written, or as a path from the root where it is relative. */
  readonly from: string;
}

function listFiles(folder: string): string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : listFiles(file);
    return /\.tsx?$/.test(entry.name) ? [file] : [];
  });
}

function listImports(file: string): Import[] {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  return [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^;=]*?\bfrom\s+["']([^"']+)["']|(?:^|\n)import\s+["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g,
    ),
  ].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3] ?? "";
    const from = specifier.startsWith(".") ? path.join(path.dirname(file), specifier) : specifier;
    return { file, from };
  });
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const isWithin = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);

describe("the rooms", () => {
  for (const [room, allowed] of Object.entries(MAY_IMPORT)) {
    const imports = listFiles(room).flatMap(listImports);

    it(`${room}/ imports only ${["itself", ...allowed].join(", ")} of ours`, () => {
      const ours = imports.filter(({ from }) => /^(?:db|sdk|server|web|test|bin)\//.test(from));
      const trespasses = ours.filter(
        ({ from }) => !isWithin(from, room) && !allowed.some((place) => isWithin(from, place)),
      );
      expect(trespasses).toEqual([]);
    });

    it(`${room}/ reaches the SDK by its public door`, () => {
      const byName = imports.filter(({ from }) => from.startsWith("@busyhour/sdk"));
      expect(byName.filter(({ from }) => !DOORS.includes(from))).toEqual([]);
      if (!allowed.includes("sdk")) expect(byName).toEqual([]);
    });
  }

  it("the SDK imports no package, and nothing of Node but in its rooms for it", () => {
    const files = listFiles("sdk").filter((file) => !isTest(file));
    const foreign = files.flatMap(listImports).filter(({ from }) => !isWithin(from, "sdk"));
    const isInNodeRoom = (file: string) => NODE_ROOMS.some((room) => isWithin(file, room));
    const isOfNode = ({ file, from }: Import) => isInNodeRoom(file) && from.startsWith("node:");
    expect(foreign.filter((one) => !isOfNode(one))).toEqual([]);
    for (const room of NODE_ROOMS) {
      const ways = files.flatMap(listImports).filter(({ from }) => isWithin(from, room));
      expect(ways.filter(({ file }) => !isWithin(file, room))).toEqual([]);
    }
    const manifest = JSON.parse(fs.readFileSync(path.join(root, "sdk/package.json"), "utf8"));
    expect(manifest.dependencies ?? {}).toEqual({});
  });

  it("only env.ts, the terminal and main read the environment in server/", () => {
    const readers = listFiles("server").filter(
      (file) => !isTest(file) && /process\.env\b/.test(fs.readFileSync(path.join(root, file), "utf8")),
    );
    expect(readers).toEqual(["server/cli/terminal.ts"]);
  });

  it("pure files of server/ know neither SQL nor HTTP", () => {
    const withSql = ["queries.ts", "job.ts", "routes.ts", "-job.ts", "store.ts", "dictionary.ts"];
    const speakers = listFiles("server/capacity").filter(
      (file) => !isTest(file) && !withSql.some((end) => file.endsWith(end)),
    );
    const pure = speakers.filter(
      (file) => !/\bsql: Sql\b/.test(fs.readFileSync(path.join(root, file), "utf8")),
    );
    for (const file of pure) {
      const express = listImports(file).filter(({ from }) => from === "express" || from === "postgres");
      expect(express).toEqual([]);
    }
    expect(pure.map((file) => path.basename(file))).toEqual(
      expect.arrayContaining(["cell.ts", "segments.ts", "sentence.ts", "share.ts"]),
    );
  });
});

describe("the repository", () => {
  const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");

  it("has a lock file that names no registry", () => {
    const lock = fs.readFileSync(path.join(root, "package-lock.json"), "utf8");
    expect(lock).not.toMatch(/"resolved": "https?:/);
  });

  it("pins every version exactly", () => {
    const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
    const versions = Object.entries<string>({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  });

  it("tracks neither builds nor data", () => {
    expect(tracked.filter((file) => /^(?:dist|node_modules)\//.test(file))).toEqual([]);
  });
});
