import type { ObserveSystem } from "./options.ts";

/** For how long a body is left alone before its attempt is told of as it stands. */
const PATIENCE_MS = 600_000;
const SWEEP_MS = 60_000;

/** A body that may never be read to its end. */
export interface IdleBody {
  /** When it was last read from. */
  readonly lastAt: number;
  giveUp(): void;
}

/** Finds bodies that their callers have forgotten: an attempt must not be under way for ever. */
export class IdleBodies {
  readonly #bodies = new Set<IdleBody>();
  readonly #system: Pick<ObserveSystem, "elapsed" | "setTimer">;
  #isArmed = false;

  constructor(system: Pick<ObserveSystem, "elapsed" | "setTimer">) {
    this.#system = system;
  }

  add(body: IdleBody): void {
    this.#bodies.add(body);
    if (!this.#isArmed) this.#arm();
  }

  delete(body: IdleBody): void {
    this.#bodies.delete(body);
  }

  #arm(): void {
    this.#isArmed = true;
    this.#system.setTimer(() => {
      this.#isArmed = false;
      const longAgo = this.#system.elapsed() - PATIENCE_MS;
      for (const body of [...this.#bodies]) if (body.lastAt <= longAgo) body.giveUp();
      if (this.#bodies.size > 0) this.#arm();
    }, SWEEP_MS);
  }
}
