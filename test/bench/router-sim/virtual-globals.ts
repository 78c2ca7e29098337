import type { VirtualTime } from "../../../sdk/src/router/virtual-time.ts";

/**
 * Lets code that asks the platform for time and randomness live in virtual time, for as long as `run` takes. Meant for packages of
 * others; one run at a time.
 */
export async function withVirtualGlobals<T>(time: VirtualTime, run: () => Promise<T>): Promise<T> {
  const { setTimeout, clearTimeout } = globalThis;
  const { now } = Date;
  const { random } = Math;
  const timers = new Map<unknown, () => void>();
  const setVirtualTimeout = (callback: () => void, delayMs = 0) => {
    const timer = { ref: () => timer, unref: () => timer, hasRef: () => true };
    const cancel = time.setTimer(() => {
      timers.delete(timer);
      callback();
    }, delayMs);
    timers.set(timer, cancel);
    return timer;
  };
  const clearVirtualTimeout = (timer: unknown) => {
    timers.get(timer)?.();
    timers.delete(timer);
  };
  Object.assign(globalThis, { setTimeout: setVirtualTimeout, clearTimeout: clearVirtualTimeout });
  Date.now = () => time.now();
  Math.random = () => time.random();
  try {
    return await run();
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
    Date.now = now;
    Math.random = random;
  }
}
