import type { RouterError } from "../router/router-error.ts";
import type { QueueServer } from "./types.ts";

/** For `router.run`: what becomes of a request for which all models are busy. */
export interface WhenBusy {
  /** It is put into a queue, and a ticket is the answer. */
  readonly whenBusy: "queue";
  readonly job: TicketJob;
}

/** What the queue is given of a request: of what it is made, nothing by itself. See docs/queue.md#a-job. */
export interface TicketJob {
  /** By which the worker finds its work, up to 500 characters. This or `payload` must be there. */
  readonly reference?: string | undefined;
  /** JSON of up to 256 kB, for projects that store payloads. */
  readonly payload?: unknown;
  /** Idempotency key, up to 200 characters: a job of the same key is put there once. Default: one of its own. */
  readonly key?: string | undefined;
  /** Default: `default`. */
  readonly queue?: string | undefined;
  /** Default: `now`, which is as soon as workers find room. */
  readonly when?: "now" | "offPeak" | (string & {}) | Date | undefined;
  readonly notAfter?: string | Date | undefined;
  readonly expectedMs?: number | undefined;
  readonly submitter?: string | undefined;
  readonly priority?: "high" | "normal" | "low" | undefined;
  readonly maxAttempts?: number | undefined;
  readonly notify?: number | undefined;
  /** Whom it will call. Default: the router's chain. */
  readonly target?:
    | { readonly provider: string; readonly model: string; readonly endpoint?: string }
    | undefined;
  /** Where the queue is. Default: the server that the router has its plan from. */
  readonly server?: QueueServer | undefined;
}

/** A job that was put into a queue: look it up by `GET /v1/jobs/:id`. */
export interface Ticket {
  readonly id: number;
  readonly key: string;
  readonly queue: string;
  /** `false`: a job of this key was there already. */
  readonly isNew: boolean;
}

/** What a request came to that found no room. */
export interface QueuedRun {
  readonly ticket: Ticket;
  /** What would have been thrown: every attempt is in it. */
  readonly error: RouterError;
}

/** Whether a request was put into a queue instead of being answered. */
export function isQueued<Result extends object>(answer: Result | QueuedRun): answer is QueuedRun {
  return "ticket" in answer;
}
