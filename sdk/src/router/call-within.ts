import { Deadline, type Deadlines } from "./deadlines.ts";

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

/** A leash with what pulls it. */
export interface Bound extends Leash {
  readonly deadlines: Deadlines;
  readonly callerSignal: AbortSignal | undefined;
}

/** A call that did not answer. */
export type CallFailure = Exclude<CallEnd<never>, { kind: "answered" }>;

/** Makes something of how a call ended. */
export interface Judge<Of, T, End> {
  answered(of: Of, value: T): End | Promise<End>;
  failed(of: Of, end: CallFailure): End | Promise<End>;
}

/**
 * A call under way: what it returns, the end of its time or the caller's signal, whichever comes first, goes to the
 * judge, once. A call that does not listen to its signal is left alone: what it says later is not heard. One object
 * instead of a handful of closures and promises, since this is made for each attempt.
 */
export class Race<Of extends Bound, T, End> extends Deadline {
  readonly #of: Of;
  readonly #judge: Judge<Of, T, End>;
  #resolve: ((end: End | Promise<End>) => void) | null;
  #timeoutMs = 0;

  constructor(of: Of, judge: Judge<Of, T, End>, resolve: (end: End | Promise<End>) => void) {
    super();
    this.#of = of;
    this.#judge = judge;
    this.#resolve = resolve;
  }

  start(nowMs: number, timeoutMs: number): void {
    this.#timeoutMs = timeoutMs;
    this.#of.deadlines.set(this, nowMs, timeoutMs);
    this.#of.callerSignal?.addEventListener("abort", this);
  }

  /** Follows what the call returned. */
  follow(answer: Promise<T> | T): void {
    if (isPromise(answer)) {
      answer.then(
        (value) => this.#answered(value),
        (error: unknown) => this.threw(error),
      );
    } else this.#answered(answer);
  }

  threw(error: unknown): void {
    this.#end({ kind: "threw", error });
  }

  override over(): void {
    this.#end({ kind: "timedOut" }, timeoutReason(this.#timeoutMs));
  }

  /** The caller's signal fired. */
  handleEvent(): void {
    const reason: unknown = this.#of.callerSignal?.reason;
    this.#end({ kind: "aborted", reason }, reason);
  }

  #answered(value: T): void {
    const resolve = this.#close();
    if (resolve === null) return;
    try {
      resolve(this.#judge.answered(this.#of, value));
    } catch (error) {
      resolve(Promise.reject(error));
    }
  }

  /** @param reason for which a call that goes on is told to stop */
  #end(end: CallFailure, reason?: unknown): void {
    const resolve = this.#close();
    if (resolve === null) return;
    // What the client makes of the signal is not heard any more, and what follows finds the call stopped.
    if (end.kind !== "threw") this.#of.pull(reason);
    try {
      resolve(this.#judge.failed(this.#of, end));
    } catch (error) {
      resolve(Promise.reject(error));
    }
  }

  /** @returns `null` when it is over already */
  #close() {
    const resolve = this.#resolve;
    if (resolve === null) return null;
    this.#resolve = null;
    this.#of.deadlines.clear(this);
    this.#of.callerSignal?.removeEventListener("abort", this);
    return resolve;
  }
}

/** What bounds a call by itself. */
export interface Bounds {
  readonly deadlines: Deadlines;
  readonly nowMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

class OwnBound extends Leash implements Bound {
  readonly deadlines: Deadlines;
  readonly callerSignal: AbortSignal;

  constructor({ deadlines, signal }: Bounds) {
    super();
    this.deadlines = deadlines;
    this.callerSignal = signal;
  }
}

const asItEnded: Judge<OwnBound, unknown, CallEnd<unknown>> = {
  answered: (_, value) => ({ kind: "answered", value }),
  failed: (_, end) => end,
};

/** The same for a call by itself, of which one wants to know how it ended. Never rejects. */
export function callWithin<T>(run: (leash: Leash) => Promise<T> | T, bounds: Bounds): Promise<CallEnd<T>> {
  return new Promise((resolve) => {
    const bound = new OwnBound(bounds);
    const race = new Race(bound, asItEnded as Judge<OwnBound, T, CallEnd<T>>, resolve);
    race.start(bounds.nowMs, bounds.timeoutMs);
    try {
      race.follow(run(bound));
    } catch (error) {
      race.threw(error);
    }
  });
}

function isPromise<T>(value: Promise<T> | T): value is Promise<T> {
  return typeof (value as { then?: unknown } | null)?.then === "function";
}
