import { expect, test } from "vitest";
import { formatNames, formatSummary, type ImportSummary, toExitCode } from "./summary.ts";

const aSummary = (part: Partial<ImportSummary> = {}): ImportSummary => ({
  target: "http://localhost:4100",
  rows: 1_200,
  accepted: 1_000,
  duplicates: 200,
  rejected: 0,
  reasons: [],
  ignoredColumns: [],
  rejectsPath: null,
  elapsedMs: 2_000,
  isInterrupted: false,
  failure: null,
  ...part,
});

test("says what was done, why rows were rejected and what was ignored", () => {
  const reasons = [{ pointer: "/latencyMs", detail: "must be a number", count: 3, file: "a.csv", line: 7 }];
  const text = formatSummary(
    aSummary({ rejected: 3, reasons, rejectsPath: "r.ndjson", ignoredColumns: ["foo", "bar"] }),
  );
  expect(text).toBe(`1,200 rows into http://localhost:4100 in 2.0 s, 600 rows/s
  accepted    1,000
  duplicates  200
  rejected    3  (see r.ndjson)
Most frequent reasons:
  3 × /latencyMs must be a number (first: a.csv, line 7)
Ignored columns: foo, bar
`);
});

test("whoever was broken off learns that repeating is safe", () => {
  expect(formatSummary(aSummary({ isInterrupted: true }))).toContain("nothing is stored twice");
  expect(formatSummary(aSummary({ failure: "the server is gone" }))).toContain(
    "Failed: the server is gone\nRun the same",
  );
});

test.each([
  [{}, 0],
  [{ rejected: 1 }, 3],
  [{ rejected: 1, failure: "x" }, 1],
  [{ failure: "x", isInterrupted: true }, 130],
])("%j ends with %i", (part, code) => {
  expect(toExitCode(aSummary(part))).toBe(code);
});

test("long lists of names are cut", () => {
  expect(formatNames(Array.from({ length: 32 }, (_, at) => `c${at}`))).toMatch(/c29 and 2 more$/);
});
