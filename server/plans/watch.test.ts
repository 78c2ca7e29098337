import { describe, expect, it } from "vitest";
import { createPlanWatch, type PlanWatchOptions } from "./watch.ts";

const NEVER = new AbortController().signal;

/** A watch whose clock moves when it is told to. */
function watched(options: Partial<PlanWatchOptions> = {}) {
  const timers = new Map<() => void, number>();
  const versions = new Map<number, number>();
  let nowMs = 0;
  let looks = 0;
  const watch = createPlanWatch({
    async listPublished(ids) {
      looks++;
      return new Map([...versions].filter(([id]) => ids.includes(id)));
    },
    setTimer(callback, delayMs) {
      timers.set(callback, nowMs + delayMs);
      return () => timers.delete(callback);
    },
    ...options,
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  async function advance(ms: number) {
    for (const until = nowMs + ms; nowMs < until; nowMs += 100) {
      for (const [callback, atMs] of [...timers]) {
        if (atMs > nowMs + 100) continue;
        timers.delete(callback);
        callback();
      }
      await settle();
    }
  }
  /** Whether the wait is over. */
  function wait(projectId: number, known: number, waitMs = 25_000, signal = NEVER) {
    const state = { isOver: false };
    void watch.wait(projectId, known, waitMs, signal).then(() => {
      state.isOver = true;
    });
    return state;
  }
  return { watch, versions, advance, wait, settle, timers, looks: () => looks };
}

describe("waiting for a plan", () => {
  it("ends within a second of its publication by another server, and by one statement for all", async () => {
    const { versions, advance, wait, looks } = watched();
    versions.set(1, 12).set(2, 5);
    const waits = [wait(1, 12), wait(1, 12), wait(2, 5)];
    await advance(5_000);
    expect(waits.map(({ isOver }) => isOver)).toEqual([false, false, false]);
    expect(looks()).toBeLessThanOrEqual(5);
    versions.set(1, 13);
    await advance(1_100);
    expect(waits.map(({ isOver }) => isOver)).toEqual([true, true, false]);
  });

  it("ends at once when this server publishes, for this project alone", async () => {
    const { watch, wait, settle } = watched();
    const [ours, theirs] = [wait(1, 0), wait(2, 0)];
    watch.notice(1);
    await settle();
    expect([ours.isOver, theirs.isOver]).toEqual([true, false]);
  });

  it("ends when its time is over, when the other end goes, and when the server stops", async () => {
    const { watch, advance, wait, settle, timers } = watched();
    const gone = new AbortController();
    const [short, left, long] = [wait(1, 0, 2_000), wait(1, 0, 25_000, gone.signal), wait(1, 0)];
    gone.abort();
    await settle();
    expect([short.isOver, left.isOver, long.isOver]).toEqual([false, true, false]);
    await advance(2_100);
    expect([short.isOver, long.isOver]).toEqual([true, false]);
    watch.close();
    await settle();
    expect([long.isOver, watch.waiting, timers.size]).toEqual([true, 0, 0]);
    const late = wait(1, 0);
    await settle();
    expect(late.isOver).toBe(true);
  });

  it("looks at nothing while nobody waits, and goes on while the database is away", async () => {
    let isAway = true;
    const { watch, advance, wait, timers } = watched({
      async listPublished() {
        if (isAway) throw new Error("away");
        return new Map([[1, 2]]);
      },
    });
    expect(timers.size).toBe(0);
    const one = wait(1, 1);
    await advance(3_000);
    expect(one.isOver).toBe(false);
    isAway = false;
    await advance(1_100);
    expect(one.isOver).toBe(true);
    await advance(1_100);
    expect([timers.size, watch.waiting]).toEqual([0, 0]);
  });

  it("is for so many at once, so that there is room for others", async () => {
    const { wait, settle } = watched({ maxWaiting: 1 });
    const [first, second] = [wait(1, 0), wait(1, 0)];
    await settle();
    expect([first.isOver, second.isOver]).toEqual([false, true]);
  });
});
