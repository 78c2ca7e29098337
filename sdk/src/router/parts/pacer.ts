/** Part of a minute's calls that may come at once. */
const BURST_SHARE = 1 / 6;

/** Keeps own calls below a known limit per minute: a sixth of it at once, the rest evenly. */
export class Pacer {
  readonly #perMs: number;
  readonly #most: number;
  #tokens: number;
  #atMs: number;

  constructor(perMinute: number, nowMs: number) {
    this.#perMs = perMinute / 60_000;
    this.#most = Math.max(1, perMinute * BURST_SHARE);
    this.#tokens = this.#most;
    this.#atMs = nowMs;
  }

  /** When the next call may go: now or later. */
  readyAt(nowMs: number): number {
    this.#fill(nowMs);
    return this.#tokens >= 1 ? nowMs : nowMs + (1 - this.#tokens) / this.#perMs;
  }

  take(nowMs: number): void {
    this.#fill(nowMs);
    this.#tokens -= 1;
  }

  /** The provider says that it was too much after all. */
  empty(): void {
    this.#tokens = Math.min(0, this.#tokens);
  }

  #fill(nowMs: number): void {
    this.#tokens = Math.min(this.#most, this.#tokens + (nowMs - this.#atMs) * this.#perMs);
    this.#atMs = nowMs;
  }
}
