/** Of a target that has not answered yet: log of 5 s. */
const FIRST_MEAN = Math.log(5_000);
const FIRST_VARIANCE = 0.25;
const LEAST_VARIANCE = 0.05;
/** Weight of a new answer once there were many. */
const ALPHA = 0.05;
/** Fewer answers say nothing of the slow ones. */
const ENOUGH = 20;

/** How long a target takes: mean and spread of the logarithm, since a few answers are always far longer than the rest. */
export class Latency {
  #mean = FIRST_MEAN;
  #variance = FIRST_VARIANCE;
  #count = 0;
  /** Milliseconds that a failure takes, lately. */
  failureMs = 500;

  answered(ms: number): void {
    const log = Math.log(Math.max(1, ms));
    const weight = Math.max(ALPHA, 1 / (this.#count + 1));
    const off = log - this.#mean;
    this.#mean += weight * off;
    const a = this.#count === 0 ? 0 : weight;
    this.#variance = Math.max(LEAST_VARIANCE, (1 - a) * (this.#variance + a * off * off));
    this.#count++;
  }

  failed(ms: number): void {
    this.failureMs += 0.2 * (ms - this.failureMs);
  }

  get isKnown(): boolean {
    return this.#count >= ENOUGH;
  }

  get meanMs(): number {
    return Math.exp(this.#mean + this.#variance / 2);
  }

  /** @param z standard deviations above the middle: 0 is the median, 1.645 p95, 2.33 p99 */
  quantileMs(z: number): number {
    return Math.exp(this.#mean + z * Math.sqrt(this.#variance));
  }
}
