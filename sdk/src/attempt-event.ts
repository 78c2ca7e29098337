import type { Outcome } from "./outcome.ts";

/** What a provider said when an attempt failed. Never the prompt, never the answer. */
export interface AttemptError {
  type?: string;
  code?: string | number;
  message?: string;
}

/** One attempt at one target, as it travels to `POST /v1/attempts`. */
export interface AttemptEvent {
  /** Made by the source; a UUIDv7 is best. Who repeats an event repeats both its time and its id. */
  eventId?: string;
  /** When the attempt started: ISO 8601 with an offset, or epoch milliseconds. */
  occurredAt: string | number;
  provider: string;
  model: string;
  /** When it is left out, it is named from `httpStatus`, `error`, `provider` and `model`; a 2xx alone means `ok`. */
  outcome?: Outcome;
  httpStatus?: number;
  error?: AttemptError;
  latencyMs?: number;
  firstTokenMs?: number;
  inputTokens?: number;
  outputTokens?: number;
  /** What the caller wanted; all its attempts carry the same one. */
  requestId?: string;
  /** From 1. */
  attempt?: number;
  /** `true` on the last attempt of a request, and the default. */
  isFinal?: boolean;
  chain?: string;
  /** Place of the target in the chain, from 0; above 0 the request was degraded. */
  position?: number;
  /** The app or service that made the call. */
  source?: string;
  /** Host or region. */
  endpoint?: string;
  /** Own calls to this target that were under way at the start, this one not counted. */
  inFlight?: number;
  /** How long the provider asked to wait. */
  retryAfterMs?: number;
  servedModel?: string;
  isStream?: boolean;
  /** A label of the key or subscription that paid, never the key. */
  account?: string;
}
