const BRAND = Symbol.for("busyhour.job-error");

export interface JobErrorFacts {
  /** Another attempt would fail as well: the job is dead at once. */
  readonly isFinal?: boolean;
  /** There was no room: the job is put back, and it is no failure of its. */
  readonly isBusy?: boolean;
  /** Before the next attempt, in milliseconds, an hour at most. By default it grows with each attempt. */
  readonly delayMs?: number;
  readonly cause?: unknown;
}

/** What a handler throws when it knows better than `classify` what a failure means. */
export class JobError extends Error {
  readonly isFinal: boolean;
  readonly isBusy: boolean;
  readonly delayMs: number | null;
  readonly [BRAND] = true;

  constructor(message: string, { isFinal = false, isBusy = false, delayMs, cause }: JobErrorFacts = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "JobError";
    this.isFinal = isFinal;
    this.isBusy = isBusy;
    this.delayMs = delayMs ?? null;
  }
}

/** Also knows the copy of another package version. */
export function isJobError(error: unknown): error is JobError {
  return typeof error === "object" && error !== null && BRAND in error;
}
