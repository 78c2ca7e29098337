import { randomFillSync } from "node:crypto";
import { type AttemptEvent, flushObserved, type ObserveOptions, type Report } from "@busyhour/sdk";

export interface TestObserver {
  readonly options: ObserveOptions & { readonly report: Report };
  /** Everything reported so far, in order. */
  readonly events: readonly AttemptEvent[];
  /** Lets time pass, and fires the timers that are due. */
  advance(ms: number): void;
  /** Reports what still waits, and returns all. */
  finish(): readonly AttemptEvent[];
  /** Resolves when so many events were reported. */
  until(count: number): Promise<readonly AttemptEvent[]>;
}

/** An observer whose clock stands still unless the test moves it. */
export function anObserver(more: Partial<ObserveOptions> = {}): TestObserver {
  const events: AttemptEvent[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const timers = new Set<{ dueMs: number; callback: () => void }>();
  let elapsedMs = 0;
  const startMs = Date.parse("2026-11-30T00:00:00Z");
  const report: Report = (event) => {
    events.push(event);
    for (const { count, resolve } of waiting) if (events.length >= count) resolve();
  };
  return {
    events,
    options: {
      report,
      system: {
        now: () => startMs + elapsedMs,
        elapsed: () => elapsedMs,
        setTimer(callback, delayMs) {
          const timer = { dueMs: elapsedMs + delayMs, callback };
          timers.add(timer);
          return () => void timers.delete(timer);
        },
        fillRandom: (bytes) => void randomFillSync(bytes),
      },
      ...more,
    },
    advance(ms) {
      elapsedMs += ms;
      for (const timer of [...timers].sort((a, b) => a.dueMs - b.dueMs)) {
        if (timer.dueMs > elapsedMs || !timers.delete(timer)) continue;
        timer.callback();
      }
    },
    finish() {
      flushObserved(report);
      return events;
    },
    async until(count) {
      if (events.length < count) await new Promise<void>((resolve) => waiting.push({ count, resolve }));
      return events;
    },
  };
}
