import type { Classify } from "../observe/options.ts";
import type { Outcome } from "../outcome.ts";
import type { RouterSystem } from "../router/system.ts";
import type { TargetHealth } from "../router/types.ts";

/** A job as its worker gets it. */
export interface QueueJob<Payload = unknown> {
  readonly id: number;
  readonly queue: string;
  readonly submitter: string;
  /** The same at every attempt: hand it to what must not happen twice. */
  readonly idempotencyKey: string;
  /** By which its work is found; `null`: none was given. */
  readonly reference: string | null;
  /** As it was submitted; `undefined`: none was. */
  readonly payload: Payload;
  readonly target: {
    readonly provider: string;
    readonly model: string;
    readonly endpoint: string | null;
  } | null;
  readonly chain: string | null;
  /** 1 for the first. Attempts that found no room are among them. */
  readonly attempt: number;
  /** How many attempts failed before, of `maxAttempts`. */
  readonly failures: number;
  readonly maxAttempts: number;
  /** ISO 8601; `null`: any time will do. */
  readonly notAfter: string | null;
  readonly expectedMs: number;
  /** It runs because its latest time comes, whatever the hour. */
  readonly isDue: boolean;
  readonly submittedAt: string;
}

/** What a handler is told beside the job. */
export interface JobCall {
  /**
   * Fires when the work is nobody's any more: the lease is lost, the job was cancelled, its time is over, or the worker
   * stops and its time of grace has passed. Hand it to the client.
   */
  readonly signal: AbortSignal;
}

/** Where the outcome is to be found; the outcome itself is not kept by the queue. */
export interface JobResult {
  /** Up to 500 characters. */
  readonly reference?: string | undefined;
  /** A line for people, up to 1,000 characters. */
  readonly summary?: string | undefined;
}

/**
 * Does one job. It may run again after it was done: when its process dies before that is noted, or loses the network for
 * longer than the lease. What it throws is named by `classify`; a `JobError` says by itself what it means.
 */
export type HandleJob<Payload> = (
  job: QueueJob<Payload>,
  call: JobCall,
  // biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing is the usual one
) => Promise<JobResult | undefined | void> | JobResult | undefined | void;

/** The server that keeps the queue. */
export interface QueueServer {
  /** Address of the Busyhour server, such as `https://busyhour.example.com`; it may end in a path. */
  readonly url: string;
  /** A key of kind `ingest`, or of the scopes that are needed: `work` to work, `jobs` to submit. */
  readonly key: string;
  /** Asks instead of the runtime's own means. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface WorkOptions extends Partial<QueueServer> {
  /**
   * A router that the handler asks: no job is begun while none of its targets has room. One with a plan from a server
   * says with that where the queue is: `url` and `key` may be left out.
   */
  readonly router?: { health(): readonly TargetHealth[] } | undefined;
  /** Name of the worker in the lives of its jobs, up to 100 characters. Default: one of its own. */
  readonly name?: string | undefined;
  /** Most jobs under way at once. Default: 256. How many there are is learnt, from 3. */
  readonly concurrency?: number | undefined;
  /** So long after the death of a worker its jobs are others', in milliseconds, 5,000–600,000. Default: 60,000. */
  readonly leaseMs?: number | undefined;
  /** Time of one attempt, in milliseconds. Default: 600,000. */
  readonly timeoutMs?: number | undefined;
  /** How long what is under way may take after `stop`, in milliseconds. Default: 30,000. */
  readonly graceMs?: number | undefined;
  /** Fires to stop. */
  readonly signal?: AbortSignal | undefined;
  /** Hears what keeps work from being done. Default: `console.warn`, each kind once. What it throws is swallowed. */
  readonly onProblem?: ((problem: WorkProblem) => void) | undefined;
  /** Hears how far it is, at each change. What it throws is swallowed. */
  readonly onProgress?: ((stats: WorkStats) => void) | undefined;
  /** Names failures; `createClassifier(rules)` adds rules of your own. */
  readonly classify?: Classify | undefined;
  /** Who is asked, for `classify`; of a job with a target its own. */
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  /** Clock, timers and randomness; for tests. */
  readonly system?: RouterSystem | undefined;
}

/** Something that keeps work from being done. */
export interface WorkProblem {
  /**
   * `unreachable`: the server does not answer. `unauthorized`: it does not take the key. `not_busyhour`: something else
   * answers. `refused`: it does not take what is said of a job. `job`: an attempt failed.
   */
  readonly code: "unreachable" | "unauthorized" | "not_busyhour" | "refused" | "job";
  /** What happened, for people. */
  readonly message: string;
  /** The job that it is about; `null`: none. */
  readonly job: number | null;
}

export interface WorkStats {
  readonly completed: number;
  /** Attempts that count against their job. */
  readonly failed: number;
  /** Attempts that found no room, or what may be everybody's trouble: put back. */
  readonly busy: number;
  /** Jobs that were given back since the worker stops. */
  readonly stopped: number;
  readonly cancelled: number;
  /** Leases that were lost. */
  readonly lost: number;
  readonly inFlight: number;
  /** How many may be under way at once, as learnt until now. */
  readonly concurrency: number;
  /** Why nothing is begun just now, and until when (epoch milliseconds; `null`: nobody knows). */
  readonly waiting: { readonly why: WorkWaiting; readonly until: number | null } | null;
}

/** An outcome: a pause after it. */
export type WorkWaiting = Outcome | "stopping" | "noJobs" | "noRoom" | "noServer";

/** A worker at work. */
export interface QueueWorker {
  readonly name: string;
  stats(): WorkStats;
  /**
   * Takes no more jobs, gives back those that it has not begun, and lets those under way finish within the time of grace.
   * Resolves when all of that is told to the server, or the time is over; asked again, it is the same.
   */
  stop(): Promise<WorkStats>;
  /** Resolves when it has stopped, for whatever reason; never rejects. */
  readonly done: Promise<WorkStats>;
}
