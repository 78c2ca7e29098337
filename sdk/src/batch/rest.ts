import type { RouterSystem } from "../router/system.ts";

/** A timer for longer than this is set anew: they are of 31 bits. */
const LONGEST_TIMER_MS = 3_600_000;

/** Waits of a loop that goes on when something happens, or when it is time. */
export class Rest {
  readonly #system: RouterSystem;
  #goOn = () => {};

  constructor(system: RouterSystem) {
    this.#system = system;
  }

  /** Something happened: whoever rests looks again. */
  wake(): void {
    this.#goOn();
  }

  /** Until `wake`, or then at the latest; may end sooner where that is far away. */
  until(atMs: number): Promise<void> {
    return new Promise((resolve) => {
      const leftMs = Math.min(LONGEST_TIMER_MS, Math.max(1, Math.ceil(atMs - this.#system.elapsed())));
      const isTimed = atMs !== Number.POSITIVE_INFINITY;
      const cancel = isTimed ? this.#system.setTimer(() => this.wake(), leftMs) : () => {};
      this.#goOn = () => {
        cancel();
        this.#goOn = () => {};
        resolve();
      };
    });
  }
}
