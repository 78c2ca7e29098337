import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
} from "node:zlib";
import { describe, expect, it } from "vitest";
import { describeUnpackFault, judgeUnpackFault } from "./unpack-fault.ts";

const TEXT = Buffer.from("a line of text\n".repeat(1_000));
const packed = gzipSync(TEXT);

/** The data with one byte changed, counted from the end where negative. */
function withBadByte(data: Buffer, at: number): Buffer {
  const bad = Buffer.from(data);
  const place = at < 0 ? data.length + at : at;
  bad[place] = (bad[place] ?? 0) ^ 0xff;
  return bad;
}

function faultOf(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return judgeUnpackFault(error);
  }
  throw new Error("nothing was thrown");
}

describe("judgeUnpackFault", () => {
  it.each([
    ["gzip that ends early", () => gunzipSync(packed.subarray(0, -20)), "cut off"],
    ["gzip with another checksum", () => gunzipSync(withBadByte(packed, -6)), "wrong checksum"],
    ["gzip with another length", () => gunzipSync(withBadByte(packed, -1)), "wrong checksum"],
    ["gzip with a broken header", () => gunzipSync(withBadByte(packed, 2)), "not packed"],
    ["gzip with a broken block", () => gunzipSync(withBadByte(packed, 10)), "damaged"],
    ["text for gzip", () => gunzipSync(Buffer.from("plain text")), "not packed"],
    ["deflate that ends early", () => inflateSync(deflateSync(TEXT).subarray(0, -20)), "cut off"],
    ["text for deflate", () => inflateSync(Buffer.from("plain text")), "not packed"],
    [
      "Brotli that ends early",
      () => brotliDecompressSync(brotliCompressSync(TEXT).subarray(0, -2)),
      "cut off",
    ],
    ["text for Brotli", () => brotliDecompressSync(Buffer.from("plain text that is long")), "damaged"],
    ["another error", () => Buffer.alloc(-1), null],
  ] as const)("knows %s", (_what, work, fault) => {
    expect(faultOf(work)).toBe(fault);
  });

  it("has words for each", () => {
    expect(describeUnpackFault("wrong checksum", "gzip")).toBe(
      "the gzip data is damaged: its checksum is wrong",
    );
  });
});
