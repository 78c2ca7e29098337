import type { RouterSystem } from "./system.ts";

/** Who stands in line. */
export interface Waiter<T> {
  /** Whoever has less time goes first; equals go in the order in which they came. */
  readonly deadlineAt: number;
  readonly untilMs: number;
  /** Takes what it waits for, or `null` when there is nothing for it now. */
  take(nowMs: number): T | null;
  /** When time alone may change that; `Infinity` when it cannot. Asked after `take`. */
  nextAt(): number;
}

interface Standing<T> {
  readonly waiter: Waiter<T>;
  leave(taken: T | null): void;
}

/** Requests that wait for room, for an advised wait or for the retry budget. */
export class Line<T> {
  readonly #system: Pick<RouterSystem, "elapsed" | "setTimer">;
  /** When there is room for anybody at all: looked at before everybody is asked. */
  readonly #roomAt: (nowMs: number) => number;
  #standing: Standing<T>[] = [];
  #cancelTimer: (() => void) | null = null;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(system: Pick<RouterSystem, "elapsed" | "setTimer">, roomAt: (nowMs: number) => number) {
    this.#system = system;
    this.#roomAt = roomAt;
  }

  get length(): number {
    return this.#standing.length;
  }

  /** @returns what was taken; `null` when the time is over or the signal fired */
  stand(waiter: Waiter<T>, signal: AbortSignal | undefined): Promise<T | null> {
    return new Promise((resolve) => {
      const give = () => standing.leave(null);
      const standing: Standing<T> = {
        waiter,
        leave: (taken) => {
          cancel();
          signal?.removeEventListener("abort", give);
          const at = this.#standing.indexOf(standing);
          if (at !== -1) this.#standing.splice(at, 1);
          resolve(taken);
        },
      };
      const cancel = this.#system.setTimer(give, Math.max(0, waiter.untilMs - this.#system.elapsed()));
      signal?.addEventListener("abort", give, { once: true });
      this.#insert(standing);
      this.#wakeAt(waiter.nextAt());
    });
  }

  /** Something changed: whoever can go, goes, the front first. */
  move(): void {
    if (this.#standing.length === 0) return;
    const nowMs = this.#system.elapsed();
    let nextAt = Number.POSITIVE_INFINITY;
    for (const standing of [...this.#standing]) {
      nextAt = this.#roomAt(nowMs);
      if (nextAt > nowMs) break;
      const taken = standing.waiter.take(nowMs);
      if (taken !== null) standing.leave(taken);
    }
    if (nextAt <= nowMs) nextAt = Number.POSITIVE_INFINITY;
    for (const { waiter } of this.#standing) {
      const at = waiter.nextAt();
      // What should have been ready by now waits for something else than time.
      if (at > nowMs && at < nextAt) nextAt = at;
    }
    this.#wakeAt(nextAt);
  }

  #insert(standing: Standing<T>): void {
    let at = this.#standing.length;
    while (at > 0 && (this.#standing[at - 1]?.waiter.deadlineAt ?? 0) > standing.waiter.deadlineAt) at--;
    this.#standing.splice(at, 0, standing);
  }

  #wakeAt(atMs: number): void {
    if (atMs >= this.#timerAt || atMs === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer?.();
    this.#timerAt = atMs;
    this.#cancelTimer = this.#system.setTimer(
      () => {
        this.#cancelTimer = null;
        this.#timerAt = Number.POSITIVE_INFINITY;
        this.move();
      },
      Math.max(1, Math.ceil(atMs - this.#system.elapsed())),
    );
  }
}
