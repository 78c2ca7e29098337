import { describe, expect, it } from "vitest";
import { classify } from "../classify.ts";
import { findStatedWait } from "./wait.ts";

describe("waits in words", () => {
  it.each([
    ["Please try again in 1m3.5s.", 63_500],
    ["Please try again in 6ms.", 6],
    ["try again in 114h18m0s", 411_480_000],
    ["Please wait 8 hours 24 minutes and try again", 30_240_000],
    ["Please retry after 33 seconds.", 33_000],
    ["Your quota will reset after 5s.. Retrying after 6173ms...", 5_000],
    ["retrying in ~2 weeks attempt #1", 1_209_600_000],
    ["Overloaded · Retrying in 8 seconds… (attempt 4/10)", null],
    ["Please retry after one minute.", 60_000],
    ["请在一分钟后重试。", 60_000],
    ["Quota will be replenished in 5.03:23:11", 444_191_000],
    ["wait for limits to reset (every 5h and every week.)", null],
    ["retry in 1 minute, 30 seconds", 90_000],
    ["Expected available in 1 second.", 1_000],
    ["rate limited (retry-after: 20)", 20_000],
    ["retry_delay 7", null],
    ["请 30 秒后重试", 30_000],
    ["请等待 2 分钟", 120_000],
    ["请在1分30秒之后再试", 90_000],
    ["Your limit will reset at 2026-08-27 21:31:39", null],
    ["resets Apr 10 at 7am (Europe/Berlin)", null],
    ["please wait a moment and try again", null],
    ["limited to 1000 calls / month", null],
    ["created within the last 5 minutes", null],
    ["Next request allowed in 15 seconds", 15_000],
    ["all keys are cooling down: 40s", 40_000],
    ["reset_after=12", 12_000],
    ["请稍等 10 秒再试", 10_000],
    ["Timeout awaiting 'request' for 30000ms", null],
    ["", null],
  ])("%s", (text, wait) => {
    expect(findStatedWait(text)).toBe(wait);
  });
});

describe("waits in headers and bodies", () => {
  const waitOf = (headers: Record<string, string>, nowMs?: number) =>
    classify({ status: 429, headers, nowMs }).retryAfterMs;
  const now = Date.parse("2026-03-01T12:00:00Z");

  it.each([
    [{ "retry-after": "7" }, undefined, 7_000],
    [{ "Retry-After": "0.5" }, undefined, 500],
    [{ "retry-after-ms": "1500", "retry-after": "2" }, undefined, 1_500],
    [{ "retry-after": "0" }, undefined, null],
    [{ "retry-after": "-1" }, undefined, null],
    [{ "retry-after": "soon" }, undefined, null],
    [{ "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT" }, now, 30_000],
    [{ "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT" }, undefined, null],
    [
      { "retry-after": "Sun, 01 Mar 2026 12:00:30 GMT", date: "Sun, 01 Mar 2026 12:00:10 GMT" },
      undefined,
      20_000,
    ],
    [{ "retry-after": "Sun, 01 Mar 2026 11:00:00 GMT" }, now, null],
    [{ "x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s" }, undefined, 360_000],
    [{ "x-ratelimit-remaining-tokens": "9", "x-ratelimit-reset-tokens": "6m0s" }, undefined, null],
    [{ "x-rate-limit-reset-tokens": "55" }, undefined, 55_000],
    [
      { "x-ratelimit-remaining-tokens-minute": "0", "x-ratelimit-reset-tokens-minute": "33.5" },
      undefined,
      33_500,
    ],
    [{ "ratelimit-remaining": "0", "ratelimit-reset": "20" }, undefined, 20_000],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1772366460" }, undefined, null],
    [
      {
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-03-01T12:00:09Z",
        "anthropic-ratelimit-tokens-remaining": "100",
        "anthropic-ratelimit-tokens-reset": "2026-03-01T13:00:00Z",
      },
      now,
      9_000,
    ],
    [
      {
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-03-01T12:00:09Z",
      },
      undefined,
      null,
    ],
    [{ "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${now + 4_000}` }, now, 4_000],
  ])("%j at %s", (headers, nowMs, wait) => {
    expect(waitOf(headers as Record<string, string>, nowMs)).toBe(wait);
  });

  it.each([
    [{ error: { details: [{ "@type": "google.rpc.RetryInfo", retryDelay: "34.4s" }] } }, 34_400],
    [{ message: "Try again in 7s.", details: [{ retryDelay: "7.25s" }] }, 7_250],
    [{ error: "Model a/b is currently loading", estimated_time: 20 }, 20_000],
    [{ retry_after: 120, title: "522" }, 120_000],
    [{ error: { type: "usage_limit_reached", resets_in_seconds: 60 } }, 60_000],
    [{ error: { metadata: { raw: '{"retry_after_ms": 250}' } } }, 250],
  ])("%j", (body, wait) => {
    expect(classify({ status: 429, body }).retryAfterMs).toBe(wait);
  });

  it("come from every kind of headers", () => {
    const pairs: [string, string][] = [["Retry-After", "3"]];
    for (const headers of [new Headers(pairs), pairs, new Map(pairs), { "RETRY-AFTER": ["3"] }]) {
      expect(classify({ status: 503, headers }).retryAfterMs).toBe(3_000);
    }
  });

  it("are none where no wait helps, however politely it is said", () => {
    const body = { error: { message: "Model access is denied. Fixed it? Try again after 5 minutes." } };
    expect(classify({ status: 403, body })).toMatchObject({ outcome: "permission", retryAfterMs: null });
  });

  it("longer than a day are told, but are nothing to repeat a call after", () => {
    const body = { error: { message: "Rate limit reached. Please try again in 114h18m0s." } };
    expect(classify({ status: 429, body })).toMatchObject({ retryAfterMs: 411_480_000, retryable: false });
  });
});
