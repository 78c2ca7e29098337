/** An event that waits to be sent: its JSON as it will travel, and whose it is should it be lost. */
export interface WaitingEvent {
  readonly json: string;
  readonly source: string;
}

/** What a reporter lost, as it travels beside events. The counts only ever grow, so repeating them is harmless. */
export interface ReporterNote {
  /** A UUID that the reporter made for itself. */
  readonly id: string;
  /** Events lost since the reporter began, by source. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** Events that are sent together, and repeated together until they are settled. */
export interface Batch {
  readonly events: readonly WaitingEvent[];
  /** Of a reporter that is gone and left its spool behind. */
  readonly note?: ReporterNote;
}

/** Where events wait. Nothing in it throws: what it cannot keep it hands to `onDrop`, oldest first. */
export interface EventStore {
  add(event: WaitingEvent): void;
  /** Events that are neither settled nor dropped. */
  readonly waiting: number;
  /** The oldest batch; the same one until it is settled. `null` when nothing waits. */
  next(): Batch | null | Promise<Batch | null>;
  /** So many more events of the batch, from its start, have been judged and are needed no more. */
  settle(batch: Batch, count: number): void | Promise<void>;
  /** Nothing is added afterwards. What still waits is kept where it outlives the process, or dropped. */
  close(): void | Promise<void>;
}

export interface StoreLimits {
  readonly maxBatchEvents: number;
  readonly maxBatchBytes: number;
  readonly maxWaitingEvents: number;
  readonly maxWaitingBytes: number;
}

/** What a store tells its reporter. */
export interface StoreListener {
  /** Events that are lost for good. */
  onDrop(source: string, count: number): void;
  /** Events of an earlier process were found. */
  onAdopt(count: number): void;
  /** Something that a person should know; said once per code. */
  onProblem(code: "dropped" | "spool", message: string): void;
}

/** Makes the store of one reporter. A spool is one of these. */
export type OpenStore = (limits: StoreLimits, listener: StoreListener, system: StoreSystem) => EventStore;

/** What a store needs of the world. */
export interface StoreSystem {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls back once, unless the returned function is called before. A pending timer keeps no process alive. */
  setTimer(callback: () => void, delayMs: number): () => void;
  /** The reporter's id. */
  readonly reporterId: string;
  /** The reporter's own note, for a store that outlives it; `null` when nothing was lost. */
  note(): ReporterNote | null;
}
