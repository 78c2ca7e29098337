import type { Classify } from "../observe/options.ts";
import type { Outcome } from "../outcome.ts";
import type { QueuedRun, WhenBusy } from "../queue/ticket.ts";
import type { Report } from "../report/report.ts";
import type { Health } from "./board.ts";
import type { OutputCheck } from "./output/output-check.ts";
import type { PlanDocument, PlanProblem } from "./plan/plan-document.ts";
import type { PlanSource } from "./sync/plan-source.ts";
import type { RouterSystem } from "./system.ts";

/** What may be called, as data: a published plan may add one of a provider that the code knows. */
export interface Target {
  /** Its name within the chain. */
  readonly id: string;
  /** Which call function serves it: a key of `providers`. */
  readonly provider: string;
  readonly model: string;
  /** Targets that are equally good to the caller, such as `flagship`, `standard`, `light`. By default its own id. */
  readonly tier?: string;
  /** Host or region. */
  readonly endpoint?: string;
  /** A label of the key or subscription that pays, never the key. Bad keys and quotas concern all targets of one. */
  readonly account?: string;
  /** Most own calls at once, whatever the limiter learns. */
  readonly maxConcurrency?: number;
  /** Your own limit at the provider, where it is known: calls are then paced below it. */
  readonly requestsPerMinute?: number;
  /** What an answer of it is worth against the chain's best, 0–1. By default from tier and place; see `defaultQuality`. */
  readonly quality?: number;
}

/** A fallback chain: targets in the order of preference. */
export interface Chain {
  /** Its name in reports and in plans. Default: `default`. */
  readonly name?: string;
  readonly targets: readonly Target[];
  /**
   * Id of the last link (else a tier): tried when all else is full. It is never avoided, and while every other target is
   * benched or broken its own failures do not bench it. By default the last target, without these privileges.
   */
  readonly floor?: string;
  readonly retry?: Partial<RetryPolicy>;
}

/** How often and how patiently one request is tried. */
export interface RetryPolicy {
  /** Attempts of one request, the first included. Default: 5. */
  readonly maxAttempts: number;
  /** Ceiling of the first wait before the same target is asked again; doubles each time. Default: 1,000 ms. */
  readonly baseMs: number;
  /** Highest ceiling. Default: 10,000 ms. */
  readonly capMs: number;
  /** All waiting of one request, for backoff, advised waits and room together. Default: 30,000 ms. */
  readonly totalWaitMs: number;
}

/** What a call function is told beside the input. */
export interface Call {
  readonly target: Target;
  readonly model: string;
  readonly endpoint: string | undefined;
  readonly account: string | undefined;
  /** Fires when the caller wants no more, and at the end of the attempt's time. Hand it to the client. */
  readonly signal: AbortSignal;
  /** Time that the attempt has, in milliseconds. */
  readonly timeoutMs: number;
  /** Number of the attempt within its request, from 1. */
  readonly attempt: number;
  /** Whether an async iterable is expected: `router.stream` is under way. */
  readonly isStream: boolean;
}

/** Calls one provider by whatever client, once: switch the client's own retries off. */
export type CallProvider<Input, Output> = (input: Input, call: Call) => Promise<Output> | Output;

/** Calls one provider and gives its answer piece by piece. */
export type StreamProvider<Input, Chunk> = (
  input: Input,
  call: Call,
) => Promise<AsyncIterable<Chunk>> | AsyncIterable<Chunk>;

/** One function for `run`, another for `stream` where both are used. */
export interface Provider<Input, Output, Chunk> {
  readonly run?: CallProvider<Input, Output>;
  readonly stream?: StreamProvider<Input, Chunk>;
}

export interface RouterOptions<Input, Output, Chunk = unknown> {
  /** A function per provider; a bare one serves `run`. */
  readonly providers: Readonly<Record<string, CallProvider<Input, Output> | Provider<Input, Output, Chunk>>>;
  readonly chain: Chain;
  /** A plan to begin with, or the server whose published plan is taken, now and whenever there is another one. */
  readonly plan?: PlanDocument | PlanSource;
  /** What a plan may not change, whatever it says. */
  readonly locked?: readonly PlanPart[];
  /** Last word of local code over a plan's chain: gives the chain to use, changed or not; what it throws refuses the plan. */
  readonly guardPlan?: (chain: Chain) => Chain;
  /** Hears what of a plan could not be read or used. Default: `console.warn`. */
  readonly onPlanProblem?: (problem: PlanProblem) => void;
  /** Time for one request where the call names none. Default: 60,000 ms. */
  readonly deadlineMs?: number;
  /** Records every attempt: a reporter's `report`. */
  readonly report?: Report;
  /** Name of the app or service on what is reported. */
  readonly source?: string;
  /** What is known of targets, to be shared by routers of one process. By default each router has its own. */
  readonly health?: Health;
  /** Names failures; `createClassifier(rules)` adds rules of your own. */
  readonly classify?: Classify;
  /** Whether a chunk is content: from then on a stream can no longer move to another target. Known formats by default. */
  readonly isContent?: (chunk: Chunk) => boolean;
  /** Clock, timers and randomness; for tests. */
  readonly system?: RouterSystem;
}

/** Parts of a chain that local code may keep from plans. */
export type PlanPart = "targets" | "floor" | "retry" | "schedule" | "avoid" | "maxConcurrency";

export interface RunOptions<Output, Value = Output> {
  /** Time for the whole request, in milliseconds. */
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
  /** What the answer must be: `json(schema)`, `text({ nonEmpty: true })` or a check of your own. */
  readonly output?: OutputCheck<Output, Value>;
  /** Begin at this tier or target id: what stands before it is left out. */
  readonly startAt?: string;
  /** Ids, tiers or providers to leave out. */
  readonly exclude?: readonly string[];
  /** Ask this target id only, whatever its health; it is still retried, and its advised waits kept. */
  readonly pin?: string;
  /** Id of the request in reports. Made when none is given. */
  readonly requestId?: string;
  /** Hears at what stage the request is, for `userMessage`. What it throws is swallowed. */
  readonly onStage?: (stage: Stage) => void;
}

/** What a person who waits may be told; see `userMessage`. */
export type Stage =
  /** The target that was asked failed; another one, or the same again, is next. */
  | { readonly kind: "switching"; readonly from: string }
  /** Nothing has room just now: the request stands in line, at most so long. */
  | { readonly kind: "queued"; readonly waitMs: number }
  /** A lesser target gave the answer. */
  | { readonly kind: "degraded"; readonly target: string }
  /** It failed; `afterMs` says when to come back, `null` that nobody knows. */
  | { readonly kind: "comeBack"; readonly afterMs: number | null }
  /** The answer broke off in the middle; asked anew, it may come whole. */
  | { readonly kind: "interrupted" }
  /** Whoever asked wants no answer any more. */
  | { readonly kind: "cancelled" }
  /** It failed, and waiting will not mend it. */
  | { readonly kind: "failed" };

/** One attempt, as its router saw it. */
export interface AttemptReport {
  /** From 1. */
  readonly attempt: number;
  /** Id of the target. */
  readonly target: string;
  readonly provider: string;
  readonly model: string;
  /** Place of the target in the chain as configured, from 0. */
  readonly position: number;
  readonly outcome: Outcome;
  /** Id of the rule that named a failure; `null` for a success and for what the router itself decided. */
  readonly rule: string | null;
  /** When it began: epoch milliseconds. */
  readonly startedAt: number;
  /** How long the request waited before it: for backoff, for an advised wait or for room. */
  readonly waitedMs: number;
  readonly latencyMs: number;
  /** The wait that the provider stated. */
  readonly retryAfterMs: number | null;
  /** HTTP status where one is known. */
  readonly status: number | null;
  /** Whether it was sent to find out whether a benched target is back. */
  readonly isProbe: boolean;
  /** What the provider said, scrubbed and cut; `null` for a success. */
  readonly message: string | null;
}

export interface RunResult<Value> {
  readonly value: Value;
  /** Which target served. */
  readonly target: Target;
  /** Whether it was another one than the first of the chain as it stood for this request. */
  readonly isDegraded: boolean;
  readonly attempts: readonly AttemptReport[];
  /** All waiting, in milliseconds. */
  readonly waitedMs: number;
  /** From the call of `run` to its end, in milliseconds. */
  readonly totalMs: number;
  /** Version of the plan in force; `null` for the chain in code. */
  readonly planVersion: number | null;
}

/** An answer that has begun. Iterate it once; leaving the loop early gives the target up as `cancelled`. */
export interface StreamResult<Chunk> extends AsyncIterable<Chunk> {
  readonly target: Target;
  readonly isDegraded: boolean;
  /** Attempts so far; the serving one is added when the stream ends. */
  readonly attempts: readonly AttemptReport[];
  readonly waitedMs: number;
  readonly planVersion: number | null;
}

/** State of a target in a word, best first. */
export type TargetState = "ready" | "busy" | "resting" | "unavailable";

/** A target for a person to choose from. */
export interface Choice {
  readonly target: Target;
  readonly state: TargetState;
  /** The state in words. */
  readonly words: string;
  /** Milliseconds until it may be asked again; `null` when it may be now or nobody knows. */
  readonly readyInMs: number | null;
}

/** Health of a target as it is reported to the server. */
export interface TargetHealth {
  readonly target: string;
  readonly state: TargetState;
  /** Expected success share of the next attempt, 0–1. */
  readonly score: number;
  readonly circuit: "closed" | "open" | "halfOpen";
  readonly inFlight: number;
  /** Own calls at once that the limiter allows now. */
  readonly limit: number;
  /** Until when it is held by an advised wait, a quota or a bad key: epoch milliseconds; `null` when it is not. */
  readonly heldUntil: number | null;
}

/** Sends requests to the best target that has room. */
export interface Router<Input, Output, Chunk = unknown> {
  /**
   * Asks the chain until a target answers as wanted.
   *
   * @throws {RouterError} with every attempt in it; nothing else
   */
  run(input: Input): Promise<RunResult<Output>>;
  /** With `whenBusy` work is put into a queue where all models are busy: the answer may be a ticket; see `isQueued`. */
  run<Value = Output>(
    input: Input,
    options: RunOptions<Output, Value> & WhenBusy,
  ): Promise<RunResult<Value> | QueuedRun>;
  run<Value = Output>(input: Input, options: RunOptions<Output, Value>): Promise<RunResult<Value>>;
  /**
   * The same, piece by piece. Resolves when the first content is here; until then a failure moves on to the next target,
   * after it the loop throws a `RouterError` of kind `interrupted` with what was delivered.
   *
   * @throws {RouterError}
   */
  stream(input: Input, options?: Omit<RunOptions<Chunk>, "output">): Promise<StreamResult<Chunk>>;
  /**
   * Takes a plan from now on; requests under way end by the one that they began with.
   *
   * @returns whether it was taken; what was wrong is told to `onPlanProblem`
   */
  applyPlan(document: unknown): boolean;
  /** Version of the plan in force; `null` for the chain in code. */
  readonly planVersion: number | null;
  /** The chain in force now, in the order of this hour. */
  readonly chain: Chain;
  /** All targets with their state in words, best first. */
  choices(locale?: string): Choice[];
  /** For the server, in the order of the chain. */
  health(): TargetHealth[];
  /** Asks the server for plans no more. Requests go on by the plan in force. */
  close(): Promise<void>;
}
