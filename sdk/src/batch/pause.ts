import type { Outcome } from "../outcome.ts";
import { getBench } from "../router/parts/advised-wait.ts";
import { getBackoffMs } from "../router/parts/backoff.ts";

/** So many failures in a row, without one that went well, are no chance any more. */
const ROW = 3;
const BACKOFF = { baseMs: 1_000, capMs: 60_000 };

/**
 * The time in which a batch leaves its provider alone. A stated wait is kept by all items, and looked at once a minute
 * (every ten minutes where it is about a quota or a rate) whether it was meant. Without one, three failures in a row
 * begin a pause of exponential length, of full jitter, a minute at most. After a pause one item goes ahead: when it goes
 * well, the others follow.
 */
export class Pause {
  readonly #random: () => number;
  #until = Number.NEGATIVE_INFINITY;
  #nextProbeAt = Number.POSITIVE_INFINITY;
  #probeEveryMs = 0;
  #why: Outcome | null = null;
  #begunAt = Number.NEGATIVE_INFINITY;
  #row = 0;
  #pauses = 0;
  #isProbing = false;

  constructor(random: () => number) {
    this.#random = random;
  }

  /** Why it waits now; `null` when it does not. */
  why(nowMs: number): Outcome | null {
    return nowMs < this.#until ? this.#why : null;
  }

  get until(): number {
    return this.#until;
  }

  /** Whether nothing is held back; else one item goes ahead, once it may. */
  get isOver(): boolean {
    return this.#why === null;
  }

  /** When the next item may begin as far as this decides; `Infinity` while the one that went ahead is under way. */
  nextAt(nowMs: number): number {
    if (this.#why === null) return nowMs;
    if (this.#isProbing) return Number.POSITIVE_INFINITY;
    return Math.min(Math.max(nowMs, this.#until), Math.max(nowMs, this.#nextProbeAt));
  }

  /** @returns whether the item that begins now goes ahead of the others */
  begin(nowMs: number): boolean {
    if (this.#why === null) return false;
    this.#isProbing = true;
    this.#nextProbeAt = nowMs + this.#probeEveryMs;
    return true;
  }

  success(isProbe: boolean): void {
    this.#row = 0;
    if (isProbe) this.#isProbing = false;
    // What began before the pause says nothing of the time since.
    if (this.#why !== null && !isProbe) return;
    this.#lift();
    this.#pauses = 0;
  }

  /** An item that neither waits nor went well ended: what went ahead is over. */
  ended(isProbe: boolean): void {
    if (!isProbe) return;
    this.#isProbing = false;
    this.#lift();
  }

  /** @param startedMs when the failed call began */
  failure(
    outcome: Outcome,
    advisedMs: number | null,
    isProbe: boolean,
    startedMs: number,
    nowMs: number,
  ): void {
    if (isProbe) this.#isProbing = false;
    this.#row++;
    if (advisedMs !== null && advisedMs > 0) {
      const bench = getBench(outcome, advisedMs, this.#random);
      if (bench !== null) {
        this.#hold(outcome, bench.forMs, bench.probeEveryMs, nowMs);
        return;
      }
    }
    const isNews = isProbe || startedMs >= this.#begunAt;
    if (!isProbe && (this.#row < ROW || !isNews || this.#why !== null)) return;
    const forMs = getBackoffMs(this.#pauses, BACKOFF, this.#random);
    this.#pauses++;
    this.#hold(outcome, forMs, Number.POSITIVE_INFINITY, nowMs);
  }

  #lift(): void {
    this.#why = null;
    this.#until = Number.NEGATIVE_INFINITY;
  }

  #hold(outcome: Outcome, forMs: number, probeEveryMs: number, nowMs: number): void {
    this.#begunAt = nowMs;
    if (nowMs + forMs < this.#until) return;
    this.#until = nowMs + forMs;
    this.#why = outcome;
    this.#probeEveryMs = probeEveryMs;
    this.#nextProbeAt = nowMs + probeEveryMs;
  }
}
