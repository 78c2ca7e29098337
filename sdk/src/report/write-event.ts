import type { AttemptEvent } from "../attempt-event.ts";
import type { WaitingEvent } from "./store.ts";
import type { MakeUuidV7 } from "./uuid-v7.ts";

/** Characters of an error's text that travel: the server reads no more. */
const MAX_MESSAGE_LENGTH = 2_000;
/** An event is a few hundred characters; one beyond this holds what does not belong into it. */
const MAX_EVENT_LENGTH = 16_384;

/** An event as it will travel, or why it cannot. */
export type WrittenEvent = WaitingEvent | { readonly fault: string; readonly source: string };

/**
 * Writes events as JSON, once: what the app does to the object afterwards changes nothing, and each try sends the
 * same. An event without id gets one, and one without source the reporter's.
 */
export function createEventWriter(
  usualSource: string | undefined,
  makeId: MakeUuidV7,
  now: () => number,
): (event: AttemptEvent) => WrittenEvent {
  return (event) => {
    let source = usualSource ?? "";
    try {
      if (typeof event !== "object" || event === null) return { fault: "is no object", source };
      source = event.source || source;
      const json = JSON.stringify({
        ...event,
        eventId: event.eventId || makeId(timeOf(event, now)),
        // An empty text would be rejected, a missing one is not sent.
        source: source || undefined,
        error: cutMessage(event.error),
      });
      if (json.length > MAX_EVENT_LENGTH) {
        return {
          fault: `has ${json.length} characters as JSON; at most ${MAX_EVENT_LENGTH} are sent`,
          source,
        };
      }
      return { json, source };
    } catch (error) {
      return { fault: `cannot be written as JSON (${String(error).slice(0, 200)})`, source };
    }
  };
}

function timeOf({ occurredAt }: AttemptEvent, now: () => number): number {
  const timeMs = typeof occurredAt === "number" ? occurredAt : Date.parse(occurredAt);
  return Number.isFinite(timeMs) ? timeMs : now();
}

function cutMessage(error: AttemptEvent["error"]): AttemptEvent["error"] {
  const message = error?.message;
  if (typeof message !== "string" || message.length <= MAX_MESSAGE_LENGTH) return error;
  // Half of a character at the end would have the server refuse the event.
  return { ...error, message: message.slice(0, MAX_MESSAGE_LENGTH).replace(/[\ud800-\udbff]$/, "") };
}
