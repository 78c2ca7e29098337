import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deriveKey, open, seal } from "./seal.ts";

const key = deriveKey("a text of at least thirty-two characters");
const other = deriveKey("another text of thirty-two characters and more");

describe("a sealed secret", () => {
  it("opens with its key at its place, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (plain, place) => {
        expect(open(key, place, seal(key, place, plain))).toBe(plain);
      }),
    );
  });

  it("opens nowhere else, with no other key, and not when one bit of it was changed", () => {
    const sealed = seal(key, '[1,"channel/1/url"]', "https://hooks.example.com/x");
    expect(open(key, '[2,"channel/1/url"]', sealed)).toBeNull();
    expect(open(other, '[1,"channel/1/url"]', sealed)).toBeNull();
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(open(key, '[1,"channel/1/url"]', changed)).toBeNull();
    }
    for (let length = 0; length < sealed.length; length++)
      expect(open(key, '[1,"channel/1/url"]', sealed.subarray(0, length))).toBeNull();
  });

  it("is another one each time", () => {
    const seen = new Set(Array.from({ length: 100 }, () => seal(key, "", "x").toString("hex")));
    expect(seen.size).toBe(100);
  });
});

describe("a key", () => {
  it("is the same for the same text, and its name tells nothing of it", () => {
    expect(deriveKey("x".repeat(32))).toEqual(deriveKey("x".repeat(32)));
    expect(key.id).toMatch(/^[0-9a-f]{16}$/);
    expect(key.bytes.toString("hex")).not.toContain(key.id);
    expect(key.id).not.toBe(other.id);
  });
});
