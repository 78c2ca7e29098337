import { OUTCOMES } from "@busyhour/sdk";
import { isWholeText, type ReceivedEvent } from "../contract/attempt-event.ts";

const MAX_INT4 = 2_147_483_647;
const MAX_INT2 = 32_767;
const OUTCOME_NAMES: ReadonlySet<unknown> = new Set(OUTCOMES);

/**
 * Whether the schema would surely take the event as it is. It only ever errs on the side of no: what it does not
 * take, the schema judges, and finds the words for. Several times cheaper, and it runs once per event.
 */
export function isPlainEvent(input: unknown): input is ReceivedEvent {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return false;
  const event = input as Record<string, unknown>;
  return (
    isTime(event["occurredAt"]) &&
    isText(event["provider"], 100) &&
    isText(event["model"], 200) &&
    isLabel(event["eventId"], 200) &&
    (event["outcome"] == null || OUTCOME_NAMES.has(event["outcome"])) &&
    isWhole(event["httpStatus"], 100, 999) &&
    isError(event["error"]) &&
    isDuration(event["latencyMs"]) &&
    isDuration(event["firstTokenMs"]) &&
    isWhole(event["inputTokens"], 0, MAX_INT4) &&
    isWhole(event["outputTokens"], 0, MAX_INT4) &&
    isLabel(event["requestId"], 200) &&
    isWhole(event["attempt"], 1, MAX_INT2) &&
    isFlag(event["isFinal"]) &&
    isLabel(event["chain"], 100) &&
    isWhole(event["position"], 0, MAX_INT2) &&
    isLabel(event["source"], 100) &&
    isLabel(event["endpoint"], 200) &&
    isWhole(event["inFlight"], 0, MAX_INT2) &&
    isDuration(event["retryAfterMs"]) &&
    isLabel(event["servedModel"], 200) &&
    isFlag(event["isStream"]) &&
    isLabel(event["account"], 100)
  );
}

function isTime(value: unknown): boolean {
  return typeof value === "number" ? Number.isFinite(value) : isText(value, 64);
}
function isText(value: unknown, max: number): boolean {
  return typeof value === "string" && value.length > 0 && value.length <= max && isWholeText(value);
}
function isLabel(value: unknown, max: number): boolean {
  return value == null || isText(value, max);
}
function isWhole(value: unknown, min: number, max: number): boolean {
  return value == null || (Number.isInteger(value) && (value as number) >= min && (value as number) <= max);
}
function isDuration(value: unknown): boolean {
  return value == null || (typeof value === "number" && value >= 0 && value <= MAX_INT4);
}
function isFlag(value: unknown): boolean {
  return value == null || typeof value === "boolean";
}
function isError(value: unknown): boolean {
  if (value == null || typeof value === "string") return true;
  if (typeof value !== "object" || Array.isArray(value)) return false;
  const { type, code, message } = value as Record<string, unknown>;
  return (
    (type == null || typeof type === "string") &&
    (code == null || typeof code === "string" || (typeof code === "number" && Number.isFinite(code))) &&
    (message == null || typeof message === "string")
  );
}
