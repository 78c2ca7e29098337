/** Counts own calls under way by target. */
export class InFlight {
  readonly #counts = new Map<string, number>();

  /** One more. @returns how many were under way before it */
  enter(key: string): number {
    const before = this.#counts.get(key) ?? 0;
    this.#counts.set(key, before + 1);
    return before;
  }

  leave(key: string): void {
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
  }
}
