import { describe, expect, it } from "vitest";
import { collectCalls } from "./collect-calls.ts";
import { draftSpan, type ReceivedSpan } from "./span.ts";

/** An attempt of the AI SDK up to 6, from and to a second of the day. */
function anAttempt(id: number, from: number, to: number, hasFailed: boolean, parent = 99): ReceivedSpan {
  const ns = (second: number) => 1_796_000_000_000_000_000n + BigInt(second) * 1_000_000_000n;
  return {
    ...draftSpan({ name: "ai", version: "" }, "shop"),
    traceId: "1".repeat(32),
    spanId: String(id).padStart(16, "0"),
    parentSpanId: String(parent).padStart(16, "0"),
    startNs: ns(from),
    endNs: ns(to),
    attributes: new Map([
      ["ai.operationId", "ai.generateText.doGenerate"],
      ["ai.model.id", "m"],
      ["ai.model.provider", "p"],
    ]),
    isError: hasFailed,
  };
}

const summarize = (spans: readonly ReceivedSpan[]) =>
  collectCalls(spans, (isCall) => isCall.map(() => false)).map(({ event }) => {
    const { attempt, isFinal, requestId } = event as {
      attempt?: number;
      isFinal?: boolean;
      requestId?: string;
    };
    return [attempt, isFinal ?? true, requestId?.slice(-2)];
  });

describe("collectCalls", () => {
  it("takes attempts that follow a failed one beneath the same call for its retries", () => {
    const spans = [
      anAttempt(3, 6, 8, false),
      anAttempt(1, 0, 1, true),
      anAttempt(2, 3, 4, true),
      anAttempt(4, 9, 10, false),
      anAttempt(5, 0, 1, true, 77),
    ];
    expect(summarize(spans)).toEqual([
      [3, true, "99"],
      [1, false, "99"],
      [2, false, "99"],
      [1, true, "99"],
      [1, true, "77"],
    ]);
  });

  it("does not take calls that ran side by side for retries", () => {
    expect(summarize([anAttempt(1, 0, 5, true), anAttempt(2, 1, 3, false)])).toEqual([
      [1, true, "99"],
      [1, true, "99"],
    ]);
  });

  it("leaves out spans that have a model call beneath them, and what is no call", () => {
    const other: ReceivedSpan = { ...anAttempt(6, 0, 1, false), attributes: new Map() };
    const calls = collectCalls([anAttempt(1, 0, 1, false), anAttempt(2, 0, 1, false), other], (isCall) => {
      expect(isCall).toEqual([true, true, false]);
      return [true, false, false];
    });
    expect(calls.map(({ span, way }) => [span.spanId.slice(-1), way])).toEqual([
      ["2", { via: "otlp", instrument: "ai" }],
    ]);
  });
});
