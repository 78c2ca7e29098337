import { execFileSync } from "node:child_process";

/** Memory of a process that is in RAM, in MiB. */
export function readMemoryMib(pid: number): number {
  const kib = Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }));
  return Math.round(kib / 1024);
}

/** Whether memory stopped growing: the later half's lowest against the highest of what is allowed. */
export function isBounded(samplesMib: readonly number[], limitMib: number): boolean {
  if (samplesMib.length < 8) return Math.max(...samplesMib) <= limitMib;
  const quarter = samplesMib.length >> 2;
  const floor = (from: number) => Math.min(...samplesMib.slice(from, from + quarter));
  const isLevel = floor(samplesMib.length - quarter) <= floor(quarter) * 1.25 + 32;
  return isLevel && Math.max(...samplesMib) <= limitMib;
}
