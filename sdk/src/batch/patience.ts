import type { Outcome } from "../outcome.ts";
import { BatchError } from "./batch-error.ts";

/** As long as nothing went well since the start, nobody at that address is no lack of patience. */
const NOBODY_THERE_MS = 120_000;

interface Limits {
  readonly patienceMs: number;
  readonly maxFailuresInARow: number;
}

/** Notices when to go on is of no use, whatever each failure by itself may mean. */
export class Patience {
  readonly #limits: Limits;
  #lastSuccessMs: number;
  #failuresInARow = 0;
  /** How many items went well. */
  successes = 0;

  constructor(limits: Limits, nowMs: number) {
    this.#limits = limits;
    this.#lastSuccessMs = nowMs;
  }

  success(nowMs: number): void {
    this.successes++;
    this.#failuresInARow = 0;
    this.#lastSuccessMs = nowMs;
  }

  /** An item has failed for good. @returns why to end, or `null` */
  itemFailed(outcome: Outcome, message: string): BatchError | null {
    this.#failuresInARow++;
    if (this.#failuresInARow < this.#limits.maxFailuresInARow) return null;
    const said = `${this.#failuresInARow} items in a row failed; the last one: ${outcome}, ${message}`;
    return new BatchError("failing", said, { outcome });
  }

  /** A try failed, and nobody said how long to wait. @returns why to end, or `null` */
  tryFailed(outcome: Outcome, message: string, nowMs: number): BatchError | null {
    const sinceMs = nowMs - this.#lastSuccessMs;
    const isNobodyThere = outcome === "network" && this.successes === 0 && sinceMs > NOBODY_THERE_MS;
    if (sinceMs <= this.#limits.patienceMs && !isNobodyThere) return null;
    const minutes = Math.round(sinceMs / 60_000);
    const said = `Nothing went well for ${minutes} minutes; the last failure: ${outcome}, ${message}`;
    return new BatchError("gave_up", said, { outcome });
  }
}
