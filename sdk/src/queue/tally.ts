import { quietly } from "../observe/body-watch.ts";
import type { WorkProblem, WorkStats } from "./types.ts";

export type Counted = "completed" | "failed" | "busy" | "stopped" | "cancelled" | "lost";

/** Counts what a worker did. */
export class WorkTally {
  readonly counts: Record<Counted, number> = {
    completed: 0,
    failed: 0,
    busy: 0,
    stopped: 0,
    cancelled: 0,
    lost: 0,
  };

  with(now: Pick<WorkStats, "inFlight" | "concurrency" | "waiting">): WorkStats {
    return { ...this.counts, ...now };
  }
}

/** Tells of problems: to the listener all of them, else each kind once to the console. */
export function createProblemTeller(
  onProblem: ((problem: WorkProblem) => void) | undefined,
): (problem: WorkProblem) => void {
  const told = new Set<string>();
  return (problem) => {
    if (onProblem !== undefined) {
      quietly(() => onProblem(problem));
      return;
    }
    if (told.has(problem.code)) return;
    told.add(problem.code);
    // biome-ignore lint/suspicious/noConsole: the one place where a library without a logger can speak
    console.warn(`busyhour: queue: ${problem.message} (${problem.code}; said once)`);
  };
}
