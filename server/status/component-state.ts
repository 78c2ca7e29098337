import type { ComponentMode, StatusState } from "../contract/status.ts";
import type { Followed } from "./measure/follow-level.ts";
import { BUSY, type Level } from "./measure/level.ts";
import { MAINTENANCE } from "./measure/quarter-levels.ts";

/** How a component does now, as it is shown. */
export interface ComponentNow {
  readonly state: StatusState;
  /** The same as a number, `MAINTENANCE` included; where too little is known, the last level that was. */
  readonly level: number;
  /** `null`: longer than is looked back. */
  readonly sinceMs: number | null;
}

/** By the number that a level, or maintenance, has. */
export const STATE_OF_LEVEL: readonly StatusState[] = [
  "available",
  "busy",
  "veryBusy",
  "unavailable",
  "maintenance",
];

export interface StateParts {
  readonly mode: ComponentMode;
  readonly measured: Followed;
  /** Start of an episode of a target of it that goes on; `null`: none. */
  readonly openEpisodeMs: number | null;
  readonly said: { readonly level: number; readonly sinceMs: number } | null;
}

/**
 * What is measured, what the team says, or the worse of the two, as the component's mode has it. Maintenance stands over
 * what is measured. While an episode goes on, the component is busy at least: both are found by their own patience, and
 * a page must not contradict itself.
 */
export function combineState({ mode, measured, openEpisodeMs, said }: StateParts): ComponentNow {
  if (mode === "manual") return said === null ? toNow(0, null) : toNow(said.level, said.sinceMs);
  const own = withEpisode(measured, openEpisodeMs);
  if (mode === "auto" || said === null) return own;
  const isWorse = said.level > own.level || (own.state === "noData" && said.level >= own.level);
  return isWorse ? toNow(said.level, said.sinceMs) : own;
}

function withEpisode({ level, isThin, sinceMs }: Followed, openEpisodeMs: number | null): ComponentNow {
  if (openEpisodeMs !== null && (isThin || level < BUSY)) {
    const held: Level = level < BUSY ? BUSY : level;
    return toNow(held, openEpisodeMs);
  }
  return isThin ? { state: "noData", level, sinceMs } : toNow(level, sinceMs);
}

function toNow(level: number, sinceMs: number | null): ComponentNow {
  return { state: STATE_OF_LEVEL[level] ?? "noData", level, sinceMs };
}

export const isTrouble = ({ state }: ComponentNow): boolean =>
  state === "busy" || state === "veryBusy" || state === "unavailable";

export const isMaintained = ({ level }: ComponentNow): boolean => level === MAINTENANCE;
