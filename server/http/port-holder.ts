import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import { promisify } from "node:util";

export interface PortHolder {
  readonly pid: number;
  /** Name of its program, such as `node`. */
  readonly name: string;
}

/** The process that listens on a TCP port of this machine, as far as this user may see it; else `null`. */
export async function findPortHolder(port: number): Promise<PortHolder | null> {
  try {
    return process.platform === "linux" ? await findInProc(port) : await askLsof(port);
  } catch {
    return null;
  }
}

async function findInProc(port: number): Promise<PortHolder | null> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => fs.readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const sockets = new Set(tables.flatMap((table) => listListeningInodes(table, port)).map(toLinkName));
  if (sockets.size === 0) return null;
  for (const pid of (await fs.readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    if (!(await holdsOne(pid, sockets))) continue;
    return { pid: Number(pid), name: (await fs.readFile(`/proc/${pid}/comm`, "utf8")).trim() };
  }
  return null;
}

const toLinkName = (inode: string) => `socket:[${inode}]`;

/** Another user's process, or one that has just ended, shows nothing. */
async function holdsOne(pid: string, sockets: ReadonlySet<string>): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const files = await fs.readdir(folder).catch(() => []);
  for (const file of files) {
    if (sockets.has(await fs.readlink(`${folder}/${file}`).catch(() => ""))) return true;
  }
  return false;
}

const STATE_LISTEN = "0A";

/** Inodes of the sockets that listen on the port, in a table of `/proc/net/tcp`: its numbers are hexadecimal. */
export function listListeningInodes(table: string, port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  return table.split("\n").flatMap((line) => {
    const [, local, , state, , , , , , inode] = line.trim().split(/\s+/);
    return state === STATE_LISTEN && local?.split(":")[1] === wanted && inode !== undefined ? [inode] : [];
  });
}

const run = promisify(execFile);

/** macOS has no `/proc`, and lsof always. */
async function askLsof(port: number): Promise<PortHolder | null> {
  const { stdout } = await run("lsof", ["-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"]);
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  return pid === undefined ? null : { pid: Number(pid), name: /^c(.+)$/m.exec(stdout)?.[1] ?? "" };
}
