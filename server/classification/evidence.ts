import { type Evidence, type Failure, scrubText, toEvidence, toEvidenceText } from "@busyhour/sdk";
import type { ReceivedEvent } from "../contract/attempt-event.ts";

/**
 * What a failure leaves behind beside its attempt: scrubbed and bounded, with what is usual left out. The status has
 * a column of its own.
 */
export interface StoredEvidence {
  /** The rule that named the outcome; absent where the sender named it. */
  rule?: string;
  type?: string;
  code?: string;
  /** What was said, the innermost first. */
  message?: string;
  /** Nested codes, types and reasons, where they are more than `type` and `code`. */
  codes?: readonly string[];
  /** Statuses that were named inside. */
  statuses?: readonly number[];
  /** The wait that was stated, milliseconds. */
  waitMs?: number;
}

/** Longest type, code and id of a rule that is kept. */
const MAX_CODE_LENGTH = 100;

/**
 * The evidence of an event; `null` where there is nothing to keep.
 *
 * Of its words those are kept that say what went wrong: what they quote, or carry along of the caller's own, is not.
 *
 * @param rule the rule that named the outcome, `null` when the sender did
 */
export function toStoredEvidence(
  error: ReceivedEvent["error"],
  failure: Failure,
  rule: string | null,
): StoredEvidence | null {
  const stored: StoredEvidence = {};
  if (rule !== null) stored.rule = rule.slice(0, MAX_CODE_LENGTH);
  if (typeof error === "object" && error !== null) {
    if (error.type) stored.type = scrubText(error.type, MAX_CODE_LENGTH);
    if (error.code != null && error.code !== "") stored.code = scrubText(String(error.code), MAX_CODE_LENGTH);
  }
  if (failure.body === undefined) return rule === null ? null : stored;
  if (rule === null) {
    const text = toEvidenceText(failure);
    if (text !== "") stored.message = text;
  } else keepForNaming(failure, stored);
  return Object.keys(stored).length === 0 ? null : stored;
}

function keepForNaming(failure: Failure, stored: StoredEvidence): void {
  const { text, codes, statuses, waitMs } = toEvidence(failure);
  if (text !== "") stored.message = text;
  if (codes.join("\n") !== usualCodes(stored).join("\n")) stored.codes = codes;
  if (statuses.length > 0) stored.statuses = statuses;
  if (waitMs !== null) stored.waitMs = waitMs;
}

/** The evidence as the classifier takes it. */
export function fromStoredEvidence(stored: StoredEvidence, httpStatus: number | null): Evidence {
  return {
    status: httpStatus,
    statuses: stored.statuses ?? [],
    codes: stored.codes ?? usualCodes(stored),
    waitMs: stored.waitMs ?? null,
    text: stored.message ?? "",
  };
}

function usualCodes({ type, code }: StoredEvidence): string[] {
  return [...(type === undefined ? [] : [`type=${type}`]), ...(code === undefined ? [] : [`code=${code}`])];
}

/** The failure's own words, for people; `null` where it left none. */
export function toError({ type, code, message }: StoredEvidence): {
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
