/** Fewer failures, remembered or in a row, never open it: a first failure is nothing. */
const LEAST_FAILURES = 8;
const OPEN_ABOVE = 0.8;
const FIRST_OPEN_MS = 3_000;
const LONGEST_OPEN_MS = 15_000;
/** After so long closed, the next opening is short again. */
const CALM_MS = 60_000;

export type CircuitState = "closed" | "open" | "halfOpen";

/**
 * Keeps requests from a target that answers nobody. Open for 3 s, doubling to 15 s, ± 20 %, measured from its opening;
 * then half open, which one probe at a time may pass, and whose success closes it.
 */
export class Circuit {
  #state: CircuitState = "closed";
  #openUntil = 0;
  #openings = 0;
  #closedAt = 0;

  /** The state now: an open circuit whose time is over is half open. */
  state(nowMs: number): CircuitState {
    if (this.#state === "open" && nowMs >= this.#openUntil) this.#state = "halfOpen";
    return this.#state;
  }

  get openUntil(): number {
    return this.#openUntil;
  }

  /** @returns whether this success closed it */
  success(nowMs: number, isProbe: boolean): boolean {
    const closes = isProbe && this.state(nowMs) === "halfOpen";
    if (closes) {
      this.#state = "closed";
      this.#closedAt = nowMs;
    }
    if (this.#state === "closed" && nowMs - this.#closedAt > CALM_MS) this.#openings = 0;
    return closes;
  }

  /** @returns whether this failure opened a closed one */
  failure(
    nowMs: number,
    isProbe: boolean,
    seen: { readonly consecutive: number; readonly weight: number; readonly share: number },
    random: () => number,
  ): boolean {
    const state = this.state(nowMs);
    if (state === "halfOpen" && isProbe) this.#open(nowMs, random);
    if (state !== "closed") return false;
    const isDown =
      seen.consecutive >= LEAST_FAILURES || (seen.weight >= LEAST_FAILURES && seen.share > OPEN_ABOVE);
    if (isDown) this.#open(nowMs, random);
    return isDown;
  }

  #open(nowMs: number, random: () => number): void {
    this.#state = "open";
    const forMs = Math.min(LONGEST_OPEN_MS, FIRST_OPEN_MS * 2 ** this.#openings);
    this.#openUntil = nowMs + forMs * (0.8 + 0.4 * random());
    this.#openings = Math.min(this.#openings + 1, 6);
  }
}
