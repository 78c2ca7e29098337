import type { AttemptEvent } from "@busyhour/sdk";
import { BadEvent } from "../ingest/read-events.ts";
import type { Way } from "../sources/way.ts";
import { aiSdkOperation, isModelCall } from "./model-call.ts";
import type { ReceivedSpan } from "./span.ts";
import { toEvent } from "./to-event.ts";

/** A model call of a request's spans, as an event or as what is wrong with it. */
export interface CollectedCall {
  readonly span: ReceivedSpan;
  readonly event: AttemptEvent | BadEvent;
  readonly way: Way;
}

/**
 * The model calls among the spans of one request, innermost ones only.
 *
 * @param findAncestors of each span, whether a model call stands beneath it
 */
export function collectCalls(
  spans: readonly ReceivedSpan[],
  findAncestors: (isCall: readonly boolean[]) => readonly boolean[],
): CollectedCall[] {
  const events = spans.map((span) => (isModelCall(span) ? toEvent(span) : null));
  const areAncestors = findAncestors(events.map((event) => event !== null && !(event instanceof BadEvent)));
  const calls = spans.flatMap((span, i): CollectedCall[] => {
    const event = events[i];
    if (event == null || areAncestors[i] === true) return [];
    return [{ span, event, way: { via: "otlp", instrument: span.scope.name } }];
  });
  return joinRetries(calls);
}

/**
 * The AI SDK up to 6 makes a span per attempt, all beneath the span of the call. So a failed one that another one
 * follows there was tried again: it is not final, and they are attempts of one request.
 */
function joinRetries(calls: readonly CollectedCall[]): CollectedCall[] {
  const families = new Map<string, CollectedCall[]>();
  for (const call of calls) {
    const { span, event } = call;
    if (event instanceof BadEvent || span.parentSpanId === "" || aiSdkOperation(span) === null) continue;
    const parent = `${span.traceId}:${span.parentSpanId}`;
    families.set(parent, [...(families.get(parent) ?? []), call]);
  }
  const joined = new Map<CollectedCall, Partial<AttemptEvent>>();
  for (const [parent, family] of families) {
    family.sort((a, b) => (a.span.startNs < b.span.startNs ? -1 : 1));
    let attempt = 1;
    family.forEach((call, i) => {
      const next = family[i + 1];
      const isRetried = hasFailed(call) && next !== undefined && next.span.startNs >= call.span.endNs;
      joined.set(call, { requestId: `otlp:${parent}`, attempt, ...(isRetried ? { isFinal: false } : {}) });
      attempt = isRetried ? attempt + 1 : 1;
    });
  }
  return calls.map((call) => {
    const parts = joined.get(call);
    return parts === undefined ? call : { ...call, event: { ...(call.event as AttemptEvent), ...parts } };
  });
}

function hasFailed({ event }: CollectedCall): boolean {
  return !(event instanceof BadEvent) && event.outcome !== "ok";
}
