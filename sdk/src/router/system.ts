import type { ObserveSystem } from "../observe/options.ts";
import { realSystem } from "../report/system.ts";

/** Ends a timer before its time. */
export interface CancelTimer {
  (): void;
  /** Where timers keep a process alive: whether this one still does. */
  keepAlive?(isNeeded: boolean): void;
}

/** The world outside, as a router sees it; tests give their own. */
export interface RouterSystem extends Omit<ObserveSystem, "setTimer"> {
  /**
   * Calls back once, unless the returned function is called before.
   *
   * @param isBackground whether it keeps no process alive
   */
  setTimer(callback: () => void, delayMs: number, isBackground?: boolean): CancelTimer;
  /** From 0 to below 1. */
  random(): number;
}

export const realRouterSystem: RouterSystem = {
  now: realSystem.now,
  elapsed: () => performance.now(),
  random: realSystem.random,
  fillRandom: realSystem.fillRandom,
  // A request that waits keeps its process alive, unlike a report that does.
  setTimer(callback, delayMs, isBackground = false) {
    if (isBackground) return realSystem.setTimer(callback, delayMs);
    const timer = setTimeout(callback, delayMs);
    const cancel: CancelTimer = () => clearTimeout(timer);
    // Where timers are numbers, they keep nothing alive.
    if (typeof timer === "object") {
      cancel.keepAlive = (isNeeded) => void (isNeeded ? timer.ref() : timer.unref());
    }
    return cancel;
  },
};
