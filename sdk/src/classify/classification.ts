import type { Outcome } from "../outcome.ts";

/** Anything headers can be read from: `Headers`, a plain object in any case, or pairs. */
export type HeadersLike =
  | { get(name: string): string | null | undefined }
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | Iterable<readonly [string, string]>;

/** What is known of an attempt that may have failed. All of it is optional; more makes the name surer. */
export interface Failure {
  readonly status?: number | undefined;
  readonly headers?: HeadersLike | undefined;
  /** The body as text or as parsed JSON; the data of a stream's error event counts as one. */
  readonly body?: unknown;
  /** What a client threw: its class brand, code and chain of causes are read. */
  readonly exception?: unknown;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  /** Whether the caller's own `AbortSignal` had fired: an abort is then `cancelled`, else a time-out. */
  readonly isAborted?: boolean | undefined;
  /** The clock, epoch milliseconds, for waits that are given as a date. */
  readonly nowMs?: number | undefined;
}

/** What a failure concerns, and so what helps: another model, another account, another provider, another request. */
export type FailureScope = "model" | "account" | "provider" | "request";

export interface Classification {
  readonly outcome: Outcome;
  /** Id of the rule that decided, such as `openai/insufficient-quota`. */
  readonly rule: string;
  readonly severity: "none" | "soft" | "hard";
  readonly retryable: boolean;
  /** The wait that the provider stated, in milliseconds; `null` when it stated none. */
  readonly retryAfterMs: number | null;
  readonly scope: FailureScope;
  /** Whether another target may answer where this one failed. */
  readonly switchHelps: boolean;
  /** The most telling code or type of the provider's own words, as it was. */
  readonly providerCode: string | null;
  readonly status: number | null;
}
