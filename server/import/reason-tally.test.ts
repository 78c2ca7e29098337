import { expect, test } from "vitest";
import { formatReason, ReasonTally } from "./reason-tally.ts";

test("reasons that differ in numbers only are one, and the most frequent comes first", () => {
  const tally = new ReasonTally();
  const add = (line: number, pointer: string, detail: string) =>
    tally.add({ file: "a.csv", line, pointer, detail });
  add(1, "", "is not JSON");
  add(2, "/occurredAt", "is 301 s in the future (server time 2026-07-04T00:00:00.000Z)");
  add(3, "/occurredAt", "is 9 s in the future (server time 2026-07-04T00:00:01.000Z)");
  expect(tally.total).toBe(3);
  expect(tally.top(5).map(formatReason)).toEqual([
    "2 × /occurredAt is 301 s in the future (server time 2026-07-04T00:00:00.000Z) (first: a.csv, line 2)",
    "1 × the row is not JSON (a.csv, line 1)",
  ]);
  expect(tally.top(1)).toHaveLength(1);
});
