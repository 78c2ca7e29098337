import type { AttemptEvent } from "@busyhour/sdk";
import { deriveUuid } from "../ingest/event-id.ts";
import type { OccurrenceCounter } from "./occurrence-counter.ts";
import type { MappedRow } from "./row-mapper.ts";

/**
 * The event with an id: its own, or one made of what it says and which of its identical twins it is.
 *
 * Neither the line number nor the way the row was written takes part, so that a log which grew, gained a header
 * line or was packed gives the ids it gave before.
 */
export function identify({ event, content }: MappedRow, occurrences: OccurrenceCounter): AttemptEvent {
  event.eventId ??= deriveUuid(`${content}#${occurrences.next(content)}`);
  return event;
}
