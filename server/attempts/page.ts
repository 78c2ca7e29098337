import { OUTCOMES } from "@busyhour/sdk";
import { toError } from "../classification/evidence.ts";
import type { AttemptRecord } from "../contract/listing.ts";
import type { AttemptListRow } from "./queries.ts";

/** Where a page ended, as text that callers hand back unread. */
export function toCursor(row: Pick<AttemptListRow, "occurredAt" | "eventId">): string {
  return Buffer.from(`${row.occurredAt.getTime()} ${row.eventId}`).toString("base64url");
}

/** Epoch milliseconds and a UUID, no more than the database takes. */
const CURSOR = /^(\d{1,14}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** `null` for a text that no page gave out. */
export function parseCursor(cursor: string): { occurredAtMs: number; eventId: string } | null {
  const match = CURSOR.exec(Buffer.from(cursor, "base64url").toString("utf8"));
  const [, time, eventId] = match ?? [];
  return time === undefined || eventId === undefined ? null : { occurredAtMs: Number(time), eventId };
}

export function toAttemptRecord({ evidence, ...row }: AttemptListRow): AttemptRecord {
  return {
    ...row,
    occurredAt: row.occurredAt.toISOString(),
    outcome: OUTCOMES[row.outcome] ?? "unknown",
    error: evidence === null ? null : toError(evidence),
    rule: evidence?.rule ?? null,
  };
}
