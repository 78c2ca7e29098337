import type { Outcome } from "../outcome.ts";
import type { AttemptEnd } from "./attempt.ts";
import { completionOf, type Ending, judgeFailure } from "./ending.ts";
import type { QueueJob, WorkProblem } from "./types.ts";

/** What the end of an attempt means. */
export interface JudgedEnd {
  /** For the server. */
  readonly ending: Ending;
  /** For the pace; `nothing`: it says nothing of the room there is. */
  readonly pace:
    | { readonly is: "went" | "nothing" }
    | { readonly is: "full"; readonly outcome: Outcome; readonly advisedMs: number | null };
  /** For people. */
  readonly problem: Omit<WorkProblem, "job"> | null;
}

const EVERYBODYS: readonly Outcome[] = ["timeout", "network", "server_error", "unknown"];

/** @param isOwn whether a failure is the job's own; see `EndingFacts` */
export function judgeEnd(
  end: AttemptEnd,
  job: Pick<QueueJob, "id" | "attempt" | "failures">,
  isOwn: boolean,
  random: () => number,
): JudgedEnd {
  if (end.is === "said") {
    const isFull = end.ending.verb === "release";
    const pace = isFull
      ? ({ is: "full", outcome: "capacity", advisedMs: null } as const)
      : ({ is: "nothing" } as const);
    return { ending: end.ending, pace, problem: problemOf(job, end.ending) };
  }
  const { answer } = end;
  if (answer.outcome === "ok") {
    const { ending, fault } = completionOf(answer.value);
    const problem = fault === null ? null : ({ code: "refused", message: fault } as const);
    return { ending, pace: { is: "went" }, problem };
  }
  const { outcome, advisedMs } = answer;
  const spared = job.attempt - 1 - job.failures;
  const ending = judgeFailure(answer, { isOwn, spared }, random);
  const isFull = ending.verb === "release" || EVERYBODYS.includes(outcome);
  const pace = isFull ? ({ is: "full", outcome, advisedMs } as const) : ({ is: "nothing" } as const);
  return { ending, pace, problem: problemOf(job, ending) };
}

function problemOf({ id }: Pick<QueueJob, "id">, { verb, body }: Ending): JudgedEnd["problem"] {
  return verb === "fail" ? { code: "job", message: `job ${id} failed: ${body.error}` } : null;
}
