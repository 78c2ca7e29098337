import type { Outcome } from "../../outcome.ts";
import type { Bench } from "./advised-wait.ts";

/** Time in which a target is left alone, as it said itself or as a hard failure demands. */
export class Hold {
  #until = Number.NEGATIVE_INFINITY;
  #nextProbe = Number.POSITIVE_INFINITY;
  #probeEvery = 0;
  #why: Outcome | null = null;
  #isStated = true;

  /** When it ends; the past when there is none. */
  get until(): number {
    return this.#until;
  }

  /** What it is for; `null` when it is over. */
  why(nowMs: number): Outcome | null {
    return nowMs < this.#until ? this.#why : null;
  }

  /** Whether the provider said when it ends. */
  get isStated(): boolean {
    return this.#isStated;
  }

  /** A longer wait extends it, a shorter one never shortens it. */
  bench({ forMs, probeEveryMs }: Bench, nowMs: number, why: Outcome, isStated: boolean): void {
    const until = nowMs + forMs;
    this.#nextProbe = nowMs + probeEveryMs;
    if (until < this.#until) return;
    this.#until = until;
    this.#probeEvery = probeEveryMs;
    this.#why = why;
    this.#isStated = isStated;
  }

  /** When it may be asked: the end, or sooner as a probe. */
  probeAt(): number {
    return this.#nextProbe;
  }

  /** A probe is on its way: the next one comes later. */
  probed(nowMs: number): void {
    this.#nextProbe = nowMs + this.#probeEvery;
  }

  /** It answered: whatever was said before is over. */
  lift(): void {
    this.#until = Number.NEGATIVE_INFINITY;
  }
}
