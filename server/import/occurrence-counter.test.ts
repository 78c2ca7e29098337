import fc from "fast-check";
import { expect, test } from "vitest";
import { OccurrenceCounter } from "./occurrence-counter.ts";

const countAll = (rows: readonly string[], span?: number) => {
  const counter = new OccurrenceCounter(span);
  return rows.map((row) => counter.next(row));
};

test("identical rows are numbered from 1, each content by itself", () => {
  expect(countAll(["a", "b", "a", "a", "b"])).toEqual([1, 1, 2, 3, 2]);
});

test("a twin exactly as far back as the span still counts, one row farther it is a repetition", () => {
  expect(countAll(["a", "b", "c", "a"], 3)).toEqual([1, 1, 1, 2]);
  expect(countAll(["a", "b", "c", "d", "a"], 3)).toEqual([1, 1, 1, 1, 1]);
});

test("numbers are those of a table that forgets nothing within the span", () => {
  const rows = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 200 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 40 }), (contents, span) => {
      expect(countAll(contents, span)).toEqual(countSimply(contents, span));
    }),
    { numRuns: 500 },
  );
});

function countSimply(contents: readonly string[], span: number): number[] {
  const last = new Map<string, { row: number; count: number }>();
  return contents.map((content, row) => {
    const before = last.get(content);
    const count = before !== undefined && row - before.row <= span ? before.count + 1 : 1;
    last.set(content, { row, count });
    return count;
  });
}

test("rows in front change no number, wherever the table's generations turn", () => {
  const rows = ["a", "b", "a", "c", "a", "b"];
  const plain = countAll(rows, 7);
  for (let gained = 1; gained < 20; gained++) {
    const front = Array.from({ length: gained }, (_, at) => `front ${at}`);
    expect(countAll([...front, ...rows], 7).slice(gained)).toEqual(plain);
  }
});

test("a hundred thousand different rows are told apart while the table grows", () => {
  const rows = Array.from({ length: 100_000 }, (_, at) => `row ${at}`);
  expect(new Set(countAll(rows))).toEqual(new Set([1]));
  expect(countAll([...rows, "row 0", "row 99999"]).slice(-2)).toEqual([2, 2]);
});
