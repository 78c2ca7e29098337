const MINUTE_MS = 60_000;
const WINDOW_MS = 5 * MINUTE_MS;
const STEP_MS = 1_000;

/** How fast items are finished: a count per second of the last five minutes. */
export class Pace {
  readonly #startedMs: number;
  readonly #steps: { readonly step: number; count: number }[] = [];

  constructor(startedMs: number) {
    this.#startedMs = startedMs;
  }

  finished(nowMs: number): void {
    const step = Math.floor(nowMs / STEP_MS);
    const last = this.#steps.at(-1);
    if (last?.step === step) last.count++;
    else this.#steps.push({ step, count: 1 });
    while ((this.#steps[0]?.step ?? step) < step - WINDOW_MS / STEP_MS) this.#steps.shift();
  }

  /** Items a minute, over the last one. */
  perMinute(nowMs: number): number {
    return this.#perMs(nowMs, MINUTE_MS) * MINUTE_MS;
  }

  /** @returns `null` when nothing was finished lately */
  leftMs(items: number, nowMs: number): number | null {
    if (items === 0) return 0;
    const perMs = this.#perMs(nowMs, WINDOW_MS);
    return perMs === 0 ? null : items / perMs;
  }

  #perMs(nowMs: number, windowMs: number): number {
    const from = nowMs - windowMs;
    let count = 0;
    for (const { step, count: of } of this.#steps) if (step * STEP_MS > from - STEP_MS) count += of;
    return count / Math.max(STEP_MS, Math.min(windowMs, nowMs - this.#startedMs));
  }
}
