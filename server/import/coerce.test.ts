import { expect, test } from "vitest";
import { BadValue } from "./bad-value.ts";
import { coerce } from "./coerce.ts";
import { type FieldName, getField } from "./fields.ts";
import type { TimeUnit } from "./parse-time.ts";

test.each<[FieldName, unknown, unknown, TimeUnit?]>([
  ["model", " gpt-4o ", "gpt-4o"],
  ["model", "   ", undefined],
  ["model", 4, "4"],
  ["model", "\u00a0x\u00a0", "x"],
  ["error.code", 529, "529"],
  ["httpStatus", "200", 200],
  ["httpStatus", "200.0", 200],
  ["httpStatus", " 200 ", 200],
  ["httpStatus", "null", undefined],
  ["httpStatus", "NULL", undefined],
  ["httpStatus", "-", undefined],
  ["httpStatus", "None", undefined],
  ["inputTokens", "1e3", 1000],
  ["latencyMs", "12.4", 12],
  ["latencyMs", 0.9, 1],
  ["latencyMs", "1.234", 1234, "s"],
  ["latencyMs", 1500, 2, "us"],
  ["latencyMs", 2_000_000, 2, "ns"],
  ["isFinal", "Yes", true],
  ["isFinal", 0, false],
  ["isFinal", false, false],
  ["isStream", "", undefined],
  ["outcome", "Rate_Limit", "rate_limit"],
  ["outcome", "", undefined],
  ["occurredAt", " ", undefined],
])("%s %j is %j", (name, value, expected, unit) => {
  expect(coerce(getField(name), value, unit)).toBe(expected);
});

test.each<[FieldName, unknown, string]>([
  ["httpStatus", "200 OK", "must be a number"],
  ["httpStatus", "0x10", "must be a number"],
  ["httpStatus", 200.5, "must be a whole number"],
  ["latencyMs", "fast", "must be a number"],
  ["latencyMs", "-3", "must not be negative"],
  ["latencyMs", Number.POSITIVE_INFINITY, "must be a number"],
  ["latencyMs", [], "must be a number"],
  ["isFinal", "maybe", "must be true or false"],
  ["outcome", "overloaded", "must be one of ok, capacity"],
  ["model", { name: "x" }, "must be text"],
])("%s %j is refused without being repeated", (name, value, detail) => {
  const coerced = coerce(getField(name), value);
  expect(coerced).toBeInstanceOf(BadValue);
  expect((coerced as BadValue).detail).toContain(detail);
});

test("error texts are cut where the server stops reading", () => {
  expect(coerce(getField("error.message"), "x".repeat(5_000))).toHaveLength(2_000);
});
