const START = 3;
/** A tier may have one slot. */
const LEAST = 1;
export const MOST = 256;
/** Below this it goes only when that has been seen to help. */
const LEAST_UNPROVEN = 2;
/** A limit of which less than this was in use is not what makes calls fail. */
const USED_SHARE = 0.75;
const RAISE = 2;
const CUT = 0.7;
/** A window is judged when it is as old and as full as this. */
const WINDOW_MS = 5_000;
const WINDOW_RESULTS = 5;
const GOOD_SHARE = 0.2;
const BAD_SHARE = 0.35;
/** After so many cuts the failures must have become a fifth fewer, or the cuts are taken back for a minute. */
const CUTS_TO_PROVE = 2;
const USEFUL_RATIO = 0.8;
const FUTILE_MS = 60_000;

/**
 * How many own calls a target may hold at once. Starts at 3 and grows by one a success while half of it is used; after
 * the first bad window it grows by two a good window that used it, and shrinks by three tenths a bad one. Between a fifth
 * and 35 % of failures it stays: part of them is other people's doing, and the classic rule, which cuts at each failure,
 * settles at 3.5 calls under 12 % of errors however large the target is.
 *
 * Cuts that do not help are taken back: where a provider is full of other people's calls, fewer of ours change nothing
 * but our share of it. Calls that time out are the exception, since a queue answers to fewer calls only after a while.
 *
 * @see docs/router.md#how-many-calls-at-once
 */
export class AdaptiveLimit {
  #limit = START;
  #isSlowStart = true;
  #from = Number.NEGATIVE_INFINITY;
  #good = 0;
  #bad = 0;
  #timedOut = 0;
  #wasUsed = false;
  #wasFull = false;
  #atOpening = START;
  /** Cuts in a row, and what was before them. */
  #cuts = 0;
  #beforeCuts = START;
  #shareBeforeCuts = 1;
  #futileUntil = Number.NEGATIVE_INFINITY;

  /** Own calls allowed, at least one. */
  allowed(most = MOST): number {
    return Math.max(1, Math.min(most, Math.floor(this.#limit)));
  }

  /** @param inFlight own calls after this one ended */
  success(nowMs: number, inFlight: number, most = MOST): void {
    this.#good++;
    this.#note(inFlight);
    if (inFlight + 1 >= this.#limit / 2) {
      this.#wasUsed = true;
      if (this.#isSlowStart) this.#limit = Math.min(most, this.#limit + 1);
    }
    this.#judge(nowMs, most);
  }

  failure(nowMs: number, inFlight: number, isTimeout: boolean, most = MOST): void {
    this.#bad++;
    this.#note(inFlight);
    if (isTimeout) this.#timedOut++;
    this.#judge(nowMs, most);
  }

  #note(inFlight: number): void {
    if (inFlight + 1 >= USED_SHARE * Math.floor(this.#limit)) this.#wasFull = true;
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
    if (share > BAD_SHARE) this.#cut(nowMs, share);
    else {
      this.#cuts = 0;
      const isGood = share <= GOOD_SHARE && this.#wasUsed;
      if (!this.#isSlowStart && isGood) this.#limit = Math.min(most, this.#limit + RAISE);
    }
    this.#from = nowMs;
    this.#good = this.#bad = this.#timedOut = 0;
    this.#wasUsed = this.#wasFull = false;
  }

  #cut(nowMs: number, share: number): void {
    this.#isSlowStart = false;
    if (nowMs < this.#futileUntil || !this.#wasFull) return;
    if (this.#cuts === 0) {
      this.#beforeCuts = this.#limit;
      this.#shareBeforeCuts = share;
    }
    const hasHelped = share <= USEFUL_RATIO * this.#shareBeforeCuts || this.#timedOut > this.#bad / 2;
    if (this.#cuts >= CUTS_TO_PROVE && !hasHelped) {
      this.#limit = this.#beforeCuts;
      this.#cuts = 0;
      this.#futileUntil = nowMs + FUTILE_MS;
      return;
    }
    this.#cuts++;
    const least = this.#cuts > 1 && hasHelped ? LEAST : Math.min(this.#limit, LEAST_UNPROVEN);
    this.#limit = Math.max(least, this.#limit * CUT);
  }
}
