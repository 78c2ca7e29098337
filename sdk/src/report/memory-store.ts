import type { Batch, EventStore, StoreLimits, StoreListener, WaitingEvent } from "./store.ts";

/** A store that has its next batch at once. */
export interface MemoryStore extends EventStore {
  next(): Batch | null;
}

/** Slots at the front that may be empty before the array is cut. */
const SLACK = 1_024;

/**
 * Keeps events in memory, within both limits. When one more would pass them, the oldest that was never sent goes:
 * of a batch that is under way nobody knows whether it arrived, so dropping it would make the count of drops wrong.
 */
export function createMemoryStore(limits: StoreLimits, listener: StoreListener): MemoryStore {
  let queue: (WaitingEvent | undefined)[] = [];
  let head = 0;
  let bytes = 0;
  let batch: Batch | null = null;
  /** Events of the batch that are settled. */
  let settled = 0;

  function shift(): WaitingEvent | undefined {
    const event = queue[head];
    if (event === undefined) return undefined;
    queue[head++] = undefined;
    bytes -= event.json.length;
    if (head >= SLACK && head * 2 >= queue.length) {
      queue = queue.slice(head);
      head = 0;
    }
    return event;
  }

  function makeRoom(): void {
    while (queue.length - head > limits.maxWaitingEvents || bytes > limits.maxWaitingBytes) {
      const oldest = shift();
      if (oldest === undefined) return;
      listener.onDrop(oldest.source, 1);
      listener.onProblem(
        "dropped",
        `more than ${limits.maxWaitingEvents} events or ${limits.maxWaitingBytes} bytes wait to be sent; the oldest are dropped and counted`,
      );
    }
  }

  return {
    get waiting() {
      return queue.length - head + (batch?.events.length ?? 0) - settled;
    },
    add(event) {
      queue.push(event);
      bytes += event.json.length;
      makeRoom();
    },
    next() {
      if (batch !== null) return batch;
      const events: WaitingEvent[] = [];
      let size = 0;
      for (;;) {
        const next = queue[head];
        if (next === undefined || events.length >= limits.maxBatchEvents) break;
        if (events.length > 0 && size + next.json.length > limits.maxBatchBytes) break;
        size += next.json.length;
        events.push(next);
        shift();
      }
      if (events.length > 0) batch = { events };
      return batch;
    },
    settle(judged, count) {
      if (judged !== batch) return;
      settled += count;
      if (settled < batch.events.length) return;
      batch = null;
      settled = 0;
    },
    close() {
      for (const { source } of batch?.events.slice(settled) ?? []) listener.onDrop(source, 1);
      batch = null;
      settled = 0;
      for (let event = shift(); event !== undefined; event = shift()) listener.onDrop(event.source, 1);
    },
  };
}
