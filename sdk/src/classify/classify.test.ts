import { describe, expect, it } from "vitest";
import type { Failure } from "./classification.ts";
import { classify, createClassifier } from "./classify.ts";

const outcomeOf = (failure: Failure) => classify(failure).outcome;

describe("one status, many meanings", () => {
  it("tells an empty balance, an own limit and a full provider apart, all of them 429", () => {
    const money = { error: { message: "Top up your balance.", type: "insufficient_quota" } };
    const own = {
      error: { message: "You sent more than 60 requests per minute.", code: "rate_limit_exceeded" },
    };
    const full = { error: { message: "The engine is overloaded.", type: "engine_overloaded_error" } };
    expect([money, own, full].map((body) => outcomeOf({ status: 429, body }))).toEqual([
      "quota",
      "rate_limit",
      "capacity",
    ]);
  });

  it("reads errors inside HTTP 200, and calls an answer ok even when it speaks of errors", () => {
    const event = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(outcomeOf({ status: 200, body: event })).toBe("capacity");
    const answer = { choices: [{ message: { role: "assistant", content: "429: rate limit, overloaded" } }] };
    expect(outcomeOf({ status: 200, body: answer })).toBe("ok");
  });

  it("says everything about a verdict", () => {
    const body = { error: { message: "Slow down, 20 requests per minute.", code: "rate_limit_exceeded" } };
    expect(classify({ status: 429, headers: { "Retry-After": "7" }, body, provider: "acme" })).toEqual({
      outcome: "rate_limit",
      rule: "generic/rate_limit",
      severity: "soft",
      retryable: true,
      retryAfterMs: 7_000,
      scope: "model",
      switchHelps: true,
      providerCode: "rate_limit_exceeded",
      status: 429,
    });
  });
});

describe("what was sent never decides", () => {
  it.each([
    { error: { message: "Incorrect API key provided: sk-overloaded-429. Find yours in settings." } },
    { error: { message: "Incorrect API key provided: 'rate limit exceeded'." } },
  ])("an echoed key: %j", (body) => {
    expect(outcomeOf({ status: 401, body })).toBe("auth");
  });

  it.each([
    {
      error: { message: "`tools` must not be empty", type: "invalid_request_error" },
      prompt_token_ids: [429, 503],
    },
    { error: { message: "Invalid value: 'insufficient balance'. Supported values are: 'a', 'b'." } },
    {
      detail: [
        { loc: ["body"], msg: "field required", input: "the model is overloaded, rate limit exceeded" },
      ],
    },
    "Invalid user message={'role': 'user', 'content': ['the quota is exhausted, 429']}",
  ])("an echoed prompt: %j", (body) => {
    expect(outcomeOf({ status: 400, body })).toBe("invalid_request");
  });
});

describe("rules of one's own", () => {
  it("are asked before ours", () => {
    const own = createClassifier([
      { id: "house/nap", outcome: "capacity", text: "taking a nap", because: "Our proxy says so." },
    ]);
    const failure = { status: 403, body: { error: { message: "The proxy is taking a nap." } } };
    expect(own(failure)).toMatchObject({ outcome: "capacity", rule: "house/nap" });
    expect(classify(failure)).toMatchObject({ outcome: "permission", rule: "status/permission" });
  });
});
