import type { Classification, Failure } from "../classify/classification.ts";
import type { Report } from "../report/report.ts";

export type Classify = (failure: Failure) => Classification;

export interface ObserveOptions {
  /** Where events go: a reporter's `report`. What it throws is swallowed. */
  readonly report: Report;
  /** Names failures. The built-in rules by default; give your own to add to them. */
  readonly classify?: Classify;
  /** Name of the app or service, on every event. */
  readonly source?: string;
  /** A label of the key or subscription that pays, never the key. */
  readonly account?: string;
  /** Name of the fallback chain that the calls belong to. */
  readonly chain?: string;
  /** Name of the provider behind an address that is not well known. By default the one whose manner it speaks. */
  readonly provider?: string | ((url: URL) => string | undefined);
  /** The client's own time limit in milliseconds, where its requests do not carry it: tells it from a caller's abort. */
  readonly timeoutMs?: number;
  /** Clocks, timers and randomness; for tests. */
  readonly system?: ObserveSystem;
}

export interface ObserveSystem {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds of a clock that only goes forward. */
  elapsed(): number;
  /** Calls back once, unless the returned function is called before. A pending timer keeps no process alive. */
  setTimer(callback: () => void, delayMs: number): () => void;
  fillRandom(bytes: Uint8Array): void;
}
