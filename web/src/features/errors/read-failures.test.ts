import { classify } from "@busyhour/sdk";
import { describe, expect, it } from "vitest";
import { MOST_LINES, parseStatus, readFailures } from "./read-failures.ts";

const known = { provider: null, status: null, nowMs: Date.parse("2026-11-29T12:00:00Z") };
const outcomes = (
  text: string,
  more: Partial<typeof known> | { provider: string } | { status: number } = {},
) => readFailures(text, { ...known, ...more }).failures.map(({ failure }) => classify(failure).outcome);

describe("readFailures", () => {
  it("reads nothing from nothing, and a status alone as a failure", () => {
    expect(readFailures(" \n", known)).toEqual({ failures: [], faults: [], leftOut: 0 });
    expect(outcomes("", { status: 401 })).toEqual(["auth"]);
  });

  it("reads a text, a body, an answer of curl and a line of ours", () => {
    expect(outcomes("openai.RateLimitError: Error code: 429 - {'error': 'engine overloaded'}")).toEqual([
      "capacity",
    ]);
    expect(outcomes('{\n"type":"error",\n"error":{"type":"overloaded_error"}}')).toEqual(["capacity"]);
    expect(outcomes('HTTP/1.1 429 Too Many\n\n{"error":{"code":"insufficient_quota"}}')).toEqual(["quota"]);
    expect(outcomes('{"status":401,"body":""}')).toEqual(["auth"]);
  });

  it("takes what is known besides where the error does not say it itself", () => {
    const body = '{"error":{"code":"1113"}}';
    expect(outcomes(body, { provider: "zhipu" })).toEqual(["quota"]);
    const [own] = readFailures('{"provider":"a","status":503,"body":""}', {
      ...known,
      provider: "b",
      status: 429,
    }).failures;
    expect(own?.failure).toMatchObject({ provider: "a", status: 503, nowMs: known.nowMs });
  });

  it("reads a wait that is a date against the clock", () => {
    const text = "HTTP/1.1 429 Too Many\nretry-after: Sun, 29 Nov 2026 12:00:30 GMT\n\n";
    const [input] = readFailures(text, known).failures;
    expect(classify(input?.failure ?? {}).retryAfterMs).toBe(30_000);
  });

  it("reads line by line where lines are ours, and numbers the ones that it cannot read", () => {
    const { failures, faults } = readFailures(
      '{"id":"a","status":401,"body":""}\n\nnonsense\n{"id":"b","status":"x","body":""}\n{"id":"c","body":"overloaded"}',
      known,
    );
    expect(failures.map(({ id }) => id)).toEqual(["a", "c"]);
    expect(faults).toEqual([
      { line: 3, fault: "json" },
      { line: 4, fault: "status" },
    ]);
  });

  it("shows the first lines of many and counts the others", () => {
    const text = '{"status":429,"body":""}\n'.repeat(MOST_LINES + 3);
    const { failures, leftOut } = readFailures(text, known);
    expect([failures.length, leftOut]).toEqual([MOST_LINES, 3]);
    expect(readFailures(text.slice(0, 25 * MOST_LINES), known).leftOut).toBe(0);
  });
});

describe("parseStatus", () => {
  it("takes statuses, nothing, and nothing else", () => {
    expect(["", " ", "429", " 503 ", "600", "42", "4 29", "x"].map(parseStatus)).toEqual([
      null,
      null,
      429,
      503,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
