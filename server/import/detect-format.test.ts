import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { detectDelimiter, detectFormat, detectPacking } from "./detect-format.ts";

test.each([
  ['{"a":1}', "ndjson"],
  ['\uFEFF\n  {"a":1}', "ndjson"],
  ["a,b", "csv"],
  ["  \n", null],
])("%j is %s", (start, format) => {
  expect(detectFormat(start)).toBe(format);
});

test("a JSON array is refused with the command that mends it", () => {
  expect(() => detectFormat("[{")).toThrow("jq -c '.[]'");
});

test("packing is told by magic bytes", () => {
  expect(detectPacking(gzipSync("x"))).toBe("gzip");
  expect(detectPacking(Buffer.from("x"))).toBe("plain");
  expect(detectPacking(Buffer.alloc(0))).toBe("plain");
  expect(() => detectPacking(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))).toThrow("zstd");
  expect(() => detectPacking(Buffer.from("\uFEFFa", "utf16le"))).toThrow("UTF-16");
});

test.each([
  ["a,b,c\n1,2,3\n", ","],
  ["a;b\n1,5;2,5\n2,5;3\n", ";"],
  ["a\tb\n1\t2\n", "\t"],
  ["a|b|c\n1|2|x,y\n", "|"],
  ['"a,b,c";d\n"1,2";3\n', ";"],
  ["alone\n1\n", ","],
  ["a,b", ","],
])("%j is cut at %j", (start, delimiter) => {
  expect(detectDelimiter(start)).toBe(delimiter);
});
