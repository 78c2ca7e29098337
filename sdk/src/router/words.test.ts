import { describe, expect, it } from "vitest";
import { RouterError } from "./router-error.ts";
import type { Stage } from "./types.ts";
import { userMessage } from "./words.ts";

const STAGES: readonly Stage[] = [
  { kind: "switching", from: "flagship" },
  { kind: "queued", waitMs: 5_000 },
  { kind: "degraded", target: "light" },
  { kind: "comeBack", afterMs: 90_000 },
  { kind: "comeBack", afterMs: null },
  { kind: "failed" },
  { kind: "interrupted" },
  { kind: "cancelled" },
];

describe("words for people who wait", () => {
  it("are there for every stage in both languages, without jargon", () => {
    for (const stage of STAGES) {
      const [en, zh] = [userMessage(stage), userMessage(stage, "zh-Hans-CN")];
      expect(en).toMatch(/^[A-Z]/);
      expect(zh).toMatch(/[一-龥]/);
      expect(en + zh).not.toMatch(/\d{3}|token|model error|capacity|rate limit|fallback|undefined|API/i);
    }
  });

  it.each([
    [1_000, "about 5 seconds", "约 5 秒"],
    [31_000, "about 35 seconds", "约 35 秒"],
    [58_000, "about a minute", "约 1 分钟"],
    [90_000, "about 2 minutes", "约 2 分钟"],
    [7_200_000, "about 2 hours", "约 2 小时"],
  ])("say when to come back, rounded up: %i ms", (afterMs, en, zh) => {
    expect(userMessage({ kind: "comeBack", afterMs })).toContain(en);
    expect(userMessage({ kind: "comeBack", afterMs }, "zh")).toContain(zh);
  });

  it("may be replaced by texts and functions", () => {
    const own = { failed: "Oh no", comeBack: ({ afterMs }: { afterMs: number | null }) => `in ${afterMs}` };
    expect(userMessage({ kind: "failed" }, "en", own)).toBe("Oh no");
    expect(userMessage({ kind: "comeBack", afterMs: 7 }, "zh", own)).toBe("in 7");
    expect(userMessage({ kind: "queued", waitMs: 1 }, "en", own)).toContain("queue");
  });

  it("do not ask for patience where there is nothing to wait for", () => {
    expect(userMessage(new RouterError("cancelled", "x", { attempts: [] }).stage)).toBe(
      "The request was cancelled.",
    );
    expect(userMessage(new RouterError("interrupted", "x", { attempts: [] }).stage, "zh")).toBe(
      "回答中断了，请重试。",
    );
  });
});
