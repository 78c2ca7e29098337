import { describe, expect, it } from "vitest";
import { PatientLimit } from "./patient-limit.ts";

const MINUTE = 60_000;

/** Successes with the limit in use, from one time on. */
function succeed(limit: PatientLimit, times: number, atMs: number): void {
  for (let i = 0; i < times; i++) limit.success(atMs, limit.allowed(256) - 1, 256);
}

describe("how much that can wait is done at once", () => {
  it("begins with three, and half a job is added by each success that used it", () => {
    const limit = new PatientLimit();
    expect(limit.allowed(256)).toBe(3);
    succeed(limit, 4, 0);
    expect(limit.allowed(256)).toBe(5);
    expect(limit.allowed(2)).toBe(2);
    limit.success(0, 2, 256);
    limit.success(0, 2, 256);
    expect(limit.allowed(256)).toBe(5);
    expect(limit.isProven).toBe(false);
  });

  it("is cut by each want of room, deeper where it came in leaps, once for all that began before", () => {
    const limit = new PatientLimit();
    succeed(limit, 74, 0);
    expect(limit.allowed(256)).toBe(40);
    limit.failure(500, 1_000);
    expect(limit.allowed(256)).toBe(24);
    limit.failure(999, 2_000);
    expect(limit.allowed(256)).toBe(24);
    limit.failure(1_000, 3_000);
    // 24 · 0.85
    expect(limit.allowed(256)).toBe(20);
    expect(limit.isProven).toBe(true);
    for (let i = 0; i < 50; i++) limit.failure(4_000, 4_000);
    expect(limit.allowed(256)).toBe(1);
  });

  it("comes back slowly at first, then faster and faster", () => {
    const limit = new PatientLimit();
    succeed(limit, 34, 0);
    limit.failure(0, 0);
    expect(limit.allowed(256)).toBe(12);
    succeed(limit, 90, 0);
    expect(limit.allowed(256)).toBe(12);
    succeed(limit, 12, 0);
    expect(limit.allowed(256)).toBe(13);
    // Three minutes on: 0.01 · (1 + 3²) a success.
    succeed(limit, 10, 3 * MINUTE);
    expect(limit.allowed(256)).toBe(14);
    succeed(limit, 2, 60 * MINUTE);
    expect(limit.allowed(256)).toBe(15);
  });

  it("never passes the most", () => {
    const limit = new PatientLimit();
    for (let i = 0; i < 100; i++) limit.success(0, 9, 10);
    expect(limit.allowed(10)).toBe(10);
  });
});
