import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** How often an owner says that it lives. */
export const BEAT_MS = 30_000;
/** One that has not said so for this long is dead: long enough for a process that was held up. */
export const DEAD_AFTER_MS = 4 * BEAT_MS;

const END = ".owner";
const fileOf = (folder: string, id: string) => path.join(folder, id + END);

/** Says that the owner lives, now. The file's time is its word, its content tells the same machine at once. */
export async function beat(folder: string, id: string, nowMs: number): Promise<void> {
  const file = fileOf(folder, id);
  const time = new Date(nowMs);
  try {
    await fs.utimes(file, time, time);
  } catch {
    await fs.mkdir(folder, { recursive: true, mode: 0o700 });
    await fs.writeFile(file, JSON.stringify({ pid: process.pid, host: os.hostname() }), { mode: 0o600 });
    await fs.utimes(file, time, time);
  }
}

export async function removeOwner(folder: string, id: string): Promise<void> {
  await fs.rm(fileOf(folder, id), { force: true });
}

/** Path of the owner's file, for whoever removes it while the process exits. */
export const ownerFile = fileOf;

export function idOfOwnerFile(name: string): string | null {
  return name.endsWith(END) ? name.slice(0, -END.length) : null;
}

/**
 * Whether somebody still writes under this id. On this machine a process that is gone is known at once; a number
 * that another process has got since, another machine and another container are known by their silence.
 */
export async function isAlive(folder: string, id: string, nowMs: number): Promise<boolean> {
  try {
    const file = fileOf(folder, id);
    const [stat, text] = await Promise.all([fs.stat(file), fs.readFile(file, "utf8")]);
    if (nowMs - stat.mtimeMs > DEAD_AFTER_MS) return false;
    return !isGone(text);
  } catch {
    return false;
  }
}

function isGone(text: string): boolean {
  try {
    const { pid, host } = JSON.parse(text) as { pid?: unknown; host?: unknown };
    if (host !== os.hostname() || typeof pid !== "number" || pid === process.pid) return false;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as { code?: unknown }).code === "ESRCH";
  }
}
