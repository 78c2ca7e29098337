import type { Outcome } from "../../outcome.ts";
import type { OutputCheck } from "../output/output-check.ts";
import type { KnownServer } from "../sync/server-of.ts";
import type { Target } from "../types.ts";

/** A typical task, and how to tell whether it was done well. */
export interface RehearsalCase<Input, Output, Value = Output> {
  /** Shown in the table and sent to the server. Default: `case 1`, `case 2`, … */
  readonly name?: string;
  readonly input: Input;
  /** What the answer must be: `json(schema)`, `text({ nonEmpty: true })` or a check of your own. */
  readonly output?: OutputCheck<Output, Value>;
  /**
   * What the answer must hold: a text or a pattern; or a function, whose `false`, text or error says that it was not done
   * well. Without it any answer passes.
   */
  readonly expect?: string | RegExp | ((value: Value, target: Target) => unknown);
}

export interface RehearsalOptions {
  /** Calls at once, of all targets together. Default: 4. */
  readonly concurrency?: number;
  /** Time for one task, in milliseconds. Default: the router's. */
  readonly deadlineMs?: number;
  /** Share of tasks that a target must pass, 0–1. Default: 1. */
  readonly leastPassShare?: number;
  readonly signal?: AbortSignal;
  /** Hears of each task that is done. What it throws is swallowed. */
  readonly onProgress?: (progress: RehearsalProgress) => void;
  /** Takes the table. Default: `console.log`; `false`: nobody. */
  readonly print?: ((table: string) => void) | false;
  /** Where to report. Default: the server of the router's plan, where there is one; `false`: nowhere. */
  readonly server?: KnownServer | false;
  /** The app or service, in the report. */
  readonly source?: string;
}

export interface RehearsalProgress {
  readonly done: number;
  readonly total: number;
  readonly target: string;
  readonly case: string;
  readonly isPassed: boolean;
}

/** Why a task failed: nobody answered, the output check refused the answer, or it was not what was expected. */
export type RehearsalFailureReason = "call" | "output" | "expectation";

export interface RehearsalFailure {
  readonly case: string;
  readonly reason: RehearsalFailureReason;
  /** Of the last attempt, when the call failed. */
  readonly outcome: Outcome | null;
  /** For people. May hold what the model answered: it is not sent to the server. */
  readonly detail: string;
}

export interface RehearsedTarget {
  readonly target: Target;
  readonly passed: number;
  readonly failed: number;
  /** Whether it passed enough of the tasks. */
  readonly isOk: boolean;
  /** Median time of the tasks that were answered, in milliseconds; `null`: none was. */
  readonly latencyMsP50: number | null;
  readonly failures: readonly RehearsalFailure[];
}

export interface Rehearsal {
  /** Whether every target did well enough. */
  readonly isOk: boolean;
  /** For `process.exitCode`: 1 when a target failed. */
  readonly exitCode: 0 | 1;
  /** In the order of the chain. */
  readonly targets: readonly RehearsedTarget[];
  /** The same as text. */
  readonly table: string;
  /** Whether the server has it; `null`: there is none to be told. */
  readonly isReported: boolean | null;
}
