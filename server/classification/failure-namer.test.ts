import { classify } from "@busyhour/sdk";
import { describe, expect, it } from "vitest";
import type { ReceivedEvent } from "../contract/attempt-event.ts";
import { createFailureNamer } from "./failure-namer.ts";
import type { Classify } from "./name-outcome.ts";

function setUp() {
  let asked = 0;
  const counting: Classify = (failure) => {
    asked++;
    return classify(failure);
  };
  const name = createFailureNamer(counting);
  const event = (parts: Partial<ReceivedEvent>): ReceivedEvent => ({
    occurredAt: 1e12,
    provider: "acme",
    model: "large",
    ...parts,
  });
  return { name: (parts: Partial<ReceivedEvent>) => name(event(parts)), asked: () => asked };
}

describe("createFailureNamer", () => {
  it("thinks about the same failure once", () => {
    const { name, asked } = setUp();
    const failure = { httpStatus: 529, error: { type: "overloaded_error", message: "Overloaded" } };
    const first = name(failure);
    expect(first).toMatchObject({ outcome: "capacity", evidence: { type: "overloaded_error" } });
    for (let i = 0; i < 100; i++) expect(name({ ...failure, latencyMs: i, model: "other" })).toBe(first);
    expect(asked()).toBe(1);
  });

  it("tells failures apart by all that naming looks at", () => {
    const { name, asked } = setUp();
    const error = { message: "too many requests" };
    const parts: Partial<ReceivedEvent>[] = [
      { error },
      { error, httpStatus: 429 },
      { error, httpStatus: 503 },
      { error, httpStatus: 503, provider: "google-gemini" },
      { error: "too many requests", httpStatus: 503 },
      { httpStatus: 503 },
    ];
    const first = parts.map(name);
    expect(asked()).toBe(parts.length);
    expect(parts.map(name)).toEqual(first);
    expect(asked()).toBe(parts.length);
    expect(name({ error, httpStatus: 503, outcome: "timeout" })).toMatchObject({
      outcome: "timeout",
      rule: null,
    });
  });

  it("stays small however many failures there are", () => {
    const { name, asked } = setUp();
    for (let i = 0; i < 2_001; i++) name({ error: `failure ${i} of many` });
    const before = asked();
    name({ error: "failure 0 of many" });
    expect(asked()).toBe(before + 1);
    const long = { error: "x".repeat(3_000) };
    name(long);
    name(long);
    expect(asked()).toBe(before + 3);
  });

  it("keeps nothing of what did not fail", () => {
    const { name, asked } = setUp();
    expect(name({ httpStatus: 200 })).toEqual({
      outcome: "ok",
      rule: null,
      retryAfterMs: null,
      evidence: null,
    });
    expect(name({ outcome: "ok" }).evidence).toBeNull();
    expect(asked()).toBe(0);
  });
});
