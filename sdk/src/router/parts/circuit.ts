/** Fewer failures in a row never open it: a first failure is nothing. */
const LEAST_FAILURES = 8;
/** A row counts when it would come by chance once in a thousand times, as the target was before it. */
const CHANCE = 0.001;
const FIRST_OPEN_MS = 3_000;
const LONGEST_OPEN_MS = 15_000;
/** Probes of a target that stays away become no rarer than this. */
const LONGEST_PROBE_MS = 30_000;
/** After so long closed, the next opening is short again. */
const CALM_MS = 60_000;

/** What is remembered of a target's failures, the last one included. */
export interface FailuresSeen {
  /** Since the last success. */
  readonly consecutive: number;
  /** Share of failures before the row began. */
  readonly shareBefore: number;
}

/** Six in ten that fail are no outage, and bring eight in a row every few minutes. */
function isRow({ consecutive, shareBefore }: FailuresSeen): boolean {
  const chance = Math.min(0.8, Math.max(0.01, shareBefore)) ** consecutive;
  return consecutive >= LEAST_FAILURES && chance < CHANCE;
}

export type CircuitState = "closed" | "open" | "halfOpen";

/**
 * Keeps requests from a target that answers nobody. Open for 3 s, doubling to 15 s, ± 20 %, measured from its opening;
 * then half open, which one probe at a time may pass, and whose success closes it. While one probe after the other fails,
 * they come at most every 36 s.
 */
export class Circuit {
  #state: CircuitState = "closed";
  #openUntil = 0;
  #probeAt = 0;
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

  /** When the next probe may go: at the end of the open time, later where one after the other has failed. */
  get probeAt(): number {
    return this.#probeAt;
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
  failure(nowMs: number, isProbe: boolean, seen: FailuresSeen, random: () => number): boolean {
    const state = this.state(nowMs);
    if (state === "halfOpen" && isProbe) this.#open(nowMs, random);
    if (state !== "closed") return false;
    const isDown = isRow(seen);
    if (isDown) this.#open(nowMs, random);
    return isDown;
  }

  #open(nowMs: number, random: () => number): void {
    this.#state = "open";
    const growing = FIRST_OPEN_MS * 2 ** this.#openings;
    const jitter = 0.8 + 0.4 * random();
    this.#openUntil = nowMs + Math.min(LONGEST_OPEN_MS, growing) * jitter;
    this.#probeAt = nowMs + Math.min(LONGEST_PROBE_MS, growing) * jitter;
    this.#openings = Math.min(this.#openings + 1, 6);
  }
}
