import { classify } from "@busyhour/sdk";
import type { z } from "zod";
import { createFailureNamer, type NameFailure } from "../classification/failure-namer.ts";
import { attemptEvent, type ReceivedEvent } from "../contract/attempt-event.ts";
import { describeIssue, valueAt } from "../http/describe-issue.ts";
import type { Attempt, SeriesKey } from "./attempt.ts";
import { toUuid, uuidV7 } from "./event-id.ts";
import { isPlainEvent } from "./is-plain-event.ts";
import { cleanFieldName, cleanLabel } from "./scrub.ts";
import { toSeriesKey } from "./series-key.ts";

/** How far a clock may run ahead of ours before its events are refused. */
export const MAX_AHEAD_MS = 5 * 60_000;

/** What an event is judged against. */
export interface IngestLimits {
  readonly nowMs: number;
  readonly rawRetentionDays: number;
  /** Names the outcome of events that name none; by the SDK's own rules when left out. */
  readonly nameFailure?: NameFailure | undefined;
}

export type ParsedAttempt =
  | { readonly ok: true; readonly attempt: Attempt; readonly unknownFields: readonly string[] }
  | { readonly ok: false; readonly pointer: string; readonly detail: string };

const EVENT_FIELDS: ReadonlySet<string> = new Set(Object.keys(attemptEvent.shape));
const ERROR_FIELDS: ReadonlySet<string> = new Set(["type", "code", "message"]);
const NONE: readonly string[] = [];
const nameByStandardRules = createFailureNamer(classify);

/**
 * One received event as an attempt, or the first thing that is wrong with it.
 *
 * `pointer` is a JSON Pointer within the event (`""` for the event itself). Nothing is thrown.
 */
export function parseAttempt(input: unknown, limits: IngestLimits): ParsedAttempt {
  if (isPlainEvent(input)) return judge(input, input, limits);
  const parsed = attemptEvent.safeParse(input);
  if (parsed.success) return judge(parsed.data, input, limits);
  const issue = parsed.error.issues[0];
  return reject(toPointer(issue?.path ?? []), describeEventIssue(issue, input));
}

function judge(event: ReceivedEvent, input: unknown, limits: IngestLimits): ParsedAttempt {
  const occurredAtMs = parseEventTime(event.occurredAt);
  if (typeof occurredAtMs === "string") return reject("/occurredAt", occurredAtMs);
  const clockFault = judgeClock(occurredAtMs, limits);
  if (clockFault) return reject("/occurredAt", clockFault);
  const series = toSeriesKey(event);
  if (series.provider === "") return reject("/provider", "is blank");
  if (series.model === "") return reject("/model", "is blank");
  const attempt = toAttempt(event, occurredAtMs, series, limits.nameFailure ?? nameByStandardRules);
  return { ok: true, attempt, unknownFields: listUnknown(input) };
}

function reject(pointer: string, detail: string): ParsedAttempt {
  return { ok: false, pointer, detail };
}

function toAttempt(
  event: ReceivedEvent,
  occurredAtMs: number,
  series: SeriesKey,
  nameFailure: NameFailure,
): Attempt {
  const hasOwnId = event.eventId != null;
  const named = nameFailure(event);
  return {
    occurredAtMs,
    eventId: event.eventId == null ? uuidV7(occurredAtMs) : toUuid(event.eventId),
    hasOwnId,
    series,
    outcome: named.outcome,
    httpStatus: event.httpStatus ?? null,
    latencyMs: toMilliseconds(event.latencyMs),
    firstTokenMs: toMilliseconds(event.firstTokenMs),
    inputTokens: event.inputTokens ?? null,
    outputTokens: event.outputTokens ?? null,
    requestId: event.requestId == null ? null : toUuid(event.requestId),
    attempt: event.attempt ?? null,
    isFinal: event.isFinal ?? true,
    position: event.position ?? null,
    inFlight: event.inFlight ?? null,
    retryAfterMs: toMilliseconds(event.retryAfterMs ?? named.retryAfterMs),
    servedModel: event.servedModel == null ? null : cleanLabel(event.servedModel) || null,
    isStream: event.isStream ?? null,
    evidence: named.evidence,
  };
}

const MAX_INT4 = 2_147_483_647;

function toMilliseconds(value: number | null | undefined): number | null {
  return value == null ? null : Math.min(Math.round(value), MAX_INT4);
}

const ISO_WITH_OFFSET =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?\s?(?:Z|[+-]\d{2}(?::?\d{2})?)$/i;

/** Epoch milliseconds, or a sentence that says what is wrong with the time. */
export function parseEventTime(value: string | number): number | string {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return "must be a time";
    return Math.abs(value) < 1e11
      ? "is a number too small for epoch milliseconds: send milliseconds, not seconds"
      : Math.floor(value);
  }
  if (!ISO_WITH_OFFSET.test(value)) {
    return /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}/.test(value)
      ? "has no offset: end it with Z or with one like +05:30"
      : "must be ISO 8601 with an offset, like 2026-07-04T13:59:08Z, or epoch milliseconds";
  }
  const ms = Date.parse(normalizeIso(value));
  return Number.isNaN(ms) || !hasDay(value) ? "is no time that exists" : ms;
}

/** `Date.parse` takes 30 February for 2 March. */
function hasDay(isoTime: string): boolean {
  const day = Number(isoTime.slice(8, 10));
  return day <= 28 || new Date(`${isoTime.slice(0, 10)}T00:00:00Z`).getUTCDate() === day;
}

/** The forms that ISO 8601 allows and `Date.parse` does not: a blank, a comma, `+0530`, `+05`. */
function normalizeIso(value: string): string {
  if (value.endsWith("Z") && value.charAt(10) === "T" && !value.includes(",")) return value;
  return value
    .replace(/^(\d{4}-\d{2}-\d{2})[T ]/i, "$1T")
    .replace(",", ".")
    .replace(/\s?z$/i, "Z")
    .replace(/\s?([+-]\d{2}):?(\d{2})?$/, (_all, hours: string, minutes = "00") => `${hours}:${minutes}`);
}

/** Why an event of this time is refused, or `null`. */
function judgeClock(occurredAtMs: number, { nowMs, rawRetentionDays }: IngestLimits): string | null {
  if (occurredAtMs > nowMs + MAX_AHEAD_MS) {
    const seconds = Math.round((occurredAtMs - nowMs) / 1000);
    return `is ${seconds} s in the future (server time ${new Date(nowMs).toISOString()}): set the sender's clock`;
  }
  if (occurredAtMs < nowMs - rawRetentionDays * 86_400_000) {
    return `is older than the ${rawRetentionDays} days that raw attempts are kept: raise BUSYHOUR_RAW_RETENTION_DAYS`;
  }
  return null;
}

function listUnknown(input: unknown): readonly string[] {
  const event = input as Record<string, unknown>;
  const unknown = fieldsBeyond(event, EVENT_FIELDS, "");
  const error = event["error"];
  if (typeof error !== "object" || error === null) return unknown;
  const unknownInError = fieldsBeyond(error, ERROR_FIELDS, "error.");
  return unknownInError.length === 0 ? unknown : [...unknown, ...unknownInError];
}

/** Allocates nothing in the usual case: it runs once per event. */
function fieldsBeyond(value: object, known: ReadonlySet<string>, prefix: string): readonly string[] {
  let beyond: string[] | undefined;
  for (const field in value) {
    if (known.has(field)) continue;
    beyond ??= [];
    beyond.push(prefix + cleanFieldName(field));
  }
  return beyond ?? NONE;
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

type Issue = z.core.$ZodIssue;

/** What is wrong with an event; its two fields of several types have words of their own. */
function describeEventIssue(issue: Issue | undefined, input: unknown): string {
  if (issue === undefined) return "is not an attempt";
  if (issue.path.length === 0) return "must be an object: one attempt";
  const value = valueAt(input, issue.path);
  if (issue.code !== "invalid_union") return describeIssue(issue, value);
  if (issue.path[0] === "error") return "must be an object with type, code and message, or a string";
  return value === undefined ? "is missing" : "must be a string (ISO 8601) or a number (epoch milliseconds)";
}
