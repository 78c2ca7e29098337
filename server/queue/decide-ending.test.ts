import { describe, expect, it } from "vitest";
import { decideEnding, type Ending } from "./decide-ending.ts";

const job = { failureCount: 0, busyCount: 0, maxAttempts: 3, cancelAskedAt: null };
const failed: Ending = { is: "failed", error: "", isFinal: false, delayMs: null };
const busy: Ending = { is: "busy", error: "", delayMs: null };

describe("the end of a lease", () => {
  it("puts a job off for longer with each failure, up to a quarter of an hour", () => {
    const pauses = [0, 1, 2, 5, 6, 7, 30].map(
      (failureCount) => decideEnding({ ...job, failureCount, maxAttempts: 99 }, failed, 0).readyMs,
    );
    expect(pauses).toEqual([10_000, 20_000, 40_000, 320_000, 640_000, 900_000, 900_000]);
  });

  it("for want of room counts nothing against the job, and puts it off up to five minutes", () => {
    const ends = [0, 1, 4, 5, 1_000].map((busyCount) => decideEnding({ ...job, busyCount }, busy, 0));
    expect(ends.map(({ readyMs }) => readyMs)).toEqual([15_000, 30_000, 240_000, 300_000, 300_000]);
    expect(ends.every(({ failureCount, to }) => failureCount === 0 && to === "waiting")).toBe(true);
    expect(decideEnding(job, { ...busy, delayMs: 7 }, 1).readyMs).toBe(8);
  });

  it("is death at the last attempt, by a worker that said nothing as by one that did, and at once where it is said", () => {
    const last = { ...job, failureCount: 2 };
    expect(decideEnding(last, failed, 0)).toMatchObject({ to: "dead", kind: "dead", failureCount: 3 });
    expect(decideEnding(last, { is: "lost" }, 0)).toMatchObject({ to: "dead", failureCount: 3 });
    expect(decideEnding(job, { is: "lost" }, 5)).toMatchObject({ to: "waiting", readyMs: 5, kind: "lost" });
    expect(decideEnding(job, { ...failed, isFinal: true }, 0).to).toBe("dead");
    expect(decideEnding(last, busy, 0).to).toBe("waiting");
  });

  it("cancels what was to be cancelled, unless it is done", () => {
    const asked = { ...job, cancelAskedAt: new Date(0) };
    for (const ending of [failed, busy, { is: "lost" } as const])
      expect(decideEnding(asked, ending, 0).to).toBe("cancelled");
    expect(decideEnding(asked, { is: "completed", result: null }, 0).to).toBe("completed");
  });

  it("keeps of what was said nothing that is a key, and not much", () => {
    const error = `boom sk-${"a".repeat(40)} ${"x y ".repeat(300)}`;
    const kept = decideEnding(job, { ...failed, error }, 0).error ?? "";
    expect(kept).not.toContain("aaaa");
    expect(kept.length).toBeLessThanOrEqual(300);
  });
});
