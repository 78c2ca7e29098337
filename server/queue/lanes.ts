import type { Sql } from "../../db/connect.ts";
import { AppError } from "../http/app-error.ts";
import { HOUR_MS } from "../rollup/levels.ts";
import { type GateSubject, hashGate, hashLane, type LaneParts } from "./lane.ts";
import { ensureGate, ensureLane } from "./lane-queries.ts";

/** Lanes of a project: as many turns as leasing can give in a moment. */
const MOST_LANES = 5_000;
const MOST_REMEMBERED = 50_000;

/** Numbers of lanes and gates, which are asked for with each job. */
export interface Lanes {
  /** @throws AppError 409 when the project has too many */
  laneOf(projectId: number, parts: LaneParts, nowMs: number): Promise<number>;
  gateOf(projectId: number, subject: GateSubject, nowMs: number): Promise<number>;
  forget(projectId: number): void;
}

interface Known {
  readonly id: number;
  readonly atMs: number;
}

/** @param onGate a gate was asked for that this server did not know */
export function createLanes(sql: Sql, onGate: () => void): Lanes {
  const known = new Map<string, Known>();

  async function remember(key: string, nowMs: number, find: () => Promise<number>): Promise<number> {
    const there = known.get(key);
    // Once an hour it is noted that a lane is in use: those that are not go one day.
    if (there !== undefined && Math.abs(nowMs - there.atMs) < HOUR_MS) return there.id;
    const id = await find();
    if (known.size >= MOST_REMEMBERED) known.clear();
    known.set(key, { id, atMs: nowMs });
    return id;
  }

  return {
    laneOf: (projectId, parts, nowMs) =>
      remember(`${projectId} lane ${hashLane(parts)}`, nowMs, async () => {
        const id = await ensureLane(sql, projectId, parts, { nowMs, most: MOST_LANES });
        if (id === null) throw tooManyLanes();
        return id;
      }),
    gateOf: (projectId, subject, nowMs) =>
      remember(`${projectId} gate ${hashGate(subject)}`, nowMs, async () => {
        const id = await ensureGate(sql, projectId, subject, nowMs);
        onGate();
        return id;
      }),
    forget(projectId) {
      for (const key of known.keys()) if (key.startsWith(`${projectId} `)) known.delete(key);
    },
  };
}

function tooManyLanes(): AppError {
  return new AppError({
    status: 409,
    code: "too_many_submitters",
    title: "Too many kinds of jobs",
    detail: `A project takes ${MOST_LANES} combinations of queue, submitter, priority, target and chain. Name fewer submitters: those that were not used for two days are forgotten.`,
  });
}
