import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OUTCOMES } from "../outcome.ts";
import { classify } from "./classify.ts";

/** Pieces that the readers look for, so that random texts come near what they take apart. */
const PIECES = [
  '{"error":',
  "{'error': ",
  '{\\"message\\":\\"',
  '"',
  "'",
  "`",
  "}",
  "]",
  "[{",
  "\\",
  "\n",
  " ",
  "=",
  ":",
  "429",
  "HTTP 503",
  "status code 500",
  "retry after ",
  "try again in ",
  "1h",
  "2m3.5s",
  "30 seconds",
  "秒后重试",
  "limit: 0",
  "Limit 10, Requested 20",
  "<html>",
  "<title>",
  "524: A timeout",
  "overloaded",
  "per day",
  "input=",
  "b'",
  "Some(",
  "data: ",
  "event: error",
  "code",
  "message",
  "api key provided: ",
] as const;

const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 12 })), { maxLength: 80 })
  .map((parts) => parts.join(""));

describe("whatever it is given", () => {
  it("classify names it, throws nothing, and says the same again", () => {
    fc.assert(
      fc.property(
        fc.oneof(hostileText, fc.anything()),
        fc.anything(),
        fc.anything(),
        (body, exception, headers) => {
          const failure = { body, exception, headers: headers as never, status: 500 };
          const verdict = classify(failure);
          expect(OUTCOMES).toContain(verdict.outcome);
          expect(verdict.retryAfterMs === null || verdict.retryAfterMs > 0).toBe(true);
          expect(classify(failure)).toEqual(verdict);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("no text holds it up", () => {
    const started = performance.now();
    for (const piece of [
      ...PIECES,
      '{"a":',
      "{a: 'b",
      "a b c d ",
      "'a'",
      '\\"',
      "1 ",
      "x=",
      "retry after 1",
      "limit 1 ",
    ]) {
      classify({ body: piece.repeat(20_000), status: 400 });
      classify({ exception: new Error(piece.repeat(20_000)) });
      classify({ body: { error: { message: piece.repeat(20_000), code: piece.repeat(50) } } });
    }
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("passes over getters that throw, rings and depths", () => {
    const ring: Record<string, unknown> = { message: "The engine is overloaded" };
    ring["error"] = ring;
    ring["cause"] = ring;
    const trap = Object.defineProperty({}, "message", {
      get() {
        throw new Error("no");
      },
    });
    let deep: unknown = "The engine is overloaded";
    for (let i = 0; i < 10_000; i++) deep = { error: deep };
    expect(classify({ exception: ring }).outcome).toBe("capacity");
    expect(classify({ body: ring, exception: trap }).outcome).toBe("capacity");
    expect(classify({ body: deep }).outcome).toBe("unknown");
    expect(
      classify({
        body: new Proxy(
          {},
          {
            ownKeys: () => {
              throw new Error("no");
            },
          },
        ),
      }).outcome,
    ).toBe("unknown");
  });
});
