import { expect, test } from "vitest";
import { createNdjsonReader } from "./ndjson-reader.ts";

test("objects pass, blank lines are skipped, the rest is named with its line", () => {
  const reader = createNdjsonReader();
  const rows = [
    ...reader.push(Buffer.from('{"a":1}\n\n  \n{"secret": pr\n[1]\n"x"\nnull\n{"b"')),
    ...reader.end(),
  ];
  expect(rows).toEqual([
    { line: 1, cells: { a: 1 }, fault: null },
    { line: 4, cells: null, fault: "is not JSON" },
    { line: 5, cells: null, fault: "is not a JSON object" },
    { line: 6, cells: null, fault: "is not a JSON object" },
    { line: 7, cells: null, fault: "is not a JSON object" },
    { line: 8, cells: null, fault: "is not JSON" },
  ]);
});
