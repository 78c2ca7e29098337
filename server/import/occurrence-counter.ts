import { hashContent } from "./content-hash.ts";

/** How many rows an earlier twin may lie back. */
export const OCCURRENCE_SPAN = 2 ** 20;

/** Of each entry: both halves of the hash, the count (0: free), and the row at which it was last seen. */
const WORDS = 4;
const [LEFT, RIGHT, COUNT, SEEN] = [0, 1, 2, 3];
const INITIAL_SLOTS = 1024;

/**
 * Numbers identical rows, so that two calls that look alike are two events, and the same row of the same log read
 * again is the same event.
 *
 * Identical rows within about a million rows of each other (`span`) are counted apart: 1, 2, 3 … Farther apart
 * they are taken for a repetition, as in a log that was concatenated twice, and begin at 1 again. Rows before the
 * first twin do not matter, so a log that grew or gained a line in front numbers its rows as before.
 *
 * Memory is bounded: two generations of at most `span` entries of 16 bytes, in tables that are at most half full.
 */
export class OccurrenceCounter {
  readonly #span: number;
  readonly #hash = new Uint32Array(2);
  #current = new Generation();
  #previous = new Generation();
  #row = 0;

  constructor(span = OCCURRENCE_SPAN) {
    this.#span = span;
  }

  /** Which occurrence of this content the next row is, from 1. */
  next(content: string): number {
    if (this.#row % this.#span === 0) this.#turn();
    const row = this.#row++;
    hashContent(content, this.#hash);
    const [left = 0, right = 0] = this.#hash;
    const ordinal = this.#countBefore(left, right, row) + 1;
    this.#current.set(left, right, ordinal, row);
    return ordinal;
  }

  #countBefore(left: number, right: number, row: number): number {
    const now = this.#current;
    const at = now.find(left, right);
    if (now.words[at + COUNT] !== 0) return this.#recall(now, at, row);
    const before = this.#previous;
    return this.#recall(before, before.find(left, right), row);
  }

  #recall(generation: Generation, at: number, row: number): number {
    const distance = (row - (generation.words[at + SEEN] ?? 0)) >>> 0;
    return distance <= this.#span ? (generation.words[at + COUNT] ?? 0) : 0;
  }

  #turn(): void {
    const oldest = this.#previous;
    this.#previous = this.#current;
    this.#current = oldest;
    oldest.clear();
  }
}

/** An open-addressed hash table that grows. */
class Generation {
  words = new Uint32Array(INITIAL_SLOTS * WORDS);
  #mask = INITIAL_SLOTS - 1;
  #size = 0;

  /** Where the words of this entry begin, or those of the free slot that it would get. */
  find(left: number, right: number): number {
    const { words } = this;
    let slot = left & this.#mask;
    for (;;) {
      const at = slot * WORDS;
      if (words[at + COUNT] === 0) return at;
      if (words[at + LEFT] === left && words[at + RIGHT] === right) return at;
      slot = (slot + 1) & this.#mask;
    }
  }

  set(left: number, right: number, count: number, seen: number): void {
    const at = this.find(left, right);
    const { words } = this;
    if (words[at + COUNT] === 0) this.#size++;
    words[at + LEFT] = left;
    words[at + RIGHT] = right;
    words[at + COUNT] = count;
    words[at + SEEN] = seen;
    if (this.#size * 2 > this.#mask) this.#grow();
  }

  clear(): void {
    this.words.fill(0);
    this.#size = 0;
  }

  #grow(): void {
    const old = this.words;
    this.words = new Uint32Array(old.length * 2);
    this.#mask = this.words.length / WORDS - 1;
    for (let from = 0; from < old.length; from += WORDS) {
      if (old[from + COUNT] === 0) continue;
      const at = this.find(old[from + LEFT] ?? 0, old[from + RIGHT] ?? 0);
      for (let word = 0; word < WORDS; word++) this.words[at + word] = old[from + word] ?? 0;
    }
  }
}
