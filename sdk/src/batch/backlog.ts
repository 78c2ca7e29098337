import { getBackoffMs } from "../router/parts/backoff.ts";
import type { Entry } from "./item-source.ts";

const BACKOFF = { baseMs: 1_000, capMs: 10_000 };

/** Items that were tried and come back. */
export class Backlog<Item> {
  readonly #entries: Entry<Item>[] = [];

  get size(): number {
    return this.#entries.length;
  }

  /** It comes back at once. */
  add(entry: Entry<Item>): void {
    this.#entries.push(entry);
  }

  /** It comes back after a while, which grows with each try. */
  addLater(entry: Entry<Item>, nowMs: number, random: () => number): void {
    entry.readyAtMs = nowMs + getBackoffMs(Math.min(entry.tries - 1, 10), BACKOFF, random);
    this.#entries.push(entry);
  }

  /** The first that is ready, or `null`. */
  take(nowMs: number): Entry<Item> | null {
    const at = this.#entries.findIndex(({ readyAtMs }) => readyAtMs <= nowMs);
    return at === -1 ? null : (this.#entries.splice(at, 1)[0] ?? null);
  }

  /** When the next one is ready; `Infinity` when there is none. */
  get nextAtMs(): number {
    return this.#entries.reduce(
      (soonest, { readyAtMs }) => Math.min(soonest, readyAtMs),
      Number.POSITIVE_INFINITY,
    );
  }
}
