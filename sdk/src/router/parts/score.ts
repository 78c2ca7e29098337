/** Milliseconds in which what was seen loses half its weight. */
export const HALF_LIFE_MS = 60_000;
/** What is believed of a target that nobody has asked lately, and how many observations that is worth. */
export const PRIOR = 0.95;
export const PRIOR_WEIGHT = 5;

/**
 * How likely the next attempt is to go well: successes and failures, each forgotten by half every minute, on top of a
 * belief. A silent target drifts back to the belief, so that no demotion is for ever.
 */
export class Score {
  #successes = 0;
  #failures = 0;
  #atMs = 0;
  /** Failures since the last success. */
  consecutive = 0;
  /** Share of failures when the last success came. */
  shareBefore = 0;

  /** Expected success share, in (0, 1). */
  expect(nowMs: number): number {
    this.#forget(nowMs);
    return (PRIOR_WEIGHT * PRIOR + this.#successes) / (PRIOR_WEIGHT + this.#successes + this.#failures);
  }

  /** How many attempts the figure rests on, after forgetting. */
  weight(nowMs: number): number {
    this.#forget(nowMs);
    return this.#successes + this.#failures;
  }

  /** Share of failures of what is remembered; `NaN` of nothing. */
  failureShare(nowMs: number): number {
    this.#forget(nowMs);
    return this.#failures / (this.#successes + this.#failures);
  }

  success(nowMs: number): void {
    this.#forget(nowMs);
    this.#successes++;
    this.consecutive = 0;
    this.shareBefore = this.#failures / (this.#successes + this.#failures);
  }

  failure(nowMs: number): void {
    this.#forget(nowMs);
    this.#failures++;
    this.consecutive++;
  }

  /** It is back: what failed before says nothing any more. */
  forgive(): void {
    this.#failures = 0;
  }

  #forget(nowMs: number): void {
    const passed = nowMs - this.#atMs;
    if (passed <= 0) return;
    const kept = 2 ** (-passed / HALF_LIFE_MS);
    this.#successes *= kept;
    this.#failures *= kept;
    this.#atMs = nowMs;
  }
}
