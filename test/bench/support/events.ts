import type { AttemptEvent, Outcome } from "@busyhour/sdk";
import { createRandom } from "./numbers.ts";

/**
 * `trace`: what a log of probes says, seven fields and no ids, in no order within a window of five minutes.
 * `sdk`: everything that an SDK knows, with ids, about in the order of time.
 */
export type EventKind = "trace" | "sdk";

export interface EventSet {
  readonly kind: EventKind;
  readonly rows: number;
  /** No event is later. Epoch milliseconds. */
  readonly endMs: number;
  readonly seed: number;
}

const WINDOW_MS = 5 * 60_000;
/** As dense as the calls of 60 busy endpoints: a partition of few rows says little of bytes per row. */
export const SPAN_MS = 10 * 86_400_000;
const ENDPOINTS = 60;
const ATTEMPTS_PER_WINDOW = 20;

const FAILURES: readonly { outcome: Outcome; httpStatus: number; type: string; message: string }[] = [
  {
    outcome: "capacity",
    httpStatus: 529,
    type: "overloaded_error",
    message: "Overloaded: the model is at capacity, please try again in a few seconds",
  },
  {
    outcome: "capacity",
    httpStatus: 503,
    type: "service_unavailable",
    message: "The engine is currently overloaded, please try again later",
  },
  {
    outcome: "rate_limit",
    httpStatus: 429,
    type: "rate_limit_error",
    message: "Rate limit reached for requests per minute: limit 500, used 500, requested 1",
  },
  {
    outcome: "timeout",
    httpStatus: 504,
    type: "timeout",
    message: "The upstream did not answer within 60 s",
  },
  {
    outcome: "server_error",
    httpStatus: 500,
    type: "api_error",
    message: "Internal server error, request 01HZY0",
  },
];

/**
 * The events of a set, window after window. The windows lie evenly over the six weeks before `endMs`, as many as
 * the rows fill: each of them is as busy as a real one, however few rows are wanted.
 */
export function* makeEvents({ kind, rows, endMs, seed }: EventSet): Generator<AttemptEvent> {
  const random = createRandom(seed);
  const perWindow = ENDPOINTS * ATTEMPTS_PER_WINDOW;
  const windows = Math.ceil(rows / perWindow);
  const make = kind === "trace" ? makeTraceRow : makeSdkEvent;
  let left = rows;
  for (let window = 0; window < windows; window++) {
    const startMs =
      endMs - SPAN_MS + Math.floor((window * (SPAN_MS - WINDOW_MS)) / windows / WINDOW_MS) * WINDOW_MS;
    for (let i = 0; i < perWindow && left > 0; i++, left--) {
      const endpoint =
        kind === "trace" ? Math.floor(i / ATTEMPTS_PER_WINDOW) : Math.floor(random() * ENDPOINTS);
      const sinceStart = kind === "trace" ? random() : (i + random()) / (perWindow + 1);
      yield make(Math.floor(startMs + sinceStart * WINDOW_MS), endpoint, random);
    }
  }
}

function makeTraceRow(timeMs: number, endpoint: number, random: () => number): AttemptEvent {
  const failure = random() < 0.1 ? pick(FAILURES, random) : null;
  return {
    occurredAt: new Date(timeMs).toISOString(),
    provider: `provider-${endpoint % 6}`,
    model: `model-${endpoint % 12}-large`,
    endpoint: `node-${endpoint}.region-${endpoint % 5}.example.net`,
    source: "probe",
    outcome: failure?.outcome ?? "ok",
    httpStatus: failure?.httpStatus ?? 200,
  };
}

function makeSdkEvent(timeMs: number, endpoint: number, random: () => number): AttemptEvent {
  const failure = random() < 0.1 ? pick(FAILURES, random) : null;
  const latencyMs = Math.round(400 * Math.exp(2.5 * random()));
  const position = random() < 0.1 ? 1 : 0;
  return {
    eventId: makeUuid(random, timeMs),
    occurredAt: timeMs,
    provider: `provider-${endpoint % 6}`,
    model: `model-${endpoint % 12}-large`,
    outcome: failure?.outcome ?? "ok",
    httpStatus: failure?.httpStatus ?? 200,
    ...(failure === null
      ? {}
      : { error: { type: failure.type, code: failure.httpStatus, message: failure.message } }),
    latencyMs,
    firstTokenMs: Math.round(latencyMs * (0.2 + 0.3 * random())),
    inputTokens: Math.round(200 + 6_000 * random()),
    outputTokens: failure === null ? Math.round(20 + 900 * random()) : 0,
    requestId: makeUuid(random),
    attempt: position + 1,
    isFinal: failure === null || position === 1,
    chain: "answers",
    position,
    source: `app-${endpoint % 3}`,
    endpoint: `region-${endpoint % 5}.example.net`,
    inFlight: Math.floor(40 * random()),
    ...(failure === null ? {} : { retryAfterMs: Math.round(10_000 * random()) }),
    servedModel: `model-${endpoint % 12}-large-2026-05-01`,
    isStream: random() < 0.7,
    account: `account-${endpoint % 2}`,
  };
}

function pick<T>(values: readonly T[], random: () => number): T {
  return values[Math.floor(random() * values.length)] as T;
}

/** A UUIDv7 of the time, else a UUIDv4. */
function makeUuid(random: () => number, timeMs?: number): string {
  const hex = (digits: number) =>
    Math.floor(random() * 16 ** digits)
      .toString(16)
      .padStart(digits, "0");
  const start = timeMs === undefined ? hex(12) : timeMs.toString(16).padStart(12, "0");
  const version = timeMs === undefined ? "4" : "7";
  return `${start.slice(0, 8)}-${start.slice(8)}-${version}${hex(3)}-a${hex(3)}-${hex(12)}`;
}

/** The events in groups, as `take` makes of each group. */
export function inGroups<T>(set: EventSet, size: number, take: (events: readonly AttemptEvent[]) => T): T[] {
  const groups: T[] = [];
  let group: AttemptEvent[] = [];
  for (const event of makeEvents(set)) {
    group.push(event);
    if (group.length < size) continue;
    groups.push(take(group));
    group = [];
  }
  if (group.length > 0) groups.push(take(group));
  return groups;
}
