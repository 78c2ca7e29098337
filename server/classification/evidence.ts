import type { Failure } from "@busyhour/sdk";
import type { ReceivedEvent } from "../contract/attempt-event.ts";
import { scrubText } from "../ingest/scrub.ts";

/** What a failure leaves behind to be classified again: scrubbed and bounded. */
export interface Evidence {
  /** The rule that named the outcome; absent where the sender named it. */
  rule?: string;
  type?: string;
  code?: string;
  message?: string;
}

/** Longest type, code and id of a rule that is kept. */
const MAX_CODE_LENGTH = 100;

/**
 * The evidence of an event; `null` where there is nothing to keep.
 *
 * @param rule the rule that named the outcome, `null` when the sender did
 */
export function toEvidence(error: ReceivedEvent["error"], rule: string | null): Evidence | null {
  const evidence: Evidence = {};
  if (rule !== null) evidence.rule = rule.slice(0, MAX_CODE_LENGTH);
  if (typeof error === "string") {
    if (error !== "") evidence.message = scrubText(error);
  } else if (error != null) {
    if (error.type) evidence.type = scrubText(error.type, MAX_CODE_LENGTH);
    if (error.code != null && error.code !== "")
      evidence.code = scrubText(String(error.code), MAX_CODE_LENGTH);
    if (error.message) evidence.message = scrubText(error.message);
  }
  return Object.keys(evidence).length === 0 ? null : evidence;
}

/** What is known of a failure besides its evidence. */
export interface FailureContext {
  readonly httpStatus: number | null;
  readonly provider: string;
  readonly model: string;
}

/** Evidence as the classifier takes it: what it said the first time, as far as it was kept. */
export function toFailure(
  { type, code, message }: Evidence,
  { httpStatus, provider, model }: FailureContext,
): Failure {
  const hasWords = type !== undefined || code !== undefined || message !== undefined;
  return {
    status: httpStatus ?? undefined,
    body: hasWords ? { error: { type, code, message } } : undefined,
    provider,
    model,
  };
}

/** The failure's own words, for people; `null` where it left none. */
export function toError({ type, code, message }: Evidence): {
  type?: string;
  code?: string;
  message?: string;
} | null {
  if (type === undefined && code === undefined && message === undefined) return null;
  return {
    ...(type === undefined ? {} : { type }),
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
  };
}
