const START = 3;
const LEAST = 1;
/** A limit of which less than this was in use is proven by nothing. */
const USED_SHARE = 0.8;
/** Raise of a success right after a cut; it grows with the square of the minutes since. */
const FIRST_RAISE = 0.01;
const MINUTE_MS = 60_000;
const MOST_RAISE = 0.5;
const CUT = 0.85;
/** While it grew by leaps it is far beyond. */
const LEAP = 0.25;
const CUT_AFTER_LEAPS = 0.6;

/**
 * How many jobs that can wait a worker does at once: fewer than the adaptive limit of routers and batches, which takes up
 * to a third of failures for other people's doing. Here a want of room cuts it each time, by 15 %, and it comes near again
 * the more slowly the nearer the last one is: about one call in a hundred finds no room. Work that cannot wait would starve
 * by that; work that can is not worth more, and its own failures shall not be what shuts its gate.
 *
 * @see docs/queue.md#pace
 */
export class PatientLimit {
  #limit = START;
  #cutMs = Number.NEGATIVE_INFINITY;

  /** Jobs at once, at least one. */
  allowed(most: number): number {
    return Math.max(LEAST, Math.min(most, Math.floor(this.#limit)));
  }

  /** Whether it has ever met its bound. */
  get isProven(): boolean {
    return this.#cutMs !== Number.NEGATIVE_INFINITY;
  }

  /** @param inFlight jobs under way after this one */
  success(nowMs: number, inFlight: number, most: number): void {
    if (inFlight + 1 >= USED_SHARE * Math.floor(this.#limit))
      this.#limit = Math.min(most, this.#limit + this.#raise(nowMs));
  }

  /** @param startedMs when it began: what began before a cut says nothing of the time since */
  failure(startedMs: number, nowMs: number): void {
    if (startedMs < this.#cutMs) return;
    this.#limit = Math.max(LEAST, this.#limit * (this.#raise(nowMs) > LEAP ? CUT_AFTER_LEAPS : CUT));
    this.#cutMs = nowMs;
  }

  #raise(nowMs: number): number {
    const minutes = (nowMs - this.#cutMs) / MINUTE_MS;
    return Math.min(MOST_RAISE, FIRST_RAISE * (1 + minutes * minutes));
  }
}
