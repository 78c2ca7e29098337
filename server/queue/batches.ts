import { codeOf, DatabaseAway, isDatabaseAway } from "../ingest/failure.ts";

export interface Batches<I, O> {
  /** What becomes of the item. Items of one key that wait at the same moment share a transaction. */
  add(key: number, item: I): Promise<O>;
  /** Resolves when nothing waits or is under way. */
  idle(): Promise<void>;
}

interface Waiting<I, O> {
  readonly item: I;
  readonly weight: number;
  readonly resolve: (fate: O) => void;
  readonly reject: (error: unknown) => void;
}

export interface BatchOptions<I, O> {
  /** Does all of them or, when it throws, none; what became of each, in order. */
  readonly run: (key: number, items: readonly I[]) => Promise<O[]>;
  /** How much an item adds to a transaction; 1 when left out. */
  readonly weigh?: (item: I) => number;
  /** A transaction takes items until they weigh so much. */
  readonly most: number;
}

/** Lets work of many requests be done together: one transaction at a time for each key. */
export function createBatches<I, O>({ run, weigh = () => 1, most }: BatchOptions<I, O>): Batches<I, O> {
  const waiting = new Map<number, Waiting<I, O>[]>();
  const running = new Map<number, Promise<void>>();

  function take(list: Waiting<I, O>[]): Waiting<I, O>[] {
    let weight = 0;
    let count = 0;
    for (const one of list) {
      if (count > 0 && weight + one.weight > most) break;
      weight += one.weight;
      count++;
    }
    return list.splice(0, count);
  }

  async function runBatch(key: number, batch: readonly Waiting<I, O>[]): Promise<void> {
    try {
      const fates = await run(
        key,
        batch.map(({ item }) => item),
      );
      for (const [i, { resolve }] of batch.entries()) resolve(fates[i] as O);
    } catch (error) {
      const isAway = isDatabaseAway(error);
      // What one of them has done wrong is no matter of the others.
      if (batch.length > 1 && !isAway) for (const one of batch) await runBatch(key, [one]);
      else
        for (const { reject } of batch)
          reject(isAway ? new DatabaseAway(`The database cannot store now (${codeOf(error)}).`) : error);
    }
  }

  async function drain(key: number): Promise<void> {
    for (let list = waiting.get(key); list !== undefined; list = waiting.get(key)) {
      const batch = take(list);
      if (list.length === 0) waiting.delete(key);
      await runBatch(key, batch);
    }
  }

  return {
    add(key, item) {
      return new Promise((resolve, reject) => {
        const list = waiting.get(key) ?? [];
        list.push({ item, weight: weigh(item), resolve, reject });
        waiting.set(key, list);
        if (running.has(key)) return;
        // Requests that arrived with this one are read in the same turn of the loop.
        const work = new Promise<void>((go) => setImmediate(go))
          .then(() => drain(key))
          .finally(() => running.delete(key));
        running.set(key, work);
      });
    },
    async idle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
