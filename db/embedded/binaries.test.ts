import { expect, test } from "vitest";
import { parseMajor } from "./binaries.ts";

test.each([
  ["postgres (PostgreSQL) 18.4", 18],
  ["postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)", 15],
  ["postgres (PostgreSQL) 19beta1", 19],
  ["something else", 0],
])("%s", (text, major) => {
  expect(parseMajor(text)).toBe(major);
});
