import type { Answer } from "../batch/ask.ts";
import { judge } from "../batch/verdict.ts";
import type { JobError } from "./job-error.ts";
import type { JobResult } from "./types.ts";

/** What the server is told of an attempt: the route below the job, and what is sent beside the token. */
export type Ending =
  | { readonly verb: "complete"; readonly body: { readonly result?: JobResult } }
  | {
      readonly verb: "fail";
      readonly body: { readonly error: string; readonly isFinal: boolean; readonly delayMs?: number };
    }
  | {
      readonly verb: "release";
      readonly body: {
        readonly reason: "busy" | "stopped";
        readonly error?: string;
        readonly delayMs?: number;
      };
    };

export interface EndingFacts {
  /** Whether others went well while it was under way, or there are no others: then a failure is the job's own. */
  readonly isOwn: boolean;
  /** How often it was put back without a failure before. */
  readonly spared: number;
}

/** The server's own pause is at least this. */
const USUAL_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 3_600_000;
/** After so many attempts that did not count, what may be everybody's trouble counts all the same. */
const MOST_SPARED = 20;
const MAX_ERROR_LENGTH = 2_000;
const MAX_REFERENCE_LENGTH = 500;
const MAX_SUMMARY_LENGTH = 1_000;

export const STOPPED: Ending = { verb: "release", body: { reason: "stopped" } };

/**
 * What a failure means for its job. Want of room never counts. What may be everybody's trouble (no network, a fault of
 * theirs, a key that is not taken) counts only when others went well meanwhile: else an outage of ten minutes would leave
 * a queue of dead jobs. A request that will be refused as often as it is sent is final.
 */
export function judgeFailure(
  { outcome, advisedMs, error }: Exclude<Answer<never>, { outcome: "ok" }>,
  { isOwn, spared }: EndingFacts,
  random: () => number,
): Ending {
  const said = `${outcome}: ${error.message}`.slice(0, MAX_ERROR_LENGTH);
  const verdict = outcome === "unknown" ? "again" : judge(outcome, advisedMs);
  if (verdict === "fail") return { verb: "fail", body: { error: said, isFinal: outcome !== "bad_output" } };
  if (verdict !== "wait" && (isOwn || spared >= MOST_SPARED))
    return { verb: "fail", body: { error: said, isFinal: false } };
  return { verb: "release", body: { reason: "busy", error: said, ...pauseOf(advisedMs, random) } };
}

/** A stated wait that is longer than the usual pause, and a tenth more by chance, so that not all come back as one. */
function pauseOf(advisedMs: number | null, random: () => number): { delayMs?: number } {
  if (advisedMs === null || advisedMs <= USUAL_PAUSE_MS) return {};
  return { delayMs: Math.min(LONGEST_PAUSE_MS, Math.round(advisedMs * (1 + random() / 10))) };
}

export function endingOf({ message, isBusy, isFinal, delayMs }: JobError): Ending {
  const error = message.slice(0, MAX_ERROR_LENGTH);
  const delay =
    delayMs === null || !(delayMs >= 0) ? {} : { delayMs: Math.min(LONGEST_PAUSE_MS, Math.round(delayMs)) };
  return isBusy
    ? { verb: "release", body: { reason: "busy", error, ...delay } }
    : { verb: "fail", body: { error, isFinal, ...delay } };
}

/** @returns `fault`: what of a result cannot be kept, in words; the job is done all the same */
export function completionOf(value: unknown): { readonly ending: Ending; readonly fault: string | null } {
  const { reference, summary } = (typeof value === "object" && value !== null ? value : {}) as {
    reference?: unknown;
    summary?: unknown;
  };
  const isFit =
    typeof reference === "string" &&
    reference.length > 0 &&
    reference.length <= MAX_REFERENCE_LENGTH &&
    !/\p{Cc}/u.test(reference);
  const result = {
    ...(isFit ? { reference } : {}),
    ...(typeof summary === "string"
      ? { summary: summary.replace(/\p{Cc}+/gu, " ").slice(0, MAX_SUMMARY_LENGTH) }
      : {}),
  };
  const fault =
    reference === undefined || isFit
      ? null
      : `a result's reference must be a text of 1 to ${MAX_REFERENCE_LENGTH} characters without control characters; it was left out`;
  const body = Object.keys(result).length === 0 ? {} : { result };
  return { ending: { verb: "complete", body }, fault };
}
