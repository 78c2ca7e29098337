import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createCsvReader } from "./csv-reader.ts";

function read(text: string, delimiter = ",", chunkBytes = 7) {
  const reader = createCsvReader(delimiter);
  const bytes = Buffer.from(text);
  const rows = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    rows.push(...reader.push(bytes.subarray(at, at + chunkBytes)));
  rows.push(...reader.end());
  return rows.map(({ line, cells, fault }) => [line, fault ?? cells]);
}

test("rows carry the line they begin in", () => {
  expect(read('a,b\r\n\r\n"x\r\n\r\ny",2\r\n"say ""hi""",4\n5,6')).toEqual([
    [1, ["a", "b"]],
    [3, ["x\n\ny", "2"]],
    [6, ['say "hi"', "4"]],
    [7, ["5", "6"]],
  ]);
});

test("a quote within a plain field is a plain character", () => {
  expect(read('5" disk,x\n1,2\n')).toEqual([
    [1, ['5" disk', "x"]],
    [2, ["1", "2"]],
  ]);
});

test("a quote that is never closed costs its own row only", () => {
  expect(read('a,b\n1,"x\n3,4\n"5",6\n')).toEqual([
    [1, ["a", "b"]],
    [2, "has a quote that is never closed"],
    [3, ["3", "4"]],
    [4, ["5", "6"]],
  ]);
  const many = Array.from({ length: 3_000 }, (_, at) => `${at},x`).join("\n");
  const rows = read(`1,"x\n${many}\n`, ",", 4096);
  expect(rows).toHaveLength(3_001);
  expect(rows.at(-1)).toEqual([3_001, ["2999", "x"]]);
});

test("an overlong line costs itself, and a record that it stands in", () => {
  const long = "x".repeat(1024 * 1024 + 1);
  expect(read(`1,2\n${long},2\n3,"4\n${long}\n5,6\n`, ",", 100_000)).toEqual([
    [1, ["1", "2"]],
    [2, "is longer than 1 MiB"],
    [3, "has a quote that is never closed"],
    [4, "is longer than 1 MiB"],
    [5, ["5", "6"]],
  ]);
});

test("what a writer quoted properly is read as csv-parse reads it", () => {
  const cell = fc
    .array(fc.constantFrom("a", '"', ",", "\n", " ", "é"), { maxLength: 6 })
    .map((parts) => parts.join(""));
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(table, fc.integer({ min: 1, max: 30 }), (rows, chunkBytes) => {
      const text = rows.map((row) => row.map(quote).join(",")).join("\n");
      const expected = parse(text, { relax_column_count: true, record_delimiter: "\n" });
      expect(read(text, ",", chunkBytes).map(([, cells]) => cells)).toEqual(expected);
    }),
  );
});

function quote(cell: string): string {
  return /[",\n]/.test(cell) || cell === "" ? `"${cell.replaceAll('"', '""')}"` : cell;
}
