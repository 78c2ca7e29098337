import { classify, classifyEvidence } from "@busyhour/sdk";
import { describe, expect, it } from "vitest";
import type { ReceivedEvent } from "../contract/attempt-event.ts";
import { fromStoredEvidence, toError, toStoredEvidence } from "./evidence.ts";
import { nameOutcome, toFailure } from "./name-outcome.ts";

function store(parts: Partial<ReceivedEvent>) {
  const event: ReceivedEvent = { occurredAt: 1e12, provider: "acme", model: "large", ...parts };
  const failure = toFailure(event);
  const named = nameOutcome(event, failure, classify);
  const stored = toStoredEvidence(event.error, failure, named.rule);
  const evidence = fromStoredEvidence(stored ?? {}, event.httpStatus ?? null);
  return { named, stored, again: classifyEvidence(evidence, event.provider) };
}

describe("stored evidence", () => {
  it("keeps the words alone where the sender named the outcome", () => {
    const { stored } = store({
      outcome: "capacity",
      httpStatus: 529,
      error: { type: "overloaded_error", code: 529, message: "Overloaded, key sk-abcdefgh12345678" },
    });
    expect(stored).toEqual({ type: "overloaded_error", code: "529", message: "Overloaded, key [key]" });
    expect(store({ outcome: "capacity", httpStatus: 529 }).stored).toBeNull();
    expect(store({ httpStatus: 200 }).stored).toBeNull();
  });

  it("keeps the rule, and only what goes beyond type and code", () => {
    const { stored, named } = store({
      httpStatus: 429,
      error: { type: "tokens", code: "rate_limit_exceeded", message: "Slow down. Try again in 2s." },
    });
    expect(stored).toEqual({
      rule: named.rule,
      type: "tokens",
      code: "rate_limit_exceeded",
      message: "Slow down. Try again in 2s.",
      waitMs: 2000,
    });
    expect(store({ httpStatus: 503 }).stored).toEqual({ rule: expect.any(String) });
  });

  it("is named again as the failure was, also where the telling part lies deep in its words", () => {
    const inner = JSON.stringify({
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
      request_id: "req_011CSHoEeqs5C35K2UUqR7Fy",
    });
    const failures: Partial<ReceivedEvent>[] = [
      { httpStatus: 500, error: { message: `litellm.InternalServerError: AnthropicException - ${inner}` } },
      {
        error: `${"All was well so far. ".repeat(60)}You exceeded your current quota, please check your plan.`,
      },
      { httpStatus: 429, error: { type: "AI_APICallError", message: "Resource has been exhausted" } },
      { error: { type: "APIConnectionTimeoutError", message: "Request timed out." } },
      { httpStatus: 418 },
      { httpStatus: 404, error: { code: "model_not_found", message: "The model `x` does not exist" } },
    ];
    for (const parts of failures) {
      const { named, again } = store(parts);
      expect([parts, again.outcome, again.rule]).toEqual([parts, named.outcome, named.rule]);
    }
    expect(failures.map((parts) => store(parts).named.outcome)).toEqual([
      "capacity",
      "quota",
      expect.any(String),
      "timeout",
      expect.any(String),
      "not_found",
    ]);
  });

  it("is bounded, whatever comes", () => {
    const long = "overloaded model ".repeat(5_000);
    const { stored } = store({ error: { type: long, code: long, message: long } });
    expect(JSON.stringify(stored).length).toBeLessThan(2_500);
  });
});

describe("toError", () => {
  it("gives people the words, and nothing where there are none", () => {
    expect(toError({ rule: "a/b", code: "x", codes: ["y=z"], waitMs: 1 })).toEqual({ code: "x" });
    expect(toError({ rule: "a/b" })).toBeNull();
  });
});
