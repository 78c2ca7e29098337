import { describe, expect, it } from "vitest";
import { describeMediaTypeFault, readBodyType } from "./media-type.ts";

describe("readBodyType", () => {
  it.each([
    [undefined, "application/json"],
    ["", "application/json"],
    ["application/json", "application/json"],
    ["Application/JSON; charset=utf-8", "application/json"],
    ["application/vnd.acme.v1+json", "application/json"],
    ["application/x-ndjson", "application/x-ndjson"],
    ["application/ndjson;charset=utf-8", "application/x-ndjson"],
    ["application/jsonl", "application/x-ndjson"],
    ["application/json-lines", "application/x-ndjson"],
    ["text/plain", null],
    ["application/x-www-form-urlencoded", null],
    ["application/jsonp", null],
    ["multipart/form-data; boundary=application/json", null],
  ] as const)("takes %j for %j", (contentType, type) => {
    expect(readBodyType(contentType)).toBe(type);
  });
});

describe("describeMediaTypeFault", () => {
  it("tells whoever forgot the header with curl -d which one to add", () => {
    expect(describeMediaTypeFault("application/x-www-form-urlencoded", ["application/json"])).toBe(
      'It came as a form (application/x-www-form-urlencoded), as curl -d sends it when it is not told otherwise: add -H "Content-Type: application/json".',
    );
  });

  it("names both types where both are taken", () => {
    expect(describeMediaTypeFault("text/plain", ["application/json", "application/x-ndjson"])).toBe(
      'It came as text/plain. Say what it is: -H "Content-Type: application/json", or application/x-ndjson for one event per line.',
    );
  });
});
