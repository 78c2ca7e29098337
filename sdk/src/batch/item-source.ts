import { BatchError, isBatchError } from "./batch-error.ts";
import { fingerprint } from "./fingerprint.ts";
import type { BatchOptions, FinishedItem } from "./types.ts";

/** An item on its way. */
export interface Entry<Item> {
  readonly item: Item;
  readonly index: number;
  readonly id: string | number;
  readonly input: string;
  /** Calls of this run, a router's own included. */
  attempts: number;
  /** Times that it was begun. */
  tries: number;
  /** Tries that ended badly although others went well. */
  counted: number;
  /** Not before then: milliseconds of the clock that only goes forward. */
  readyAtMs: number;
}

type Options<Item> = Pick<BatchOptions<Item, unknown>, "items" | "id" | "settings">;

/** How many unfinished items are read ahead of those under way. */
const AHEAD = 1;

/**
 * Reads items as they are needed, leaves out what is finished, and makes sure that what is finished is of this input.
 * Until each stored result has met its item, it hands out nothing: so a changed input is refused before anything is asked.
 */
export class ItemSource<Item> {
  /** `null` while it is not known. */
  total: number | null = null;
  readonly #options: Options<Item>;
  readonly #settings: string;
  readonly #stored: Map<string, FinishedItem>;
  readonly #storeName: string;
  readonly #ahead: Entry<Item>[] = [];
  readonly #ids: Map<string, number> | null;
  #iterator: Iterator<Item> | AsyncIterator<Item> | null = null;
  #read = 0;
  #isEnded = false;
  #isClosed = false;

  constructor(options: Options<Item>, finished: Iterable<FinishedItem>, storeName: string) {
    this.#options = options;
    this.#settings = options.settings === undefined ? "" : `-${fingerprint(options.settings).slice(0, 8)}`;
    this.#stored = new Map([...finished].map((one) => [String(one.id), one]));
    this.#storeName = storeName;
    this.#ids = options.id === undefined ? null : new Map();
  }

  /** Learns how many there are, where the items know it: a file is read through, and its faults are found. */
  async begin(): Promise<void> {
    const { items } = this.#options;
    if (Array.isArray(items)) this.total = items.length;
    else if ("count" in items) this.total = await items.count().catch(toInputError);
  }

  /** Whether nothing is left to hand out, now and later. */
  get isExhausted(): boolean {
    return this.#isEnded && this.#ahead.length === 0;
  }

  /** Whether it has to be read on. */
  get isHungry(): boolean {
    return !this.#isEnded && !this.#isClosed && (this.#stored.size > 0 || this.#ahead.length < AHEAD);
  }

  take(): Entry<Item> | null {
    return this.#stored.size > 0 ? null : (this.#ahead.shift() ?? null);
  }

  /**
   * Reads one item more.
   *
   * @throws {BatchError} `input` when the items throw, `changed` when what is stored belongs to others
   */
  async readOn(): Promise<void> {
    const next = await this.#next();
    if (next.done === true) {
      this.#isEnded = true;
      this.total = this.#read;
      const [stray] = this.#stored.values();
      if (stray !== undefined) throw this.#strayError(stray);
      return;
    }
    const entry = this.#toEntry(next.value, this.#read++);
    const stored = this.#stored.get(String(entry.id));
    if (stored === undefined) this.#ahead.push(entry);
    else {
      if (stored.input !== entry.input) throw this.#changedError(entry, stored);
      this.#stored.delete(String(entry.id));
    }
  }

  /** Reads no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (!this.#isEnded) await this.#iterator?.return?.();
  }

  async #next(): Promise<IteratorResult<Item>> {
    const { items } = this.#options;
    try {
      this.#iterator ??=
        Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
      return await this.#iterator.next();
    } catch (error) {
      this.#isEnded = true;
      return toInputError(error);
    }
  }

  #toEntry(item: Item, index: number): Entry<Item> {
    const id = this.#options.id?.(item, index) ?? index;
    const before = this.#ids?.get(String(id));
    if (before !== undefined) {
      const message = `Items ${before + 1} and ${index + 1} have the same id “${id}”; each needs one of its own`;
      throw new BatchError("input", message);
    }
    this.#ids?.set(String(id), index);
    const input = fingerprint(item) + this.#settings;
    return { item, index, id, input, attempts: 0, tries: 0, counted: 0, readyAtMs: 0 };
  }

  #changedError({ id, index, input }: Entry<Item>, stored: FinishedItem): BatchError {
    const isSameItem = input.split("-")[0] === stored.input.split("-")[0];
    const what = isSameItem
      ? "The settings are not those"
      : `Item ${index + 1} (id ${JSON.stringify(id)}) is not the one`;
    const how = isSameItem ? "the settings of then" : "the input of then";
    return new BatchError(
      "changed",
      `${what} whose result is in ${this.#storeName}; go on with ${how}, or write to another place`,
    );
  }

  #strayError({ id }: FinishedItem): BatchError {
    const count = this.#stored.size;
    const results = count === 1 ? "A result" : `${count} results`;
    return new BatchError(
      "changed",
      `${results} in ${this.#storeName} (first id: ${JSON.stringify(id)}) belong to items that the input does not have; go on with the input of then, or write to another place`,
    );
  }
}

function toInputError(error: unknown): never {
  if (isBatchError(error)) throw error;
  const message = error instanceof Error ? error.message : String(error);
  throw new BatchError("input", `The items cannot be read: ${message}`, { cause: error });
}
