import type { RouterSystem } from "./system.ts";

/** How a call ended. */
export type CallEnd<T> =
  | { readonly kind: "answered"; readonly value: T }
  | { readonly kind: "threw"; readonly error: unknown }
  | { readonly kind: "timedOut" }
  | { readonly kind: "aborted"; readonly reason: unknown };

/**
 * A signal that fires with the caller's or at the end of the time. The platform's own is made when somebody looks at it:
 * that costs more than everything else that is done for an attempt.
 */
export class Leash {
  #controller: AbortController | null = null;
  #reason: { readonly value: unknown } | null = null;

  get signal(): AbortSignal {
    if (this.#controller === null) {
      this.#controller = new AbortController();
      if (this.#reason !== null) this.#controller.abort(this.#reason.value);
    }
    return this.#controller.signal;
  }

  pull(reason: unknown): void {
    if (this.#reason !== null) return;
    this.#reason = { value: reason };
    this.#controller?.abort(reason);
  }
}

/** The reason of a signal that fired because the time was over, as `AbortSignal.timeout` gives it. */
export function timeoutReason(timeoutMs: number): DOMException {
  return new DOMException(`No answer within ${Math.round(timeoutMs)} ms`, "TimeoutError");
}

/**
 * Waits for what `run` returns, for the end of the time, or for the caller's signal, whichever comes first. A call that
 * does not listen to its signal is left alone: what it says later is not heard. Never rejects.
 */
export function callWithin<T>(
  run: () => Promise<T> | T,
  leash: Leash,
  timeoutMs: number,
  signal: AbortSignal | undefined,
  system: Pick<RouterSystem, "setTimer">,
): Promise<CallEnd<T>> {
  return new Promise((resolve) => new Race(resolve, leash, timeoutMs, signal).start(run, system));
}

/** One object instead of a handful of closures: this is made for each attempt. */
class Race<T> {
  readonly #resolve: (end: CallEnd<T>) => void;
  readonly #leash: Leash;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  #cancelTimer: (() => void) | null = null;

  constructor(
    resolve: (end: CallEnd<T>) => void,
    leash: Leash,
    timeoutMs: number,
    signal: AbortSignal | undefined,
  ) {
    this.#resolve = resolve;
    this.#leash = leash;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
  }

  start(run: () => Promise<T> | T, system: Pick<RouterSystem, "setTimer">): void {
    this.#cancelTimer = system.setTimer(() => {
      this.#end({ kind: "timedOut" });
      this.#leash.pull(timeoutReason(this.#timeoutMs));
    }, this.#timeoutMs);
    this.#signal?.addEventListener("abort", this);
    try {
      const answer = run();
      if (isPromise(answer)) {
        answer.then(
          (value) => this.#end({ kind: "answered", value }),
          (error: unknown) => this.#end({ kind: "threw", error }),
        );
      } else this.#end({ kind: "answered", value: answer });
    } catch (error) {
      this.#end({ kind: "threw", error });
    }
  }

  /** The caller's signal fired. */
  handleEvent(): void {
    const reason: unknown = this.#signal?.reason;
    // First the verdict, then the signal: a client that throws at once must not be heard first.
    this.#end({ kind: "aborted", reason });
    this.#leash.pull(reason);
  }

  #end(end: CallEnd<T>): void {
    this.#cancelTimer?.();
    this.#signal?.removeEventListener("abort", this);
    this.#resolve(end);
  }
}

function isPromise<T>(value: Promise<T> | T): value is Promise<T> {
  return typeof (value as { then?: unknown } | null)?.then === "function";
}
