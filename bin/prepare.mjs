// Makes a fresh clone ready: packages installed, product built. Plain JavaScript without packages, since it is what
// runs before there are any. Each step is passed over when it is up to date.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { patchDriver } from "./patch-driver.mjs";

export const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "..");

/** In a clone there are sources to build; an installed package comes built. */
export const isClone = fs.existsSync(path.join(root, "server", "main.ts"));

const say = (line) => process.stderr.write(`busyhour: ${line}\n`);

/** A failure that is told in words. */
class PrepareError extends Error {}

/** Ends with words instead of a stack when a step fails as foreseen. */
export async function prepare({ build = true } = {}) {
  if (!isClone) return;
  try {
    assertNode();
    const unlock = await lock();
    try {
      install();
      mendDriver();
      if (build) await buildProduct();
    } finally {
      unlock();
    }
  } catch (error) {
    if (!(error instanceof PrepareError)) throw error;
    say(error.message);
    process.exit(1);
  }
}

function assertNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 12)) return;
  throw new PrepareError(`Node.js 20.12 or newer is needed, this is ${process.versions.node}.`);
}

const readJson = (file) => JSON.parse(fs.readFileSync(path.join(root, file), "utf8"));

/** Whether what is installed is what the lock file names. */
function isInstalled() {
  try {
    const wanted = readJson("package-lock.json").packages;
    const present = readJson("node_modules/.package-lock.json").packages;
    return Object.entries(wanted).every(([name, entry]) => {
      if (!name.startsWith("node_modules/") || entry.link) return true;
      const found = present[name];
      return found === undefined ? entry.optional === true : found.version === entry.version;
    });
  } catch {
    return false;
  }
}

function install() {
  if (isInstalled()) return;
  assertWritable();
  say("installing packages (npm ci); the first time this takes a minute …");
  const npm = process.env.npm_execpath;
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  const [command, ...rest] = npm ? [process.execPath, npm, ...args] : ["npm", ...args];
  const { npm_command: _, ...env } = process.env;
  const { status, error } = spawnSync(command, rest, { cwd: root, stdio: ["ignore", 2, 2], env });
  if (status !== 0)
    throw new PrepareError(
      `npm ci failed (${error?.message ?? `exit code ${status}`}); its words are above.`,
    );
}

function mendDriver() {
  try {
    patchDriver(root);
  } catch (error) {
    throw new PrepareError(error.message);
  }
}

function assertWritable() {
  try {
    fs.accessSync(root, fs.constants.W_OK);
  } catch {
    throw new PrepareError(
      `${root} cannot be written by this user: packages and the build go there. Clone it into a folder of your own.`,
    );
  }
}

const SOURCES = [
  "db",
  "sdk/src",
  "server",
  "web",
  "bin/build.mjs",
  "package-lock.json",
  "package.json",
  "vite.config.ts",
];

/** A fingerprint of everything that the build reads: names, sizes and times. */
function sourceStamp() {
  const hash = createHash("sha256");
  const visit = (file) => {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (stat.isDirectory()) for (const name of fs.readdirSync(file).sort()) visit(path.join(file, name));
    else hash.update(`${path.relative(root, file)} ${stat.size} ${stat.mtimeMs}\n`);
  };
  for (const source of SOURCES) visit(path.join(root, source));
  return hash.digest("hex");
}

async function buildProduct() {
  const stampFile = path.join(root, "dist", ".stamp");
  const stamp = sourceStamp();
  if (fs.existsSync(stampFile) && fs.readFileSync(stampFile, "utf8") === stamp) return;
  assertWritable();
  say("building …");
  const { build } = await import("./build.mjs");
  await build().catch((error) => {
    throw new PrepareError(`the build failed: ${error.message}`);
  });
  fs.writeFileSync(stampFile, stamp);
}

/** Two commands in one fresh clone take turns: the second finds the work done. */
async function lock() {
  const file = path.join(root, ".busyhour-prepare.lock");
  let hasSaid = false;
  for (;;) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: "wx" });
      return () => fs.rmSync(file, { force: true });
    } catch (error) {
      if (error.code !== "EEXIST") return () => {};
    }
    if (isStale(file)) {
      fs.rmSync(file, { force: true });
      continue;
    }
    if (!hasSaid) say("another command is preparing this clone; waiting for it …");
    hasSaid = true;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function isStale(file) {
  try {
    process.kill(Number(fs.readFileSync(file, "utf8")), 0);
    return false;
  } catch (error) {
    return error.code !== "EPERM";
  }
}
