import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Deadline, Deadlines } from "./deadlines.ts";
import type { CancelTimer, RouterSystem } from "./system.ts";
import { createVirtualTime } from "./virtual-time.ts";

class Noted extends Deadline {
  readonly overAt: number[] = [];
  readonly #elapsed: () => number;

  constructor(elapsed: () => number) {
    super();
    this.#elapsed = elapsed;
  }

  override over(): void {
    this.overAt.push(this.#elapsed());
  }
}

/** Timers that can be told to keep nothing alive, as Node's. */
function aliveTime() {
  const time = createVirtualTime();
  const log = { set: 0, alive: [] as boolean[] };
  const setTimer: RouterSystem["setTimer"] = (callback, delayMs) => {
    log.set++;
    const cancel: CancelTimer = time.setTimer(callback, delayMs);
    cancel.keepAlive = (isNeeded) => void log.alive.push(isNeeded);
    return cancel;
  };
  return { time, log, deadlines: new Deadlines({ elapsed: time.elapsed, setTimer }) };
}

const step = fc.record({
  atMs: fc.integer({ min: 0, max: 5_000 }),
  afterMs: fc.integer({ min: 1, max: 5_000 }),
  clearAfterMs: fc.option(fc.integer({ min: 0, max: 6_000 }), { nil: null }),
});

describe("deadlines", () => {
  it("are over at their time, once, unless they end before, whatever else is set", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.boolean(), async (steps, isAlive) => {
        const { time, deadlines } = isAlive ? aliveTime() : withTime();
        const all = steps.map(({ atMs, afterMs, clearAfterMs }) => {
          const one = new Noted(time.elapsed);
          time.at(atMs, () => deadlines.set(one, time.elapsed(), afterMs));
          if (clearAfterMs !== null) time.at(atMs + clearAfterMs, () => deadlines.clear(one));
          return one;
        });
        await time.run();
        for (const [i, { atMs, afterMs, clearAfterMs }] of steps.entries()) {
          const isCleared = clearAfterMs !== null && clearAfterMs < afterMs;
          const overAt = all[i]?.overAt ?? [];
          if (isCleared) expect(overAt).toEqual([]);
          else if (clearAfterMs !== afterMs) expect(overAt).toEqual([atMs + afterMs]);
          else expect(overAt.length).toBeLessThanOrEqual(1);
        }
        expect(time.pending).toBe(0);
      }),
    );
  });

  it("of calls one after the other need one timer, which keeps nothing alive in between", () => {
    const { log, deadlines, time } = aliveTime();
    for (let i = 0; i < 100; i++) {
      const one = new Noted(time.elapsed);
      deadlines.set(one, i, 12_000);
      deadlines.clear(one);
    }
    expect(log.set).toBe(1);
    expect(log.alive.slice(-1)).toEqual([false]);
    deadlines.set(new Noted(time.elapsed), 100, 12_000);
    expect(log.alive.slice(-1)).toEqual([true]);
  });

  it("leave no timer behind where timers cannot be told", () => {
    const { time, deadlines } = withTime();
    const one = new Noted(time.elapsed);
    deadlines.set(one, 0, 12_000);
    expect(time.pending).toBe(1);
    deadlines.clear(one);
    expect(time.pending).toBe(0);
  });
});

function withTime() {
  const time = createVirtualTime();
  return { time, deadlines: new Deadlines(time) };
}
