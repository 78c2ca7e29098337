import { codeOf, DatabaseAway, isDatabaseAway, isDataFault } from "./failure.ts";
import type { AttemptRow } from "./row.ts";

/** What became of one row. `refused`: the database will not take it, whatever is tried. */
export type RowFate = "new" | "duplicate" | "refused";

export interface IngestQueueOptions {
  /** Stores rows in one transaction; per row whether it was new. */
  readonly store: (rows: readonly AttemptRow[]) => Promise<boolean[]>;
  /** Most transactions at once. One keeps the index a sixth smaller than three: its pages then fill in order. */
  readonly maxConcurrent?: number;
  /** Requests waiting at the same moment share a transaction of about this many rows. */
  readonly rowsPerTransaction?: number;
  /** Above this many waiting rows new requests are turned away, so that memory stays bounded. */
  readonly maxWaitingRows?: number;
  readonly onFault?: (error: unknown) => void;
}

export interface IngestQueue {
  /**
   * Stores the rows. Resolves after commit.
   *
   * @throws DatabaseAway when the database cannot store now, or too much is waiting already
   */
  add(rows: readonly AttemptRow[]): Promise<RowFate[]>;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

interface Waiting {
  readonly rows: readonly AttemptRow[];
  readonly resolve: (fates: RowFate[]) => void;
  readonly reject: (error: unknown) => void;
}

export function createIngestQueue(options: IngestQueueOptions): IngestQueue {
  const { store, maxConcurrent = 1, rowsPerTransaction = 2_000, maxWaitingRows = 100_000 } = options;
  const waiting: Waiting[] = [];
  const idleListeners: (() => void)[] = [];
  let waitingRows = 0;
  let running = 0;

  function takeBatch(): Waiting[] {
    const batch: Waiting[] = [];
    let rows = 0;
    while (waiting.length > 0) {
      const next = waiting[0] as Waiting;
      if (batch.length > 0 && rows + next.rows.length > rowsPerTransaction) break;
      batch.push(next);
      rows += next.rows.length;
      waiting.shift();
    }
    waitingRows -= rows;
    return batch;
  }

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const isNew = await store(batch.flatMap(({ rows }) => rows));
      let from = 0;
      for (const { rows, resolve } of batch) {
        resolve(isNew.slice(from, from + rows.length).map((fresh) => (fresh ? "new" : "duplicate")));
        from += rows.length;
      }
    } catch (error) {
      if (batch.length > 1 && !isDatabaseAway(error)) {
        for (const one of batch) await runBatch([one]);
        return;
      }
      for (const { rows, resolve, reject } of batch) await storeByHalves(rows, error).then(resolve, reject);
    }
  }

  /** One row that the database refuses must not take its neighbours with it. */
  async function storeByHalves(rows: readonly AttemptRow[], error: unknown): Promise<RowFate[]> {
    if (isDatabaseAway(error)) throw new DatabaseAway(`The database cannot store now (${codeOf(error)}).`);
    if (!isDataFault(error)) throw error;
    options.onFault?.(error);
    if (rows.length <= 1) return rows.map(() => "refused");
    const middle = rows.length >> 1;
    const fates: RowFate[] = [];
    for (const half of [rows.slice(0, middle), rows.slice(middle)]) {
      try {
        for (const fresh of await store(half)) fates.push(fresh ? "new" : "duplicate");
      } catch (halfError) {
        fates.push(...(await storeByHalves(half, halfError)));
      }
    }
    return fates;
  }

  function pump(): void {
    while (running < maxConcurrent && waiting.length > 0) {
      running++;
      void runBatch(takeBatch()).finally(() => {
        running--;
        pump();
      });
    }
    if (running === 0 && waiting.length === 0) for (const listener of idleListeners.splice(0)) listener();
  }

  return {
    add(rows) {
      if (rows.length === 0) return Promise.resolve([]);
      if (waitingRows > 0 && waitingRows + rows.length > maxWaitingRows) {
        return Promise.reject(new DatabaseAway(`${waitingRows} events are waiting to be stored already.`));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ rows, resolve, reject });
        waitingRows += rows.length;
        pump();
      });
    },
    idle() {
      return running === 0 && waiting.length === 0
        ? Promise.resolve()
        : new Promise((resolve) => idleListeners.push(resolve));
    },
  };
}
