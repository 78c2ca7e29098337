import type { AttemptEvent } from "@busyhour/sdk";
import { BadEvent } from "../ingest/read-events.ts";
import { type NoAttempt, toEvent } from "./to-event.ts";

export interface CollectedAttempts {
  readonly events: readonly (AttemptEvent | BadEvent)[];
  /** Place of each event among the payloads. */
  readonly places: readonly number[];
  /** Payloads that stand for no attempt at a provider. */
  readonly ignored: Readonly<Record<NoAttempt, number>>;
}

/** A failure that another attempt of its request follows within this time was tried again. */
const RETRY_WITHIN_MS = 5 * 60_000;

/**
 * The attempts of a request's payloads, with their retries and fallbacks recognised. A `null`, which stands for a
 * payload that LiteLLM did not make, is passed over.
 */
export function collectAttempts(payloads: readonly unknown[], source: string): CollectedAttempts {
  const ignored = { cacheHit: 0, refusedByGateway: 0, noModelCall: 0 };
  const events: (AttemptEvent | BadEvent)[] = [];
  const places: number[] = [];
  payloads.forEach((payload, place) => {
    if (payload === null) return;
    const event = toEvent(payload, source);
    if (typeof event === "string") ignored[event]++;
    else {
      events.push(event);
      places.push(place);
    }
  });
  joinRetries(events);
  return { events, places, ignored };
}

/**
 * LiteLLM gives the attempts of one request the same trace. A failed one that another one follows was tried again:
 * it is not final. What comes in another request of the callback is not recognised.
 */
function joinRetries(events: readonly (AttemptEvent | BadEvent)[]): void {
  const families = new Map<string, AttemptEvent[]>();
  for (const event of events) {
    if (event instanceof BadEvent || event.requestId === undefined) continue;
    families.set(event.requestId, [...(families.get(event.requestId) ?? []), event]);
  }
  for (const family of families.values()) {
    family.sort((a, b) => startOf(a) - startOf(b));
    let attempt = 1;
    family.forEach((event, i) => {
      const next = family[i + 1];
      const endMs = startOf(event) + (event.latencyMs ?? 0);
      const isRetried =
        event.outcome !== "ok" &&
        next !== undefined &&
        startOf(next) >= Math.floor(endMs) &&
        startOf(next) <= endMs + RETRY_WITHIN_MS;
      event.attempt = attempt;
      if (isRetried) event.isFinal = false;
      attempt = isRetried ? attempt + 1 : 1;
    });
  }
}

function startOf({ occurredAt }: AttemptEvent): number {
  return Number(occurredAt);
}
