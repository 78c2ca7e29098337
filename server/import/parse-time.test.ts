import { expect, test } from "vitest";
import { BadValue } from "./bad-value.ts";
import { NEEDS_ZONE, parseLogTime, type TimeUnit } from "./parse-time.ts";
import { createZone } from "./zone.ts";

const MS = Date.parse("2026-07-04T13:59:08.123Z");

test.each<[unknown, TimeUnit?]>([
  ["2026-07-04T13:59:08.123Z"],
  ["2026-07-04T13:59:08.123999999Z"],
  ["2026-07-04t13:59:08,123z"],
  ["2026-07-04 13:59:08.123 UTC"],
  ["2026/07/04 13:59:08.123 +0000"],
  ["2026-07-04T19:29:08.123+05:30"],
  ["2026-07-04T03:59:08.123-10"],
  [" 2026-07-04T13:59:08.123Z "],
  [MS],
  [String(MS)],
  [MS / 1000],
  ["1783173548.123"],
  [MS * 1000],
  ["1783173548123456"],
  [MS * 1e6],
  ["1783173548123000000"],
  ["1783173548123456789"],
  [MS, "ms"],
  [`${MS / 1000}`, "s"],
])("%j (unit %s) is that millisecond", (value, unit) => {
  expect(parseLogTime(value, unit)).toBe(MS);
});

test.each([
  ["2026-07-04T13:59Z", "2026-07-04T13:59:00.000Z"],
  ["2026-07-04T13:59:08.1Z", "2026-07-04T13:59:08.100Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
  [0, "1970-01-01T00:00:00.000Z"],
  [99_999_999_999, "5138-11-16T09:46:39.000Z"],
  [100_000_000_000, "1973-03-03T09:46:40.000Z"],
])("%j is %s", (value, iso) => {
  expect(parseLogTime(value)).toBe(Date.parse(iso));
});

test("a forced unit outweighs the magnitude", () => {
  expect(parseLogTime(5_000, "ms")).toBe(5_000);
  expect(parseLogTime("5000000", "us")).toBe(5_000);
});

test.each([
  ["2026-02-29T00:00:00Z", "is no time that exists"],
  ["2026-13-01T00:00:00Z", "is no time that exists"],
  ["2026-00-10T00:00:00Z", "is no time that exists"],
  ["2026-07-04T24:00:00Z", "is no time that exists"],
  ["2026-07-04T13:60:00Z", "is no time that exists"],
  ["2026-07-04", "must be a time"],
  ["yesterday", "must be a time"],
  ["2026-07-04T13:59:08.Z", "must be a time"],
  ["2026-07-04T13:59:08 CEST", "must be a time"],
  ["2026-07-0xT13:59:08Z", "must be a time"],
  [true, "must be a time"],
  [Number.NaN, "must be a time"],
  [{}, "must be a time"],
])("%j is refused", (value, detail) => {
  const parsed = parseLogTime(value);
  expect(parsed).toBeInstanceOf(BadValue);
  expect((parsed as BadValue).detail).toContain(detail);
});

test("a time without an offset needs a zone", () => {
  expect(parseLogTime("2026-07-04 13:59:08")).toBe(NEEDS_ZONE);
  expect(parseLogTime("2026-07-04 15:59:08.123", undefined, createZone("Europe/Berlin"))).toBe(MS);
});
