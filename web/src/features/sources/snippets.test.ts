import { describe, expect, it } from "vitest";
import { SNIPPETS, writeSnippet } from "./snippets.ts";

const parts = {
  origin: "http://127.0.0.1:8420",
  key: "bhi_abc",
  occurredAt: "2026-11-29T12:00:00.000Z",
};

describe("writeSnippet", () => {
  for (const name of SNIPPETS) {
    it(`fills the address and the key into the one for ${name}`, () => {
      const text = writeSnippet(name, parts);
      expect(text).toContain(parts.origin);
      expect(text).toContain(parts.key);
      expect(text).not.toMatch(/undefined|\$\{origin|\$\{key\}/);
    });
  }

  it("sends JSON that is JSON", () => {
    const body = /-d '(.*)'/s.exec(writeSnippet("curl", parts))?.[1] ?? "";
    expect(JSON.parse(body)).toMatchObject({ attempts: [{ occurredAt: parts.occurredAt }] });
  });
});
