import { describe, expect, it } from "vitest";
import { BodyWindow } from "./body-window.ts";

const encode = (text: string) => new TextEncoder().encode(text);

describe("what is kept of a body", () => {
  it("is all of a short one", () => {
    const window = new BodyWindow();
    expect(window.whole()).toBe("");
    window.push(encode("ab"), 1);
    window.push(encode(""), 2);
    window.push(encode("cä"), 3);
    expect(window.whole()).toBe("abcä");
    expect([0, 1, 2, 4].map((at) => window.timeOf(at))).toEqual([1, 1, 3, 3]);
    expect(window.timeOf(5)).toBeUndefined();
  });

  it.each([1, 7, 100, 5_000, 50_000, 200_000])(
    "is its beginning and its end, in chunks of %i bytes",
    (size) => {
      const text = Array.from({ length: 30_000 }, (_, i) => `${i};`).join("");
      const window = new BodyWindow();
      const bytes = encode(text);
      for (let at = 0; at < bytes.length; at += size) window.push(bytes.subarray(at, at + size), at);
      expect(window.whole()).toBeNull();
      expect(window.head()).toBe(text.slice(0, 16_384));
      expect(text.endsWith(window.tail())).toBe(true);
      expect(window.tail().length).toBeGreaterThanOrEqual(16_384);
      expect(window.tail().length).toBeLessThanOrEqual(32_768);
    },
  );

  it("is whole as long as nothing was dropped", () => {
    const text = "0123456789".repeat(3_000);
    const window = new BodyWindow();
    for (let at = 0; at < text.length; at += 999) window.push(encode(text.slice(at, at + 999)), 0);
    expect(window.whole()).toBe(text);
  });

  it("keeps how the last line began, however long it became", () => {
    const window = new BodyWindow();
    window.push(encode(`${"x".repeat(20_000)}\n\ndata: {"type":"response.fai`), 0);
    window.push(encode(`led","error":{}`), 0);
    for (let i = 0; i < 50; i++) window.push(encode("y".repeat(10_000)), 0);
    window.push(encode("\n\n"), 0);
    expect(window.lastLine()).toMatch(/^data: \{"type":"response\.failed","error":\{\}/);
  });

  it("holds no more than 64 kB of a stream without end", () => {
    const window = new BodyWindow();
    const chunk = new Uint8Array(100_000).fill(46);
    globalThis.gc?.();
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 300; i++) window.push(chunk, i);
    globalThis.gc?.();
    expect(window.head().length + window.tail().length + window.lastLine().length).toBeLessThanOrEqual(
      65_536,
    );
    if (globalThis.gc !== undefined) expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(65_536);
  });
});
