import { realRouterSystem } from "../router/system.ts";
import { Batch } from "./batch.ts";
import { BatchError } from "./batch-error.ts";
import { MemoryStore } from "./memory-store.ts";
import type { BatchOptions, BatchSummary } from "./types.ts";

/**
 * Asks for each of many items and stores what comes, so that a crash at any instant repeats at most what was under way
 * and loses nothing. How many are asked for at once is learnt; while there is no room it waits and goes on by itself.
 *
 * @throws {BatchError} when it cannot begin, or goes on would be of no use; what is finished stays so
 * @throws {TypeError} for options that cannot be used
 * @see docs/batch.md
 */
export async function runBatch<Item, Value>(
  options: BatchOptions<Item, Value>,
): Promise<BatchSummary<Value>> {
  checkOptions(options);
  const memory = new MemoryStore<Value>();
  const store = options.store ?? memory;
  const forgetFailed = options.retryFailed === true && options.resume !== false;
  const open = await store.open({ forgetFailed });
  try {
    const finished = [...open.finished];
    const name = store.name ?? "the store";
    if (options.resume === false && finished.length > 0) {
      const message = `${name} holds ${finished.length} results already; go on with resume, or write to another place`;
      throw new BatchError("not_empty", message);
    }
    const batch = new Batch<Item, Value>({
      options,
      open,
      finished,
      storeName: name,
      system: options.system ?? realRouterSystem,
    });
    return { ...(await batch.run()), results: memory.list() };
  } finally {
    await open.close();
  }
}

function checkOptions<Item, Value>(options: BatchOptions<Item, Value>): void {
  const { items, run } = options;
  if (
    items === null ||
    typeof items !== "object" ||
    !(Symbol.iterator in items || Symbol.asyncIterator in items)
  )
    throw new TypeError("runBatch: items must be an array or something else that can be iterated");
  if (typeof run !== "function" && typeof run?.run !== "function")
    throw new TypeError("runBatch: run must be a function that asks for one item, or a router");
  const least = {
    concurrency: 1,
    maxAttempts: 1,
    maxFailuresInARow: 1,
    timeoutMs: 1,
    patienceMs: 0,
    graceMs: 0,
  };
  for (const [key, from] of Object.entries(least)) {
    const value = options[key as keyof typeof least];
    if (value !== undefined && !(typeof value === "number" && value >= from))
      throw new TypeError(`runBatch: ${key} must be a number from ${from} on, not ${String(value)}`);
  }
}
