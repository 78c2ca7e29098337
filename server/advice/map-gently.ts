import { setImmediate } from "node:timers/promises";

/** Like `map`, for steps that take long: between them the thread serves whatever else has come. */
export async function mapGently<T, U>(items: readonly T[], step: (item: T) => U): Promise<U[]> {
  const results: U[] = [];
  for (const item of items) {
    results.push(step(item));
    await setImmediate();
  }
  return results;
}
