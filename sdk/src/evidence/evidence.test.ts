import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classify } from "../classify/classify.ts";
import { classifyEvidence, toEvidence } from "./evidence.ts";

describe("evidence", () => {
  it("keeps status, codes, wait and words, and nothing of whom they were said to", () => {
    const body = {
      error: {
        message: "Rate limit reached for organization org-Ab12Cd34Ef56Gh78. Try again in 1m3.5s.",
        type: "requests",
        code: "rate_limit_exceeded",
        metadata: { flagged_input: "my secret prompt" },
      },
    };
    expect(toEvidence({ status: 429, headers: { "x-request-id": "req_1" }, body })).toEqual({
      status: 429,
      statuses: [],
      codes: ["type=requests", "code=rate_limit_exceeded"],
      waitMs: 63_500,
      text: "Rate limit reached for organization [id]. Try again in 1m3.5s.",
    });
  });

  it("keeps the words that decide, however far behind they stand", () => {
    const exception = `${"Something was said about the weather. ".repeat(60)}The engine is overloaded. Bye.`;
    const evidence = toEvidence({ exception });
    expect(evidence.text.length).toBeLessThanOrEqual(300);
    expect(classifyEvidence(evidence).outcome).toBe("capacity");
  });

  it("keeps an error quoted in an error apart from what was made of it", () => {
    const failure = {
      exception: 'RateLimitError: quota hit - {"error":{"message":"The engine is overloaded"}}',
    };
    expect(classify(failure).outcome).toBe("capacity");
    expect(classifyEvidence(toEvidence(failure)).outcome).toBe("capacity");
  });

  it("never holds a key, a mail address or an answer, wherever they stood", () => {
    const secrets = ["sk-proj-abcdefghijklmnop", "jane.doe@example.com", "the answer of the model"];
    const [key, mail, answer] = secrets;
    const failure = {
      status: 401,
      headers: { authorization: `Bearer ${key}`, "x-error-code": key ?? "" },
      body: {
        error: {
          message: `Incorrect API key provided: ${key} of ${mail}`,
          code: key,
          type: mail,
          param: key,
        },
        choices: [{ message: { content: answer } }],
        delta: answer,
      },
      exception: new Error(`Bad key ${key}`, { cause: new Error(mail) }),
    };
    const kept = JSON.stringify(toEvidence(failure));
    expect(secrets.filter((secret) => kept.includes(secret))).toEqual([]);
  });

  it("is bounded, is JSON, and classifies without throwing, whatever the failure", () => {
    fc.assert(
      fc.property(fc.anything(), fc.string({ maxLength: 2_000 }), (body, exception) => {
        const evidence = JSON.parse(JSON.stringify(toEvidence({ body, exception })));
        expect(evidence.text.length).toBeLessThanOrEqual(300);
        expect(evidence.codes.length).toBeLessThanOrEqual(16);
        expect(JSON.stringify(evidence).length).toBeLessThan(4_000);
        expect(classifyEvidence(evidence).outcome).toBe(classify({ body, exception }).outcome);
      }),
    );
  });
});
