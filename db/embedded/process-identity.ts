import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";

/**
 * Tells one process from every other one, also from a later one that was given the same number.
 *
 * Linux reads /proc. macOS has none: there `ps` gives the start time, and boot and namespace are empty.
 */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
  /** A new one at every start of the machine. */
  bootId: string;
  /** Process numbers mean nothing outside of their namespace (a container has its own). */
  pidNamespace: string;
}

/** How a process is doing, judged from here. */
export type Liveness = "alive" | "dead" | "unknown";

export function describeMyself(): ProcessIdentity {
  return {
    pid: process.pid,
    startedAt: findStartTime(process.pid) ?? "",
    bootId: readOr("", () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    pidNamespace: readOr("", () => readlinkSync("/proc/self/ns/pid")),
  };
}

/** `unknown` when it lives, or lived, where we can't look: in another container or on another machine. */
export function judgeLiveness(other: ProcessIdentity, me: ProcessIdentity): Liveness {
  if (other.bootId !== me.bootId || other.pidNamespace !== me.pidNamespace) return "unknown";
  if (!isRunning(other.pid)) return "dead";
  const startedAt = findStartTime(other.pid);
  if (startedAt === null) return "unknown"; // /proc mounted with hidepid
  return startedAt === other.startedAt ? "alive" : "dead";
}

/** Whether a process of that number runs; a zombie does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
  }
  return readStat(pid)?.state !== "Z";
}

/** The name of its program (at most 15 characters), or `null` without /proc. */
export function findProgramName(pid: number): string | null {
  return readStat(pid)?.program ?? null;
}

/** Unit and zero differ by platform: only good for comparing. */
function findStartTime(pid: number): string | null {
  if (process.platform === "linux") return readStat(pid)?.startTicks ?? null;
  return readOr(null, () => {
    const args = ["-o", "lstart=", "-p", String(pid)];
    return execFileSync("ps", args, {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
    }).trim();
  });
}

function readStat(pid: number): { program: string; state: string; startTicks: string } | null {
  return readOr(null, () => parseStat(readFileSync(`/proc/${pid}/stat`, "utf8")));
}

/** Fields 2, 3 and 22 of /proc/<pid>/stat. The name may hold spaces and brackets: look for the last one. */
export function parseStat(text: string): { program: string; state: string; startTicks: string } | null {
  const end = text.lastIndexOf(")");
  const fields = text.slice(end + 2).split(" ");
  const state = fields[0];
  const startTicks = fields[19];
  if (end < 0 || state === undefined || startTicks === undefined) return null;
  return { program: text.slice(text.indexOf("(") + 1, end), state, startTicks };
}

function readOr<T>(fallback: T, read: () => T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}
