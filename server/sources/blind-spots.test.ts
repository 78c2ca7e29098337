import { describe, expect, it } from "vitest";
import { findBlindSpots, MANY_CALLS } from "./blind-spots.ts";
import { EVENTS, LITELLM } from "./way.ts";

const few = { calls: MANY_CALLS - 1, failures: 0 };
const many = { calls: MANY_CALLS, failures: 0 };
const oneFailed = { calls: MANY_CALLS * 10, failures: 1 };
const spansOf = (instrument: string) => ({ via: "otlp" as const, instrument });

describe("findBlindSpots", () => {
  it("suspects a way of which none of many calls failed, whichever way it is", () => {
    for (const way of [EVENTS, LITELLM, spansOf("ai")]) {
      expect(findBlindSpots(way, few)).toEqual([]);
      expect(findBlindSpots(way, many)).toEqual([{ code: "omitsFailures", certainty: "likely" }]);
      expect(findBlindSpots(way, oneFailed)).toEqual([]);
    }
  });

  it("knows the instruments that never report a failure, until one does", () => {
    const hidesRetries = { code: "hidesRetries", certainty: "known" };
    for (const scope of [
      "@traceloop/instrumentation-openai",
      "@arizeai/openinference-instrumentation-openai",
    ]) {
      expect(findBlindSpots(spansOf(scope), few)).toEqual([
        hidesRetries,
        { code: "omitsFailures", certainty: "known" },
      ]);
      expect(findBlindSpots(spansOf(scope), oneFailed)).toEqual([hidesRetries]);
    }
  });

  it("knows the instruments that make one span of all attempts, and expects it of those it does not know", () => {
    for (const scope of ["gen_ai", "com.anthropic.sdk.typescript", "@opentelemetry/instrumentation-openai"]) {
      expect(findBlindSpots(spansOf(scope), few)).toEqual([{ code: "hidesRetries", certainty: "known" }]);
    }
    expect(findBlindSpots(spansOf("my.own"), few)).toEqual([{ code: "hidesRetries", certainty: "likely" }]);
  });
});
