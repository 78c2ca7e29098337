import { Pace } from "./pace.ts";
import type { BatchProgress, BatchWaiting, FinishedItem } from "./types.ts";

/** Counts what is finished. */
export class Tally {
  readonly #startedMs: number;
  readonly #pace: Pace;
  readonly earlier: number;
  done = 0;
  failed = 0;

  constructor(finished: Iterable<FinishedItem>, startedMs: number) {
    for (const { outcome } of finished) {
      this.done++;
      if (outcome !== "ok") this.failed++;
    }
    this.earlier = this.done;
    this.#startedMs = startedMs;
    this.#pace = new Pace(startedMs);
  }

  finished(isOk: boolean, nowMs: number): void {
    this.done++;
    if (!isOk) this.failed++;
    this.#pace.finished(nowMs);
  }

  elapsedMs(nowMs: number): number {
    return nowMs - this.#startedMs;
  }

  progress(
    nowMs: number,
    state: { total: number | null; concurrency: number; inFlight: number; waiting: BatchWaiting | null },
  ): BatchProgress {
    return {
      done: this.done,
      failed: this.failed,
      earlier: this.earlier,
      perMinute: this.#pace.perMinute(nowMs),
      leftMs: state.total === null ? null : this.#pace.leftMs(Math.max(0, state.total - this.done), nowMs),
      elapsedMs: this.elapsedMs(nowMs),
      ...state,
    };
  }
}
