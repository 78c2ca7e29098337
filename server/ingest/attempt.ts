import type { Outcome } from "@busyhour/sdk";
import type { StoredEvidence } from "../classification/evidence.ts";

/** What tells one stream of attempts from another. An absent part is the empty string. */
export interface SeriesKey {
  readonly source: string;
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  readonly account: string;
  readonly chain: string;
}

/** One attempt, checked and scrubbed, ready to be stored. Absent numbers are `null`. */
export interface Attempt {
  readonly occurredAtMs: number;
  /** A UUID. */
  readonly eventId: string;
  /** Whether the source made the id; only then is sending again harmless. */
  readonly hasOwnId: boolean;
  readonly series: SeriesKey;
  readonly outcome: Outcome;
  readonly httpStatus: number | null;
  readonly latencyMs: number | null;
  readonly firstTokenMs: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** A UUID, derived when the source's own id is none. */
  readonly requestId: string | null;
  /** `null`: not said, which counts as the first. */
  readonly attempt: number | null;
  readonly isFinal: boolean;
  /** `null`: not called through a chain. */
  readonly position: number | null;
  readonly inFlight: number | null;
  readonly retryAfterMs: number | null;
  readonly servedModel: string | null;
  readonly isStream: boolean | null;
  readonly evidence: StoredEvidence | null;
}
