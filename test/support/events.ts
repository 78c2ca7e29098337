import { randomUUID } from "node:crypto";
import type { AttemptEvent } from "@busyhour/sdk";

/** An event that the server takes; name only what the test is about. */
export function anEvent(parts: Partial<AttemptEvent> = {}): AttemptEvent {
  return {
    eventId: randomUUID(),
    occurredAt: "2026-11-29T11:00:00.000Z",
    provider: "acme",
    model: "acme-large",
    outcome: "ok",
    ...parts,
  };
}
