import fc from "fast-check";
import { expect, test } from "vitest";
import { LineSplitter } from "./line-splitter.ts";

function split(chunks: readonly Buffer[], maxLineBytes?: number): [number, string | null][] {
  const lines: [number, string | null][] = [];
  const splitter = new LineSplitter(maxLineBytes);
  for (const chunk of chunks) splitter.push(chunk, (text, line) => lines.push([line, text]));
  splitter.end((text, line) => lines.push([line, text]));
  return lines;
}

test.each([
  ["", []],
  ["a", ["a"]],
  ["a\n", ["a"]],
  ["a\nb", ["a", "b"]],
  ["a\r\n\r\nb\r\n", ["a", "", "b"]],
  ["\n\na\n", ["", "", "a"]],
  ["\uFEFFa\n\uFEFFb\n", ["a", "\uFEFFb"]],
  ["a\rb\n", ["a\rb"]],
])("%j has the lines %j", (text, lines) => {
  expect(split([Buffer.from(text)])).toEqual(lines.map((line, at) => [at + 1, line]));
});

test("chunk borders change nothing, wherever they fall", () => {
  const piece = fc.constantFrom("a", "ü", "漢", "🙂", "\n", "\r\n", "\r", "long text ");
  const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(
      text,
      fc.array(fc.nat(200), { maxLength: 20 }),
      fc.integer({ min: 3, max: 40 }),
      (whole, cuts, max) => {
        const bytes = Buffer.from(whole);
        const ends = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
        const chunks = ends.map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
        expect(split(chunks, max)).toEqual(splitSimply(whole, max));
      },
    ),
    { numRuns: 500 },
  );
});

function splitSimply(text: string, max: number): [number, string | null][] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines
    .map((line) => line.replace(/\r$/, ""))
    .map((line, at) => [at + 1, Buffer.byteLength(line) > max ? null : line]);
}

test("a line that is not UTF-8 is reported as such, and the others are read, wherever chunks end", () => {
  const bytes = Buffer.concat([
    Buffer.from("schön\n"),
    Buffer.from("schön\n", "latin1"),
    Buffer.from("漢\n"),
  ]);
  const faults = (chunks: readonly Buffer[]) => {
    const lines: (string | null)[] = [];
    const splitter = new LineSplitter();
    for (const chunk of chunks) splitter.push(chunk, (text, _line, fault) => lines.push(text ?? fault));
    splitter.end((text, _line, fault) => lines.push(text ?? fault));
    return lines;
  };
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(faults([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual([
      "schön",
      expect.stringMatching(/^is not UTF-8: convert .* iconv/),
      "漢",
    ]);
  }
});

test("an overlong line is reported once, and the next one is read", () => {
  const chunks = ["ab", "cdefgh", "ij".repeat(50), "\nok\n"].map((text) => Buffer.from(text));
  expect(split(chunks, 8)).toEqual([
    [1, null],
    [2, "ok"],
  ]);
});
