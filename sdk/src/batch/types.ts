import type { Classify } from "../observe/options.ts";
import type { Outcome } from "../outcome.ts";
import type { RouterSystem } from "../router/system.ts";
import type { Router, RunOptions } from "../router/types.ts";

/** What an item's call is told beside the item. */
export interface ItemCall {
  /** Fires when the batch is to end and the item's time of grace is over, or when its time is. Hand it to the client. */
  readonly signal: AbortSignal;
  /** Place of the item in the input, from 0. */
  readonly index: number;
  /** How often the item was tried in this run, this time included. */
  readonly attempt: number;
}

/** Asks for one item, once: switch the client's own retries off. What it throws is named by `classify`. */
export type CallItem<Item, Value> = (item: Item, call: ItemCall) => Promise<Value> | Value;

/** Items whose number is known before they are read. */
export interface CountedItems<Item> extends AsyncIterable<Item> {
  count(): Promise<number>;
}

export interface BatchOptions<Item, Value> {
  /** Read as there is room for them, so that they may be any number. */
  readonly items: Iterable<Item> | AsyncIterable<Item> | CountedItems<Item>;
  /** A function that asks for one item, or a router. */
  readonly run: CallItem<Item, Value> | Router<Item, Value>;
  /** With a router: what each of its requests is given. */
  readonly request?: Omit<RunOptions<Value>, "signal" | "onStage" | "requestId">;
  /** Where results go; an item is finished when its result is there. By default they come back with the summary. */
  readonly store?: BatchStore;
  /** Name of an item, the same whenever the input is read. Default: its place, from 0. */
  readonly id?: (item: Item, index: number) => string | number;
  /**
   * What else results depend on, such as the model and the prompt around the items: results that are stored under other
   * settings are then not taken for these.
   */
  readonly settings?: unknown;
  /** Whether to go on where the store ends. Default: true. `false` refuses a store that holds results. */
  readonly resume?: boolean;
  /** Whether items that failed in an earlier run are tried again. Default: false. */
  readonly retryFailed?: boolean;
  /** Most items under way at once. Default: 256. How many there are is learnt, from 3. */
  readonly concurrency?: number;
  /** How often an item is tried that failed while others went well. Default: 5. Lack of room does not count. */
  readonly maxAttempts?: number;
  /** So many items that fail in a row end the batch: what is wrong is not theirs. Default: 20. */
  readonly maxFailuresInARow?: number;
  /** Time of one call, in milliseconds. Default: 600,000. */
  readonly timeoutMs?: number;
  /** So long without any item that went well ends the batch. Default: 86,400,000, a day. */
  readonly patienceMs?: number;
  /** Fires to end: no item is begun any more, and what is under way may finish. */
  readonly signal?: AbortSignal;
  /** How long what is under way may take after that, in milliseconds. Default: 10,000. */
  readonly graceMs?: number;
  /** Hears how far it is: at each change, and every second. What it throws is swallowed. */
  readonly onProgress?: (progress: BatchProgress) => void;
  /** Names failures; `createClassifier(rules)` adds rules of your own. */
  readonly classify?: Classify;
  /** Who is asked, for `classify`, where `run` is a function. */
  readonly provider?: string;
  readonly model?: string;
  /** Clock, timers and randomness; for tests. */
  readonly system?: RouterSystem;
}

/** What became of one item: a line of the output. */
export interface BatchResult<Value = unknown> {
  readonly id: string | number;
  /** Place of the item in the input, from 0. */
  readonly index: number;
  readonly outcome: Outcome;
  /** What the call gave, where `outcome` is `ok`. */
  readonly value?: Value;
  readonly error?: BatchItemError;
  /** Calls that were made for the item in this run, a router's own included. */
  readonly attempts: number;
  /** Id of the router's target that served, or failed last; `null` without a router. */
  readonly target: string | null;
  /** Of the last call, or of the router's whole request. */
  readonly latencyMs: number;
  /** ISO 8601, UTC. */
  readonly finishedAt: string;
  /** Tells whether the item, or `settings`, has changed since. */
  readonly input: string;
}

export interface BatchItemError {
  /** What was said, scrubbed of keys and cut. */
  readonly message: string;
  readonly status: number | null;
  /** Id of the rule that named it; `null` where none did. */
  readonly rule: string | null;
}

/** What a store knows of an item that was finished before. */
export type FinishedItem = Pick<BatchResult, "id" | "outcome" | "input">;

/** Where results are kept: a file (`resultFile`), a table, whatever survives a crash. */
export interface BatchStore {
  /** For messages: the file's name. */
  readonly name?: string;
  /**
   * Takes the place for this run alone.
   *
   * @param options.forgetFailed whether to take out what is not `ok`
   * @throws {BatchError} `in_use` when another run has it, `store` when it cannot be used
   */
  open(options: { readonly forgetFailed: boolean }): Promise<OpenBatchStore>;
}

export interface OpenBatchStore {
  /** What is finished: each id once. */
  readonly finished: Iterable<FinishedItem>;
  /** Resolves when the result would survive a crash. Several may be under way at once. */
  add(result: BatchResult): Promise<void>;
  close(): Promise<void>;
}

/** Why nothing is begun just now. */
export interface BatchWaiting {
  /** `ending`: it was told to end, and waits for what is under way. */
  readonly why: Outcome | "ending";
  /** When it goes on: epoch milliseconds. */
  readonly until: number;
}

export interface BatchProgress {
  /** Items whose results are stored, those of earlier runs and failed ones included. */
  readonly done: number;
  /** Of these, those that failed. */
  readonly failed: number;
  /** Of `done`, those that earlier runs had finished. */
  readonly earlier: number;
  /** `null` while the end of the input is not known. */
  readonly total: number | null;
  /** Items finished in the last minute, or as if it had been one. */
  readonly perMinute: number;
  /** How many may be under way at once, as learnt until now. */
  readonly concurrency: number;
  readonly inFlight: number;
  readonly waiting: BatchWaiting | null;
  /** Milliseconds until it is finished, at the pace of the last minutes; `null` when nobody knows. */
  readonly leftMs: number | null;
  /** Milliseconds since it began. */
  readonly elapsedMs: number;
}

export interface BatchSummary<Value = unknown> {
  readonly done: number;
  readonly failed: number;
  readonly earlier: number;
  /** Whether every item is finished; `false` after `signal` has fired before. */
  readonly isComplete: boolean;
  readonly elapsedMs: number;
  /** What this run has finished, in the order of the input; without a `store` only, else empty. */
  readonly results: readonly BatchResult<Value>[];
}
