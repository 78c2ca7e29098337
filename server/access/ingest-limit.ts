import { AppError } from "../http/app-error.ts";
import type { Principal } from "./principal.ts";

const MINUTE_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/** Holds keys to the number of events that is taken of them. */
export interface IngestLimit {
  /** Before a body is read. @throws AppError 429 while the key has sent more than is taken */
  assertRoom(principal: Principal): void;
  /** After events were read, whatever became of them. */
  spend(principal: Principal, events: number): void;
}

interface Bucket {
  /** May be negative: then the key waits until it is full enough again. */
  room: number;
  atMs: number;
}

/**
 * A bucket per key that fills evenly and holds a minute's worth. A request is let in while there is any room, and may
 * take more than there is: how many events it brings is known only when it has been read. What it took too much the
 * next ones wait for, so that over time no more than the limit is taken.
 */
export function createIngestLimit(now: () => number): IngestLimit {
  const buckets = new Map<number, Bucket>();

  function fill(keyId: number, perMinute: number): Bucket {
    const nowMs = now();
    const bucket = buckets.get(keyId) ?? { room: perMinute, atMs: nowMs };
    const gained = (Math.max(0, nowMs - bucket.atMs) / MINUTE_MS) * perMinute;
    bucket.room = Math.min(perMinute, bucket.room + gained);
    bucket.atMs = nowMs;
    // Who is forgotten begins with a full bucket.
    if (buckets.size >= MAX_REMEMBERED && !buckets.has(keyId)) buckets.clear();
    buckets.set(keyId, bucket);
    return bucket;
  }

  return {
    assertRoom(principal) {
      if (principal.via !== "key" || principal.eventsPerMinute === null) return;
      const { room } = fill(principal.keyId, principal.eventsPerMinute);
      if (room >= 1) return;
      const waitMs = Math.round(((1 - room) / principal.eventsPerMinute) * MINUTE_MS);
      throw tooManyOfKey(principal.eventsPerMinute, Math.ceil(waitMs / 1_000));
    },
    spend(principal, events) {
      if (principal.via !== "key" || principal.eventsPerMinute === null) return;
      fill(principal.keyId, principal.eventsPerMinute).room -= events;
    },
  };
}

function tooManyOfKey(perMinute: number, waitSeconds: number): AppError {
  return new AppError({
    status: 429,
    code: "key_limit",
    title: "This key has sent more events than are taken of it",
    detail: `At most ${perMinute} a minute are taken. Nothing of this request was stored: send it again in ${waitSeconds} seconds.`,
    headers: { "Retry-After": String(waitSeconds) },
  });
}
