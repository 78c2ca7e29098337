import type { CancelTimer, RouterSystem } from "./system.ts";

/** What is over at a time, unless it ends before. */
export abstract class Deadline {
  atMs = 0;
  before: Deadline | null = null;
  after: Deadline | null = null;
  isSet = false;

  /** The time has come. */
  abstract over(): void;
}

/**
 * The ends of the time of all attempts under way. One timer serves them all and stays when they end in time: to set and
 * clear one for each attempt costs more than everything else that is done for it.
 */
export class Deadlines {
  readonly #system: Pick<RouterSystem, "elapsed" | "setTimer">;
  readonly #ring = (): void => this.#fire();
  #first: Deadline | null = null;
  #cancel: CancelTimer | null = null;
  #timerAt = Number.POSITIVE_INFINITY;

  constructor(system: Pick<RouterSystem, "elapsed" | "setTimer">) {
    this.#system = system;
  }

  set(deadline: Deadline, nowMs: number, afterMs: number): void {
    deadline.atMs = nowMs + afterMs;
    deadline.isSet = true;
    deadline.after = this.#first;
    if (this.#first === null) this.#cancel?.keepAlive?.(true);
    else this.#first.before = deadline;
    this.#first = deadline;
    if (deadline.atMs < this.#timerAt) this.#arm(deadline.atMs, nowMs);
  }

  clear(deadline: Deadline): void {
    if (!deadline.isSet) return;
    deadline.isSet = false;
    const { before, after } = deadline;
    if (before === null) this.#first = after;
    else before.after = after;
    if (after !== null) after.before = before;
    deadline.before = deadline.after = null;
    if (this.#first === null) this.#rest();
  }

  /** Nothing is under way: the timer keeps no process alive, or is no more. */
  #rest(): void {
    if (this.#cancel?.keepAlive !== undefined) this.#cancel.keepAlive(false);
    else this.#disarm();
  }

  #disarm(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#timerAt = Number.POSITIVE_INFINITY;
  }

  #arm(atMs: number, nowMs: number): void {
    this.#disarm();
    this.#timerAt = atMs;
    this.#cancel = this.#system.setTimer(this.#ring, Math.max(0, atMs - nowMs));
  }

  #fire(): void {
    this.#cancel = null;
    this.#timerAt = Number.POSITIVE_INFINITY;
    const nowMs = this.#system.elapsed();
    const due: Deadline[] = [];
    let nextAt = Number.POSITIVE_INFINITY;
    for (let one = this.#first; one !== null; one = one.after) {
      if (one.atMs <= nowMs) due.push(one);
      else nextAt = Math.min(nextAt, one.atMs);
    }
    // Timers of the platform may ring a moment early: never at once again.
    if (nextAt !== Number.POSITIVE_INFINITY) this.#arm(Math.max(nextAt, nowMs + 1), nowMs);
    // In the order in which they were set.
    for (const one of due.reverse()) {
      if (!one.isSet) continue;
      this.clear(one);
      one.over();
    }
  }
}
