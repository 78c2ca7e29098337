#!/usr/bin/env node
// Makes of sdk/ the package that is published: dist/sdk/, as ESM and CommonJS with their types. In this repository
// everything goes on importing the sources. To publish: npm run build:sdk && npm publish dist/sdk
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");
const source = path.join(root, "sdk");

/** Name of each door, as in `exports`, and its folder in the sources. */
const DOORS = { ".": "", "./spool": "spool/", "./files": "files/" };

/** @param {string} folder is made anew */
export async function buildSdk(folder = path.join(root, "dist", "sdk")) {
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  writeModules(folder);
  await bundleCommonJs(folder);
  writeManifest(folder);
  for (const [from, name] of [
    [source, "README.md"],
    [root, "LICENSE"],
  ]) {
    if (fs.existsSync(path.join(from, name))) fs.copyFileSync(path.join(from, name), path.join(folder, name));
  }
  return folder;
}

/** A file per module: whoever bundles an app leaves out what it does not use, rules of classification above all. */
function writeModules(folder) {
  const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
  const modules = path.join(folder, "esm");
  const args = [tsc, "-p", path.join(source, "tsconfig.json"), "--outDir", modules];
  execFileSync(process.execPath, args, { stdio: ["ignore", 2, 2] });
  for (const name of fs.readdirSync(modules, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".d.ts")) continue;
    const file = path.join(modules, name);
    // The compiler leaves the extensions of sources in declarations; outside there are none of these.
    const text = fs.readFileSync(file, "utf8").replace(/((?:from|import\()\s*"\.[^"]*)\.ts"/g, '$1.js"');
    fs.writeFileSync(file, text);
    // The same declarations for CommonJS: which of the two a file is, is said by the nearest package.json.
    const twin = path.join(folder, "cjs", name);
    fs.mkdirSync(path.dirname(twin), { recursive: true });
    fs.writeFileSync(twin, text);
  }
}

/** A file per door. */
async function bundleCommonJs(folder) {
  const esbuild = await import("esbuild");
  await esbuild.build({
    absWorkingDir: source,
    entryPoints: Object.values(DOORS).map((place) => `src/${place}index.ts`),
    outbase: "src",
    outdir: path.join(folder, "cjs"),
    bundle: true,
    format: "cjs",
    platform: "neutral",
    external: ["node:*"],
    target: "es2022",
    charset: "utf8",
    logLevel: "warning",
  });
  fs.writeFileSync(path.join(folder, "cjs", "package.json"), `${JSON.stringify({ type: "commonjs" })}\n`);
}

function writeManifest(folder) {
  const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
  const { name, version, description, engines } = readJson(path.join(source, "package.json"));
  const { license } = readJson(path.join(root, "package.json"));
  const file = (format, place, end) => `./${format}/${place}index${end}`;
  const entry = (format, place) => ({
    types: file(format, place, ".d.ts"),
    default: file(format, place, ".js"),
  });
  const manifest = {
    name,
    version,
    description,
    license,
    type: "module",
    sideEffects: false,
    engines,
    main: "./cjs/index.js",
    module: "./esm/index.js",
    types: "./cjs/index.d.ts",
    exports: {
      ...Object.fromEntries(
        Object.entries(DOORS).map(([door, place]) => [
          door,
          { import: entry("esm", place), require: entry("cjs", place) },
        ]),
      ),
      "./package.json": "./package.json",
    },
    // For compilers that do not read `exports`.
    typesVersions: {
      "*": { spool: ["./cjs/spool/index.d.ts"], files: ["./cjs/files/index.d.ts"] },
    },
    files: ["esm", "cjs"],
  };
  fs.writeFileSync(path.join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  const folder = await buildSdk(process.argv[2] && path.resolve(process.argv[2]));
  console.log(path.relative(process.cwd(), folder));
}
