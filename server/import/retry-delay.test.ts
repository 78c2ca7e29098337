import { parseRetryAfterMs } from "@busyhour/sdk";
import { expect, test } from "vitest";
import { getRetryDelayMs } from "./retry-delay.ts";

test("delays double up to 15 seconds, and chance takes at most half", () => {
  const at = (tries: number, random: number) => getRetryDelayMs(tries, null, 0, () => random);
  expect([1, 2, 3, 9].map((tries) => at(tries, 1))).toEqual([500, 1_000, 2_000, 15_000]);
  expect(at(1, 0)).toBe(250);
});

test("Retry-After is obeyed, in seconds or as a date", () => {
  const now = Date.parse("2026-07-04T12:00:00Z");
  expect(getRetryDelayMs(5, "3", now)).toBe(3_000);
  expect(parseRetryAfterMs("Sat, 04 Jul 2026 12:00:30 GMT", now)).toBe(30_000);
  expect(parseRetryAfterMs("Sat, 04 Jul 2026 11:00:00 GMT", now)).toBe(0);
  expect(parseRetryAfterMs("soon", now)).toBeNull();
});
