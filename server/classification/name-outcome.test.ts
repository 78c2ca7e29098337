import { classify, OUTCOMES } from "@busyhour/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReceivedEvent } from "../contract/attempt-event.ts";
import { type Classify, nameOutcome as nameEvent, toFailure } from "./name-outcome.ts";

const event = (parts: Partial<ReceivedEvent>): ReceivedEvent => ({
  occurredAt: 1e12,
  provider: "acme",
  model: "large",
  ...parts,
});
const nameOutcome = (received: ReceivedEvent, by: Classify) => nameEvent(received, toFailure(received), by);
const outcomeOf = (parts: Partial<ReceivedEvent>, by: Classify = classify) =>
  nameOutcome(event(parts), by).outcome;
const never: Classify = () => {
  throw new Error("must not be asked");
};

describe("nameOutcome", () => {
  it("takes the sender's word, and unknown for none", () => {
    for (const outcome of OUTCOMES.filter((name) => name !== "unknown")) {
      expect(nameOutcome(event({ outcome, httpStatus: 529 }), never)).toEqual({
        outcome,
        rule: null,
        retryAfterMs: null,
      });
    }
    expect(outcomeOf({ outcome: "unknown", httpStatus: 529 })).toBe("capacity");
  });

  it("asks no rule where nothing failed, or nothing is known", () => {
    for (const parts of [
      { httpStatus: 200 },
      { httpStatus: 299, error: null },
      { httpStatus: 204, error: { type: "", message: null } },
      { httpStatus: 200, error: "" },
    ]) {
      expect(nameOutcome(event(parts), never)).toEqual({ outcome: "ok", rule: null, retryAfterMs: null });
    }
    expect(nameOutcome(event({}), never)).toEqual({ outcome: "unknown", rule: null, retryAfterMs: null });
  });

  it("never calls an attempt with an error ok", () => {
    const cheerful: Classify = (failure) => ({ ...classify(failure), outcome: "ok" });
    expect(outcomeOf({ httpStatus: 200, error: "broke" }, cheerful)).toBe("unknown");
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.integer({ min: 200, max: 299 }), (message, httpStatus) => {
        expect(outcomeOf({ httpStatus, error: { message } })).not.toBe("ok");
      }),
    );
  });

  it("gives the classifier all that is known, and reads the wait out of the words", () => {
    const asked: unknown[] = [];
    const noting: Classify = (failure) => {
      asked.push(failure);
      return classify(failure);
    };
    const named = nameOutcome(
      event({
        httpStatus: 429,
        error: { type: "tokens", code: "rate_limit_exceeded", message: "Please try again in 1.5s." },
      }),
      noting,
    );
    expect(named).toMatchObject({ outcome: "rate_limit", retryAfterMs: 1500 });
    expect(asked).toEqual([
      {
        status: 429,
        body: {
          error: { type: "tokens", code: "rate_limit_exceeded", message: "Please try again in 1.5s." },
        },
        provider: "acme",
        model: "large",
      },
    ]);
  });
});
