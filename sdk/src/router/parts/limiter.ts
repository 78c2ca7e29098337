const START = 3;
/** A tier may have one slot. */
const LEAST = 1;
export const MOST = 256;
const RAISE = 2;
const CUT = 0.7;
/** A window is judged when it is as old and as full as this. */
const WINDOW_MS = 5_000;
const WINDOW_RESULTS = 5;
const GOOD_SHARE = 0.2;
const BAD_SHARE = 0.35;

/**
 * How many own calls a target may hold at once. Starts at 3 and grows by one a success while half of it is used; after
 * the first bad window it grows by two a good window that used it, and shrinks by three tenths a bad one. Between a fifth
 * and 35 % of failures it stays: part of them is other people's doing, and the classic rule, which cuts at each failure,
 * settles at 3.5 calls under 12 % of errors however large the target is.
 *
 * @see docs/router.md#how-many-calls-at-once
 */
export class AdaptiveLimit {
  #limit = START;
  #isSlowStart = true;
  #from = Number.NEGATIVE_INFINITY;
  #good = 0;
  #bad = 0;
  #wasUsed = false;
  #atOpening = START;

  /** Own calls allowed, at least one. */
  allowed(most = MOST): number {
    return Math.max(1, Math.min(most, Math.floor(this.#limit)));
  }

  /** @param inFlight own calls after this one ended */
  success(nowMs: number, inFlight: number, most = MOST): void {
    this.#good++;
    if (inFlight + 1 >= this.#limit / 2) {
      this.#wasUsed = true;
      if (this.#isSlowStart) this.#limit = Math.min(most, this.#limit + 1);
    }
    this.#judge(nowMs, most);
  }

  failure(nowMs: number, most = MOST): void {
    this.#bad++;
    this.#judge(nowMs, most);
  }

  opened(): void {
    this.#atOpening = this.#limit;
  }

  /** Its target is back: half of what it had, and from there step by step. */
  restored(): void {
    this.#limit = Math.max(START, this.#atOpening / 2);
    this.#isSlowStart = true;
  }

  #judge(nowMs: number, most: number): void {
    if (nowMs - this.#from < WINDOW_MS || this.#good + this.#bad < WINDOW_RESULTS) return;
    const share = this.#bad / (this.#good + this.#bad);
    if (share > BAD_SHARE) {
      this.#limit = Math.max(LEAST, this.#limit * CUT);
      this.#isSlowStart = false;
    } else if (!this.#isSlowStart && ((share <= GOOD_SHARE && this.#wasUsed) || this.#limit < START)) {
      this.#limit = Math.min(most, this.#limit + RAISE);
    }
    this.#from = nowMs;
    this.#good = this.#bad = 0;
    this.#wasUsed = false;
  }
}
