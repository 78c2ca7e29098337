import { randomUUID } from "node:crypto";
import fs from "node:fs";
import os from "node:os";

/** How often an owner says that it lives. */
const BEAT_MS = 30_000;
/** One on another machine that has not said so for this long is dead. */
const DEAD_AFTER_MS = 4 * BEAT_MS;
/** To take over takes no time: one that was broken off is forgotten after this. */
const TAKEOVER_MS = 10_000;

/** Who has a file, as its lock says. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  readonly since: string;
}

export interface FileLock {
  release(): void;
}

/** Locks of this process: its own number tells nothing about them. */
const held = new Map<string, string>();

/**
 * Takes a file for this process, by a file beside it that is made by one alone. A lock whose process is gone is taken
 * over: at once on the same machine, else after two minutes of silence.
 *
 * @returns the lock, or who has it
 */
export function takeLock(file: string): FileLock | LockOwner {
  const place = `${file}.lock`;
  const token = randomUUID();
  const owner = { pid: process.pid, host: os.hostname(), since: new Date().toISOString(), token };
  if (!make(place, owner)) {
    const other = takeOver(place, owner);
    if (other !== null) return other;
  }
  held.set(place, token);
  const beating = setInterval(() => beat(place), BEAT_MS);
  beating.unref();
  const remove = () => {
    if (held.get(place) === token) held.delete(place);
    try {
      if (read(place)?.token === token) fs.unlinkSync(place);
    } catch {
      // It is not there any more.
    }
  };
  process.on("exit", remove);
  return {
    release() {
      clearInterval(beating);
      process.removeListener("exit", remove);
      remove();
    },
  };
}

type Owner = LockOwner & { readonly token: string };

/** Nobody ever sees it half written. @returns whether it was not there before */
function make(place: string, owner: Owner): boolean {
  const draft = `${place}.${owner.token}`;
  fs.writeFileSync(draft, JSON.stringify(owner));
  try {
    fs.linkSync(draft, place);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === "EEXIST") return false;
    throw error;
  } finally {
    fs.unlinkSync(draft);
  }
}

function replace(place: string, owner: Owner): void {
  const draft = `${place}.${owner.token}`;
  fs.writeFileSync(draft, JSON.stringify(owner));
  fs.renameSync(draft, place);
}

/** One at a time may look whether the owner is gone: else two could, and both would be right. */
function takeOver(place: string, owner: Owner): LockOwner | null {
  const door = `${place}.takeover`;
  try {
    fs.mkdirSync(door);
  } catch (error) {
    if ((error as { code?: unknown }).code !== "EEXIST") throw error;
    const ageMs = Date.now() - (fs.statSync(door, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (ageMs < TAKEOVER_MS) return read(place) ?? owner;
    fs.rmSync(door, { recursive: true, force: true });
    return takeOver(place, owner);
  }
  try {
    const other = read(place);
    if (other !== null && isAlive(place, other)) return other;
    replace(place, owner);
    return null;
  } finally {
    fs.rmSync(door, { recursive: true, force: true });
  }
}

function read(place: string): Owner | null {
  try {
    const owner = JSON.parse(fs.readFileSync(place, "utf8")) as Owner;
    return typeof owner.pid === "number" ? owner : null;
  } catch {
    return null;
  }
}

function isAlive(place: string, { pid, host, since, token }: Owner): boolean {
  if (host !== os.hostname()) {
    const beatMs = fs.statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return Date.now() - beatMs < DEAD_AFTER_MS;
  }
  // This process may have got the number of the one that left it behind; what is younger is another thread's.
  if (pid === process.pid)
    return held.get(place) === token || Date.parse(since) > Date.now() - process.uptime() * 1_000;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: unknown }).code !== "ESRCH";
  }
}

function beat(place: string): void {
  try {
    const now = new Date();
    fs.utimesSync(place, now, now);
  } catch {
    // Nothing depends on it on this machine.
  }
}
