import type { Outcome } from "../outcome.ts";

/**
 * Why a batch ended before its last item. What was finished stays so; the next run goes on from there.
 *
 * - `refused`: a bad key, an empty balance or a missing model: every other item would meet the same.
 * - `failing`: so many items failed in a row that the fault is not theirs.
 * - `gave_up`: for too long nothing went well.
 * - `changed`: what is stored belongs to other items or other settings.
 * - `in_use`: another run writes there.
 * - `not_empty`: results are there already, and `resume` is false.
 * - `store`: results cannot be written, or what is there are no results.
 * - `input`: the items cannot be read.
 */
export type BatchErrorKind =
  | "refused"
  | "failing"
  | "gave_up"
  | "changed"
  | "in_use"
  | "not_empty"
  | "store"
  | "input";

const BRAND = Symbol.for("busyhour.batch-error");

/** The one error of a batch. Tell it by `isBatchError`, which also knows the copy of another package version. */
export class BatchError extends Error {
  readonly kind: BatchErrorKind;
  /** What the last failure was; `null` where it was none of a call's. */
  readonly outcome: Outcome | null;
  readonly [BRAND] = true;

  constructor(kind: BatchErrorKind, message: string, facts: { outcome?: Outcome; cause?: unknown } = {}) {
    super(message, "cause" in facts ? { cause: facts.cause } : undefined);
    this.name = "BatchError";
    this.kind = kind;
    this.outcome = facts.outcome ?? null;
  }
}

/** Whether a batch threw this. */
export function isBatchError(error: unknown): error is BatchError {
  return typeof error === "object" && error !== null && BRAND in error;
}
