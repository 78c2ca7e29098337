import type { System } from "./system.ts";

/** A world for tests: its time moves when it is told to. */
export interface VirtualSystem extends System {
  /** What was said. */
  readonly warnings: string[];
  /** Moves the clock on, calling each timer at its time and letting what it started come to rest. */
  advance(ms: number): Promise<void>;
  /** Lets what is under way come to rest, at the same time of the clock. */
  settle(): Promise<void>;
  readonly timers: number;
}

export function createVirtualSystem(
  fetch: typeof globalThis.fetch,
  startMs = 1_796_000_000_000,
): VirtualSystem {
  const timers = new Map<number, { readonly atMs: number; readonly callback: () => void }>();
  const warnings: string[] = [];
  let nowMs = startMs;
  let nextId = 0;
  let seed = 1;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const settle = async () => {
    for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate);
  };
  const findDue = (untilMs: number) =>
    [...timers].filter(([, { atMs }]) => atMs <= untilMs).sort(([, a], [, b]) => a.atMs - b.atMs)[0];
  return {
    warnings,
    now: () => nowMs,
    random,
    fillRandom(bytes) {
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(random() * 256);
    },
    setTimer(callback, delayMs) {
      const id = nextId++;
      timers.set(id, { atMs: nowMs + delayMs, callback });
      return () => timers.delete(id);
    },
    fetch: () => fetch,
    // Packing takes as long as it takes, which no virtual clock knows.
    pack: async (body) => ({ body, encoding: null }),
    warn: (message) => warnings.push(message),
    settle,
    get timers() {
      return timers.size;
    },
    async advance(ms) {
      const untilMs = nowMs + ms;
      await settle();
      for (let due = findDue(untilMs); due !== undefined; due = findDue(untilMs)) {
        const [id, { atMs, callback }] = due;
        timers.delete(id);
        nowMs = atMs;
        callback();
        await settle();
      }
      nowMs = untilMs;
    },
  };
}
