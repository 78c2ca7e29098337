import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OUTCOMES } from "../outcome.ts";
import { fingerprint } from "./fingerprint.ts";
import { Pace } from "./pace.ts";
import { Pause } from "./pause.ts";
import { createBatchBar, formatBatchProgress } from "./progress-text.ts";
import type { BatchProgress } from "./types.ts";
import { judge } from "./verdict.ts";

describe("a fingerprint", () => {
  it("is the same for the same JSON, and another for another", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(fingerprint(a)).toMatch(/^[0-9a-f]{16}$/);
        expect(fingerprint(a) === fingerprint(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
    const all = Array.from({ length: 100_000 }, (_, i) => fingerprint(`item ${i}`));
    expect(new Set(all).size).toBe(all.length);
    expect(fingerprint(undefined)).not.toBe(fingerprint(null));
  });
});

describe("the pace", () => {
  it("counts the last minute, and reckons by the last five", () => {
    const pace = new Pace(0);
    expect([pace.perMinute(1_000), pace.leftMs(10, 1_000)]).toEqual([0, null]);
    for (let at = 0; at < 30; at++) pace.finished(at * 1_000);
    expect(pace.perMinute(30_000)).toBe(60);
    expect(pace.leftMs(60, 30_000)).toBe(60_000);
    expect(pace.perMinute(300_000)).toBe(0);
    expect(pace.leftMs(60, 300_000)).toBe(600_000);
    expect([pace.leftMs(0, 300_000), pace.leftMs(60, 900_000)]).toEqual([0, null]);
  });
});

describe("a pause", () => {
  const half = () => 0.5;

  it("begins with the third failure in a row, lets one go ahead, and ends when that goes well", () => {
    const pause = new Pause(half);
    pause.failure("capacity", null, false, 0, 1_000);
    pause.failure("capacity", null, false, 0, 1_000);
    expect(pause.nextAt(1_000)).toBe(1_000);
    pause.failure("capacity", null, false, 0, 1_000);
    expect([pause.why(1_000), pause.nextAt(1_000)]).toEqual(["capacity", 1_550]);
    // Those that were under way say nothing new.
    pause.failure("capacity", null, false, 500, 1_200);
    expect(pause.nextAt(1_200)).toBe(1_550);
    expect(pause.begin(1_550)).toBe(true);
    expect(pause.nextAt(1_600)).toBe(Number.POSITIVE_INFINITY);
    pause.success(true);
    expect([pause.why(1_600), pause.nextAt(1_600), pause.begin(1_600)]).toEqual([null, 1_600, false]);
  });

  it("grows while what goes ahead fails, to a minute at most", () => {
    const pause = new Pause(() => 1);
    for (let i = 0; i < 3; i++) pause.failure("capacity", null, false, 0, 0);
    const lengths: number[] = [];
    let nowMs = 0;
    for (let i = 0; i < 9; i++) {
      lengths.push(pause.nextAt(nowMs) - nowMs);
      nowMs = pause.nextAt(nowMs);
      pause.begin(nowMs);
      pause.failure("capacity", null, true, nowMs, nowMs);
    }
    expect(lengths).toEqual([1_050, 2_050, 4_050, 8_050, 16_050, 32_050, 60_050, 60_050, 60_050]);
  });

  it("keeps a stated wait from the first failure on; a shorter one does not shorten it", () => {
    const pause = new Pause(() => 0);
    pause.failure("capacity", 30_000, false, 0, 0);
    pause.failure("capacity", 5_000, false, 0, 1_000);
    expect([pause.why(29_999), pause.nextAt(1_000)]).toEqual(["capacity", 30_000]);
  });

  it("looks after ten minutes whether a long one was meant, and not sooner again", () => {
    const pause = new Pause(() => 0);
    pause.failure("quota", 86_400_000, false, 0, 0);
    expect(pause.nextAt(1_000)).toBe(600_000);
    expect(pause.begin(600_000)).toBe(true);
    pause.failure("quota", 86_400_000, true, 600_000, 601_000);
    expect(pause.nextAt(601_000)).toBe(1_201_000);
    pause.begin(1_201_000);
    pause.ended(true);
    expect([pause.nextAt(1_202_000), pause.why(1_202_000)]).toEqual([1_202_000, null]);
  });

  it("counts no failures that others have interrupted", () => {
    const pause = new Pause(half);
    for (let i = 0; i < 20; i++) {
      pause.failure("capacity", null, false, 0, 0);
      pause.failure("capacity", null, false, 0, 0);
      pause.success(false);
    }
    expect(pause.nextAt(0)).toBe(0);
  });
});

describe("a verdict", () => {
  it("is there for every outcome", () => {
    const verdicts = OUTCOMES.filter((outcome) => outcome !== "ok").map((outcome) => [
      outcome,
      judge(outcome, null),
    ]);
    expect(Object.fromEntries(verdicts)).toEqual({
      capacity: "wait",
      rate_limit: "wait",
      quota: "stop",
      auth: "stop",
      permission: "stop",
      not_found: "stop",
      invalid_request: "fail",
      context_length: "fail",
      content_filter: "fail",
      timeout: "again",
      network: "again",
      server_error: "again",
      cancelled: "fail",
      unknown: "fail",
      bad_output: "fail",
    });
    expect(judge("quota", 3_600_000)).toBe("wait");
  });
});

const PROGRESS: BatchProgress = {
  done: 412,
  failed: 3,
  earlier: 0,
  total: 40_000,
  perMinute: 38.4,
  concurrency: 9,
  inFlight: 5,
  waiting: null,
  leftMs: 62_525_000,
  elapsedMs: 600_000,
};

describe("progress in words", () => {
  it.each([
    [{}, "412/40,000  1 %  3 failed  38/min  5 of 9 at once  17:22:05 left"],
    [{ failed: 0, total: null, leftMs: null, perMinute: 1.23 }, "412  1.2/min  5 of 9 at once"],
    [
      { waiting: { why: "capacity", until: 12_000 } },
      "412/40,000  1 %  3 failed  waiting 0:12: the model has no room",
    ],
    [
      { waiting: { why: "unknown", until: 0 } },
      "412/40,000  1 %  3 failed  waiting 0:00: the provider has trouble",
    ],
    [{ waiting: { why: "ending", until: 0 } }, "412/40,000  1 %  3 failed  ending: 5 under way"],
    [{ done: 40_000, leftMs: 0, inFlight: 0 }, "40,000/40,000  100 %  3 failed  38/min  0 of 9 at once"],
  ] as const)("%j", (more, words) => {
    expect(formatBatchProgress({ ...PROGRESS, ...more }, 0)).toBe(words);
  });

  it("is there in Chinese", () => {
    expect(formatBatchProgress(PROGRESS, 0, "zh-CN")).toBe(
      "412/40,000  1 %  失败 3  每分钟 38  并发 5/9  剩余 17:22:05",
    );
    const waiting = { why: "rate_limit", until: 60_000 } as const;
    expect(formatBatchProgress({ ...PROGRESS, waiting }, 0, "zh")).toContain("等待 1:00：我们发得太快");
  });
});

describe("the bar", () => {
  function aBar(more: { isTTY?: boolean; columns?: number }) {
    const written: string[] = [];
    const clock = { ms: 0 };
    const bar = createBatchBar({ write: (text) => written.push(text), ...more }, { now: () => clock.ms });
    return { bar, written, clock };
  }

  it("is redrawn in place on a terminal, no wider than it, ten times a second at most", () => {
    const { bar, written, clock } = aBar({ isTTY: true, columns: 60 });
    for (let i = 0; i < 100; i++) {
      clock.ms += 10;
      bar.update({ ...PROGRESS, done: 10_000 + i });
    }
    expect(written).toHaveLength(10);
    expect(written[0]).toBe("\r\u001b[K  █████░░░░░░░░░░░░░░░  10,000/40,000  25 %  3 failed  38/m");
    bar.say("A word");
    expect(written.at(-1)).toMatch(/^\r.\[KA word\n {2}█/);
    bar.end();
    expect(written.slice(-2)).toEqual([expect.stringContaining("10,099/40,000"), "\n"]);
  });

  it("is a plain line every ten seconds elsewhere, and when a wait begins", () => {
    const { bar, written, clock } = aBar({});
    for (let i = 0; i < 20; i++) {
      clock.ms += 1_000;
      bar.update({ ...PROGRESS, done: i });
    }
    bar.update({ ...PROGRESS, done: 19, waiting: { why: "capacity", until: clock.ms + 5_000 } });
    bar.update({ ...PROGRESS, done: 19, waiting: { why: "capacity", until: clock.ms + 4_000 } });
    expect(written.map((line) => line.trim().split("  ")[0])).toEqual(["0/40,000", "10/40,000", "19/40,000"]);
    expect(written.join("")).not.toMatch(/[\r█]/);
    expect(written[2]).toMatch(/waiting 0:05: the model has no room\n$/);
  });
});
