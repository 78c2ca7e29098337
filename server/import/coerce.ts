import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import { BadValue } from "./bad-value.ts";
import type { Field } from "./fields.ts";
import { MS_PER, parseLogTime, type TimeUnit } from "./parse-time.ts";
import type { Zone } from "./zone.ts";

/** A value of an event; `undefined` when the row says nothing. */
export type Coerced = string | number | boolean | undefined | BadValue;

const NOT_TEXT = new BadValue("must be text");
const NOT_A_NUMBER = new BadValue("must be a number");
const NOT_WHOLE = new BadValue("must be a whole number");
const NEGATIVE = new BadValue("must not be negative");
const NOT_A_BOOLEAN = new BadValue("must be true or false (or 1, 0, yes, no)");
const NOT_AN_OUTCOME = new BadValue(`must be one of ${OUTCOMES.join(", ")}`);

const NUMERIC = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
/** How logs write that a number is missing. */
const NO_NUMBER: ReadonlySet<string> = new Set(["", "null", "-", "none", "nan"]);
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["false", false],
  ["0", false],
  ["no", false],
]);
const OUTCOME_NAMES: ReadonlyMap<string, Outcome> = new Map(OUTCOMES.map((name) => [name, name]));

/** Longer error texts are cut: the server reads no further either. */
const MAX_TEXT_LENGTH = 2_000;

/**
 * What a cell or a JSON value means for a field, in one form whatever it was written as: `"200"` and `200`, an ISO
 * time and its epoch milliseconds come out the same, for ids are made of the outcome.
 */
export function coerce(field: Field, value: unknown, unit?: TimeUnit, zone?: Zone): Coerced {
  switch (field.kind) {
    case "time":
      return isBlank(value) ? undefined : parseLogTime(value, unit, zone);
    case "label":
      return toText(value);
    case "text":
      return cut(toText(value));
    case "integer":
      return toWhole(toNumber(value));
    case "milliseconds":
      return toMilliseconds(toNumber(value), unit);
    case "boolean":
      return toBoolean(value);
    case "outcome":
      return toOutcome(value);
  }
}

function isBlank(value: unknown): boolean {
  return value == null || (typeof value === "string" && value.trim() === "");
}

function toText(value: unknown): string | undefined | BadValue {
  if (typeof value === "string") {
    const first = value.charCodeAt(0);
    const last = value.charCodeAt(value.length - 1);
    const trimmed = first > 32 && first < 127 && last > 32 && last < 127 ? value : value.trim();
    return trimmed === "" ? undefined : trimmed;
  }
  if (value == null) return undefined;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : NOT_TEXT;
}

function cut(text: string | undefined | BadValue): string | undefined | BadValue {
  return typeof text === "string" && text.length > MAX_TEXT_LENGTH ? text.slice(0, MAX_TEXT_LENGTH) : text;
}

function toNumber(value: unknown): number | undefined | BadValue {
  if (typeof value === "number") return value;
  if (value == null) return undefined;
  if (typeof value !== "string") return NOT_A_NUMBER;
  const text = value.trim();
  if (NUMERIC.test(text)) return Number(text);
  return NO_NUMBER.has(text.toLowerCase()) ? undefined : NOT_A_NUMBER;
}

function toWhole(value: number | undefined | BadValue): number | undefined | BadValue {
  return typeof value === "number" && !Number.isInteger(value) ? NOT_WHOLE : value;
}

/** Rounded, as the server stores it. */
function toMilliseconds(
  value: number | undefined | BadValue,
  unit: TimeUnit | undefined,
): number | undefined | BadValue {
  if (typeof value !== "number") return value;
  if (!Number.isFinite(value)) return NOT_A_NUMBER;
  if (value < 0) return NEGATIVE;
  return Math.round(unit === undefined ? value : value * MS_PER[unit]);
}

function toBoolean(value: unknown): boolean | undefined | BadValue {
  if (typeof value === "boolean") return value;
  if (value == null) return undefined;
  if (typeof value !== "string" && typeof value !== "number") return NOT_A_BOOLEAN;
  const text = String(value).trim().toLowerCase();
  return BOOLEANS.get(text) ?? (NO_NUMBER.has(text) ? undefined : NOT_A_BOOLEAN);
}

function toOutcome(value: unknown): Outcome | undefined | BadValue {
  if (isBlank(value)) return undefined;
  if (typeof value !== "string") return NOT_AN_OUTCOME;
  return OUTCOME_NAMES.get(value) ?? OUTCOME_NAMES.get(value.trim().toLowerCase()) ?? NOT_AN_OUTCOME;
}
