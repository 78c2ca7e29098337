/** Tokens that are earned and spent: what pays for repetitions. */
export class RetryBudget {
  readonly #start: number;
  readonly #most: number;
  #tokens: number;

  constructor(start: number, most: number) {
    this.#tokens = this.#start = start;
    this.#most = most;
  }

  get tokens(): number {
    return this.#tokens;
  }

  earn(tokens: number): void {
    this.#tokens = Math.min(this.#most, this.#tokens + tokens);
  }

  /** 0 while it has what it began with, 1 when it is empty. */
  get scarcity(): number {
    return Math.min(1, Math.max(0, 1 - this.#tokens / this.#start));
  }

  /** Whether another attempt may be paid for. */
  get canSpend(): boolean {
    return this.#tokens >= 1;
  }

  spend(): void {
    this.#tokens -= 1;
  }
}

/**
 * Of all requests together. In any time, extra attempts ≤ successes + 0.1 · requests + 20: in an outage of everything it
 * dries up, in ordinary trouble it never does. A success pays in full, since going on to another provider is no
 * repetition to the one that is short of room.
 */
export const EARN_PER_SUCCESS = 1;
export const EARN_PER_REQUEST = 0.1;
export const createGlobalBudget = () => new RetryBudget(10, 20);

/** Of one target, for asking it again within a request. */
export const EARN_PER_OWN_SUCCESS = 0.2;
export const createOwnBudget = () => new RetryBudget(5, 10);
