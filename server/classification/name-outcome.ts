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
 *
 * @param failure the event as the classifier takes it
 */
export function nameOutcome(event: ReceivedEvent, failure: Failure, classify: Classify): NamedOutcome {
  const { outcome, httpStatus } = event;
  if (outcome != null && outcome !== "unknown") return { outcome, rule: null, retryAfterMs: null };
  if (failure.body === undefined) {
    if (httpStatus == null) return { outcome: "unknown", rule: null, retryAfterMs: null };
    if (httpStatus >= 200 && httpStatus < 300) return { outcome: "ok", rule: null, retryAfterMs: null };
  }
  const named = classify(failure);
  return {
    // Where something went wrong, no rule may say that nothing did.
    outcome: named.outcome === "ok" ? "unknown" : named.outcome,
    rule: named.rule,
    retryAfterMs: named.retryAfterMs,
  };
}

/** What an event says of a failure; without a body when it has no words of one. */
export function toFailure({ httpStatus, error, provider, model }: ReceivedEvent): Failure {
  return { status: httpStatus ?? undefined, body: toBody(error), provider, model };
}

function toBody(error: ReceivedEvent["error"]): unknown {
  if (error == null || error === "") return undefined;
  if (typeof error === "string") return error;
  const { type, code, message } = error;
  const said = {
    ...(type ? { type } : {}),
    ...(code == null || code === "" ? {} : { code }),
    ...(message ? { message } : {}),
  };
  return Object.keys(said).length === 0 ? undefined : { error: said };
}
