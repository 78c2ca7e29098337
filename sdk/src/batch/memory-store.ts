import type { BatchResult, BatchStore } from "./types.ts";

/** Keeps results as long as the process lives: they come back with the summary. */
export class MemoryStore<Value> implements BatchStore {
  readonly name = "memory";
  readonly #results: BatchResult<Value>[] = [];

  async open() {
    return {
      finished: [],
      add: async (result: BatchResult) => {
        this.#results.push(result as BatchResult<Value>);
      },
      close: async () => {},
    };
  }

  /** In the order of the input. */
  list(): BatchResult<Value>[] {
    return [...this.#results].sort((a, b) => a.index - b.index);
  }
}
