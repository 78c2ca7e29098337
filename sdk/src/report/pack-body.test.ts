import { gunzipSync } from "node:zlib";
import { afterEach, describe, expect, it, vi } from "vitest";
import { packBody, writeBody } from "./pack-body.ts";

afterEach(() => vi.unstubAllGlobals());

describe("a body", () => {
  it("is one JSON document, with the note where there is one", () => {
    const events = [
      { json: '{"a":1}', source: "" },
      { json: '{"b":"é"}', source: "" },
    ];
    expect(JSON.parse(writeBody(events, null))).toEqual({ attempts: [{ a: 1 }, { b: "é" }] });
    const note = { id: "x", dropped: { app: 2 } };
    expect(JSON.parse(writeBody([], note))).toEqual({ attempts: [], reporter: note });
  });

  it("is packed from 1,024 characters on, whatever it holds and however large it is", async () => {
    expect(await packBody("x".repeat(1_023))).toEqual({ body: "x".repeat(1_023), encoding: null });
    for (const text of [
      "é模\u{1f600}".repeat(500),
      "x".repeat(1_024),
      `${crypto.randomUUID()}`.repeat(100_000),
    ]) {
      const { body, encoding } = await packBody(text);
      expect(encoding).toBe("gzip");
      expect(gunzipSync(body as Uint8Array).toString("utf8") === text).toBe(true);
    }
  });

  it("travels plain where nothing can pack it", async () => {
    vi.stubGlobal("CompressionStream", undefined);
    expect(await packBody("x".repeat(5_000))).toMatchObject({ encoding: null });
    vi.stubGlobal("CompressionStream", class {});
    expect(await packBody("x".repeat(5_000))).toEqual({ body: "x".repeat(5_000), encoding: null });
  });
});
