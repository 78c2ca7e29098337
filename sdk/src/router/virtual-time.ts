import type { RouterSystem } from "./system.ts";

/** A world for tests and benchmarks, in which a week takes seconds: time jumps from one event to the next. */
export interface VirtualTime extends RouterSystem {
  /** Lets everything happen until nothing is left to come, or the time is over. */
  run(untilMs?: number): Promise<void>;
  /** Calls back at that time of `elapsed`. */
  at(atMs: number, callback: () => void): void;
  /** Resolves after so long. */
  sleep(ms: number): Promise<void>;
  /** Timers and events to come. */
  readonly pending: number;
}

interface Entry {
  readonly atMs: number;
  readonly order: number;
  callback: (() => void) | null;
}

/** The same numbers from 0 to below 1 for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * @param epochMs what `now` says at the beginning, at which `elapsed` is 0
 * @param atRest resolves when an event has had all its consequences
 */
export function createVirtualTime(
  seed = 1,
  epochMs = 1_796_000_000_000,
  atRest: () => Promise<void> = afterEverything,
): VirtualTime {
  const heap: Entry[] = [];
  const random = createRandom(seed);
  let elapsed = 0;
  let count = 0;
  let cancelled = 0;

  function push(atMs: number, callback: () => void): Entry {
    const entry: Entry = { atMs, order: count++, callback };
    let at = heap.length;
    heap.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (above === undefined || isBefore(above, entry)) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = entry;
    return entry;
  }

  function pop(): Entry | undefined {
    const top = heap[0];
    const last = heap.pop();
    if (top === undefined || last === undefined || top === last) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      const [left, right] = [heap[child], heap[child + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child++;
      const below = heap[child];
      if (below === undefined || isBefore(last, below)) break;
      heap[at] = below;
      at = child;
    }
    heap[at] = last;
    return top;
  }

  const self: VirtualTime = {
    now: () => epochMs + elapsed,
    elapsed: () => elapsed,
    random,
    fillRandom(bytes) {
      for (let i = 0; i < bytes.length; i++) bytes[i] = Math.floor(random() * 256);
    },
    setTimer(callback, delayMs) {
      const entry = push(elapsed + delayMs, callback);
      return () => {
        if (entry.callback !== null) cancelled++;
        entry.callback = null;
      };
    },
    at: (atMs, callback) => {
      push(atMs, callback);
    },
    sleep: (ms) => new Promise((resolve) => push(elapsed + ms, resolve)),
    async run(untilMs = Number.POSITIVE_INFINITY) {
      await atRest();
      for (let next = heap[0]; next !== undefined && next.atMs <= untilMs; next = heap[0]) {
        pop();
        if (next.callback === null) {
          cancelled--;
          continue;
        }
        elapsed = Math.max(elapsed, next.atMs);
        const { callback } = next;
        next.callback = null;
        callback();
        await atRest();
      }
      if (untilMs !== Number.POSITIVE_INFINITY) elapsed = Math.max(elapsed, untilMs);
    },
    get pending() {
      return heap.length - cancelled;
    },
  };
  return self;
}

/** After everything that promises and the platform have in hand. */
const afterEverything = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * After everything that promises have in hand: a tick that is asked for by a promise comes when the last of them is
 * done. Saves a round of the event loop, and is enough where nothing but promises lives in virtual time.
 */
export const afterPromises = () =>
  new Promise<void>((resolve) => queueMicrotask(() => process.nextTick(resolve)));

const isBefore = (a: Entry, b: Entry) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
