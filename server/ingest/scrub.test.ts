import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanLabel, scrubText } from "./scrub.ts";

describe("scrubText", () => {
  const secrets = [
    ["Incorrect API key provided: sk-proj-abc***********xyz9.", "abc***"],
    ["Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "eyJ"],
    ["key AIzaSyA1234567890abcdefghijklmnopqrstu is invalid", "AIza"],
    ["api_key=my-very-secret-value rejected", "my-very"],
    ["contact jane.doe+test@mail.example.com for access", "jane.doe"],
    ["https://user:pass@host.example/v1/chat?key=topsecret", "topsecret"],
    ["https://user:pass@host.example/v1/chat?key=topsecret", "user:pass"],
    ["request req_011CSHoEeqs5C35K2UUqR7Fy failed", "011CSHo"],
    ["Rate limit reached for organization org-Ab12Cd34Ef56Gh78 on tokens", "Ab12"],
    ["trace 7c9e6679-7425-40de-944b-e07fc1f90ae7", "7c9e6679"],
    ["account 123456789012 has no quota", "123456789012"],
    ["AKIAIOSFODNN7EXAMPLE", "IOSFODNN7"],
    ["-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----", "MIIEvQ"],
  ] as const;

  for (const [text, secret] of secrets) {
    it(`keeps ${secret} out of "${text.slice(0, 40)}…"`, () => {
      expect(scrubText(text)).not.toContain(secret);
    });
  }

  it("keeps what tells failures apart", () => {
    for (const text of [
      "Selected model is at capacity. Please try a different model.",
      "Rate limit reached for gpt-4o: Limit 30000, Used 29000, Requested 2000. Please try again in 1m3.5s.",
      "You exceeded your current quota, please check your plan and billing details.",
      "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000",
      "模型当前繁忙，请 30 秒后重试",
      "claude-opus-4-5-20251101 is overloaded",
    ]) {
      expect(scrubText(text)).toBe(text);
    }
  });

  it("cuts to 300 characters and never leaves half a character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 700 }), (text) => {
        const clean = scrubText(text);
        expect(clean.length).toBeLessThanOrEqual(300);
        expect(clean.isWellFormed()).toBe(true);
        expect(clean).not.toMatch(/\p{Cc}/u);
      }),
    );
  });

  it("is fast on hostile texts", () => {
    const started = performance.now();
    for (const piece of ["a.", "a@", "-", "sk-", "eyJ.", "1", "https://", "key=", "api_key ", "%"]) {
      scrubText(piece.repeat(100_000));
    }
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

describe("cleanLabel", () => {
  it("leaves names alone", () => {
    for (const name of [
      "gpt-4o-mini-2024-07-18",
      "amazon-bedrock/eu-west-1",
      "meta/llama-3.2-90b (XinJianYa)",
      "通义千问",
      "skywork-o1-open-llama-3.1-8b",
      "xai-grok-code-fast-1-0825",
      "the billing team's app in eu west, blue",
      "客服机器人（生产环境，华东二区）",
    ]) {
      expect(cleanLabel(name)).toBe(name);
    }
  });

  it("cuts a URL down to host and path, and takes keys out", () => {
    expect(cleanLabel(" https://u:p@api.example.com/v1?key=abc#x ")).toBe("api.example.com/v1");
    expect(cleanLabel("account sk-abcdefghijklmnopqrstuvwx")).toBe("account [key]");
    expect(cleanLabel("me@example.com")).toBe("[mail]");
    expect(cleanLabel("Bearer abc.defghijk")).toBe("[token]");
    expect(cleanLabel("x-api-key: abcdefgh")).toBe("x-api-key: [key]");
  });

  it("takes prose for a prompt gone astray", () => {
    expect(cleanLabel("please tell my friend where the blue suitcase is")).toBe("[text]");
    expect(cleanLabel("请告诉我的朋友那个装着合同的蓝色手提箱就在床底下请他马上去拿")).toBe("[text]");
  });
});
