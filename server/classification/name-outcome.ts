import type { Classification, Failure, Outcome } from "@busyhour/sdk";
import type { ReceivedEvent } from "../contract/attempt-event.ts";

export type Classify = (failure: Failure) => Classification;

export interface NamedOutcome {
  readonly outcome: Outcome;
  /** The rule that named it; `null` when the sender did, or nothing says that it failed. */
  readonly rule: string | null;
  /** The wait that the failure's own words state, milliseconds. */
  readonly retryAfterMs: number | null;
}

/**
 * How an event ended: in the sender's word, else by what is known of it. `unknown` means that nobody has named it,
 * so it is taken for no word. A 2xx status is a success unless there is an error: a stream may have died amid it.
 */
export function nameOutcome(event: ReceivedEvent, classify: Classify): NamedOutcome {
  const { outcome, httpStatus, error } = event;
  if (outcome != null && outcome !== "unknown") return { outcome, rule: null, retryAfterMs: null };
  const hasError = typeof error === "string" ? error !== "" : error != null && hasWords(error);
  if (!hasError) {
    if (httpStatus == null) return { outcome: "unknown", rule: null, retryAfterMs: null };
    if (httpStatus >= 200 && httpStatus < 300) return { outcome: "ok", rule: null, retryAfterMs: null };
  }
  const named = classify({
    status: httpStatus ?? undefined,
    body: hasError ? (typeof error === "string" ? error : { error: withoutNulls(error) }) : undefined,
    provider: event.provider,
    model: event.model,
  });
  return {
    // Where something went wrong, no rule may say that nothing did.
    outcome: named.outcome === "ok" ? "unknown" : named.outcome,
    rule: named.rule,
    retryAfterMs: named.retryAfterMs,
  };
}

type EventError = Exclude<ReceivedEvent["error"], string | null | undefined>;

function hasWords({ type, code, message }: EventError): boolean {
  return Boolean(type) || (code != null && code !== "") || Boolean(message);
}

function withoutNulls(error: ReceivedEvent["error"]): Record<string, unknown> {
  const { type, code, message } = error as EventError;
  return {
    ...(type ? { type } : {}),
    ...(code == null || code === "" ? {} : { code }),
    ...(message ? { message } : {}),
  };
}
