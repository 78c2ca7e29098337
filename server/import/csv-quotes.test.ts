import { expect, test } from "vitest";
import { followQuotes } from "./csv-quotes.ts";

test.each([
  ["", "closed"],
  ["a,b", "closed"],
  ['"a","b"', "closed"],
  ['"a', "open"],
  ['a,"b""', "open"],
  ['a,"b"""', "closed"],
  ['5" disk,b', "closed"],
  ['"a"b"c', "closed"],
  ['"a,b', "open"],
])("%s ends %s", (text, state) => {
  expect(followQuotes(text, ",")).toBe(state);
});

test.each([
  ["a,b", "open"],
  ['a",b', "closed"],
  ['a"', "closed"],
  ['"', "closed"],
  ['a","b', "open"],
  ['"5",6', "broken"],
  ['a","b"c', "closed"],
])("within quotes, %s ends %s", (text, state) => {
  expect(followQuotes(text, ",", true)).toBe(state);
});
