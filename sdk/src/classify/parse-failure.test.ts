import { describe, expect, it } from "vitest";
import { classify } from "./classify.ts";
import { FailureInputError, isFailureLine, parseFailureLine, parsePastedFailure } from "./parse-failure.ts";

describe("isFailureLine", () => {
  it("tells a line of ours from a provider's own JSON", () => {
    expect(isFailureLine('{"status":429}')).toBe(true);
    expect(isFailureLine('{"body":"x","anything":1}')).toBe(true);
    expect(isFailureLine('{"status":429,"title":"Too many"}')).toBe(false);
    expect(isFailureLine('{"error":{"code":1},"headers":{}}')).toBe(false);
    expect(isFailureLine("[1]")).toBe(false);
    expect(isFailureLine("429")).toBe(false);
  });
});

describe("parseFailureLine", () => {
  it.each([
    ["no", "json"],
    ["[1]", "object"],
    ['{"status":"429"}', "status"],
    ['{"status":600}', "status"],
    ['{"headers":3}', "headers"],
    ['{"provider":3}', "provider"],
    ['{"model":3}', "model"],
  ])("says what is wrong with %s", (line, fault) => {
    expect(() => parseFailureLine(line)).toThrow(FailureInputError);
    expect(() => parseFailureLine(line)).toThrow(expect.objectContaining({ fault }));
  });
});

describe("parsePastedFailure", () => {
  it("takes one of ours over many lines", () => {
    const line = { id: 7, provider: "openai", status: 429, body: { error: { code: "insufficient_quota" } } };
    expect(parsePastedFailure(`\n${JSON.stringify(line, null, 2)}\n`)).toMatchObject({
      id: 7,
      failure: { provider: "openai", status: 429, body: line.body },
    });
  });

  it("takes an answer as curl prints it: the last one, its headers and its body", () => {
    const text =
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 429 \r\nRetry-After: 3\r\ncontent-type: application/json\r\n\r\n" +
      '{"error":\r\n\r\n{"message":"slow down"}}';
    const { failure } = parsePastedFailure(text);
    expect(failure).toEqual({
      status: 429,
      headers: { "retry-after": "3", "content-type": "application/json" },
      body: '{"error":\n\n{"message":"slow down"}}',
    });
    expect(classify(failure)).toMatchObject({ outcome: "rate_limit", retryAfterMs: 3_000 });
    expect(parsePastedFailure("HTTP/1.1 503 Service Unavailable").failure).toEqual({
      status: 503,
      headers: {},
      body: undefined,
    });
  });

  it("takes other JSON as a body and anything else as what a client threw", () => {
    expect(parsePastedFailure(' {"type":"error"} ').failure).toEqual({ body: { type: "error" } });
    expect(parsePastedFailure(" 429 \n").failure).toEqual({ exception: "429" });
    expect(parsePastedFailure("HTTP 429").failure).toEqual({ exception: "HTTP 429" });
  });
});
