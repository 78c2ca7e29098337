import type { Outcome } from "../outcome.ts";
import type { AttemptReport, Stage } from "./types.ts";

/**
 * Why a request got no answer.
 *
 * - `busy`: every target that could be asked was full, resting or failing. Come back later.
 * - `refused`: a hard error of the caller's: waiting will not mend it.
 * - `bad_output`: answers came, and none was what the caller asked for.
 * - `deadline`: its time was over first.
 * - `cancelled`: the caller's signal fired.
 * - `interrupted`: a stream broke off after its first content; `delivered` has what came before.
 */
export type RouterErrorKind = "busy" | "refused" | "bad_output" | "deadline" | "cancelled" | "interrupted";

const BRAND = Symbol.for("busyhour.router-error");

export interface RouterErrorFacts {
  readonly attempts: readonly AttemptReport[];
  readonly retryAfterMs?: number | null;
  readonly delivered?: readonly unknown[];
  readonly cause?: unknown;
}

/** The one error of a router. Tell it by `isRouterError`, which also knows the copy of another package version. */
export class RouterError extends Error {
  readonly kind: RouterErrorKind;
  /** Every attempt of the request, in order. */
  readonly attempts: readonly AttemptReport[];
  /** Outcome of the last attempt; `null` when none could be made. */
  readonly outcome: Outcome | null;
  /** Whether the same request may go well later. */
  readonly isRetryable: boolean;
  /** Milliseconds after which a target is expected to be back; `null` when nobody knows, or waiting will not help. */
  readonly retryAfterMs: number | null;
  /** Chunks that the caller had before a stream broke off. */
  readonly delivered: readonly unknown[];
  readonly [BRAND] = true;

  constructor(kind: RouterErrorKind, message: string, facts: RouterErrorFacts) {
    super(message, "cause" in facts ? { cause: facts.cause } : undefined);
    this.name = "RouterError";
    this.kind = kind;
    this.attempts = facts.attempts;
    this.outcome = facts.attempts.at(-1)?.outcome ?? null;
    this.isRetryable = kind === "busy" || kind === "deadline" || kind === "interrupted";
    this.retryAfterMs = this.isRetryable ? (facts.retryAfterMs ?? null) : null;
    this.delivered = facts.delivered ?? [];
  }

  /** For `userMessage`. */
  get stage(): Stage {
    if (this.kind === "cancelled" || this.kind === "interrupted") return { kind: this.kind };
    return this.isRetryable ? { kind: "comeBack", afterMs: this.retryAfterMs } : { kind: "failed" };
  }
}

/** Whether a router threw this. */
export function isRouterError(error: unknown): error is RouterError {
  return typeof error === "object" && error !== null && BRAND in error;
}
