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
  return new Promise((resolve) => {
    const abort = () => end({ kind: "aborted", reason: signal?.reason }, signal?.reason);
    const cancelTimer = system.setTimer(() => end({ kind: "timedOut" }, timeoutReason(timeoutMs)), timeoutMs);
    signal?.addEventListener("abort", abort);
    function end(how: CallEnd<T>, reason?: unknown): void {
      cancelTimer();
      signal?.removeEventListener("abort", abort);
      // First the verdict, then the signal: a client that throws at once must not be heard first.
      resolve(how);
      if (reason !== undefined) leash.pull(reason);
    }
    try {
      const answer = run();
      if (isPromise(answer)) {
        answer.then(
          (value) => end({ kind: "answered", value }),
          (error: unknown) => end({ kind: "threw", error }),
        );
      } else end({ kind: "answered", value: answer });
    } catch (error) {
      end({ kind: "threw", error });
    }
  });
}

function isPromise<T>(value: Promise<T> | T): value is Promise<T> {
  return typeof (value as { then?: unknown } | null)?.then === "function";
}
