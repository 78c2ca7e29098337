import type { AttemptEvent } from "../attempt-event.ts";
import type { Classification, Failure } from "../classify/classification.ts";
import { scrubText } from "../evidence/scrub.ts";
import type { Outcome } from "../outcome.ts";
import type { Report } from "../report/report.ts";
import type { MakeUuidV7 } from "../report/uuid-v7.ts";
import { withoutEchoes } from "./echo.ts";
import { describeError } from "./error-body.ts";
import type { InFlight } from "./in-flight.ts";
import type { Classify, ObserveSystem } from "./options.ts";
import {
  type Place,
  type RequestMark,
  type RetryGroups,
  repetitionWaitMs,
  type Waiting,
} from "./retry-groups.ts";
import type { BodyFacts } from "./sse.ts";
import type { Target } from "./target.ts";

export interface RecorderParts {
  readonly classify: Classify;
  readonly groups: RetryGroups;
  readonly inFlight: InFlight;
  readonly labels: Partial<AttemptEvent>;
  readonly makeId: MakeUuidV7;
  readonly report: Report;
  readonly system: ObserveSystem;
}

/** How an attempt ended. Without a failure it went well. */
export interface AttemptEnd {
  readonly status?: number | undefined;
  readonly failure?: Failure;
  /** When the caller or our own check knows better than any rule. */
  readonly outcome?: Outcome;
  readonly facts?: BodyFacts;
  readonly isStream?: boolean;
  /** Whether the client may send the same again by itself; by default, what is known of clients decides. */
  readonly mayRepeat?: boolean;
}

type Named = Pick<Classification, "outcome" | "retryAfterMs" | "retryable">;

/** A request that takes longer than this to be over is taken to be. */
const LONGEST_SCOPE_MS = 600_000;

/** Statuses after which clients repeat a call, whatever the reason is. */
const REPEATED = new Set([408, 409, 425, 429]);
const isRepeated = (status: number) => REPEATED.has(status) || status >= 500;

/** One call to one target under way. It ends once; what is said of it afterwards is not heard. */
export class Attempt {
  readonly #parts: RecorderParts;
  readonly #target: Target;
  readonly #mark: RequestMark;
  readonly #place: Place;
  /** The request's id where somebody will say when it is over, so that any failure may be followed by another attempt. */
  readonly #scopeId: string | null;
  readonly #startedMs: number;
  readonly #startedAt: number;
  readonly #inFlight: number;
  #eventId: string | null = null;
  #waiting: Waiting | null = null;
  #isEnded = false;

  constructor(target: Target, mark: RequestMark, place: Place, scopeId: string | null, parts: RecorderParts) {
    this.#parts = parts;
    this.#target = target;
    this.#mark = mark;
    this.#place = place;
    this.#scopeId = scopeId;
    this.#startedMs = parts.system.now();
    this.#startedAt = parts.system.elapsed();
    this.#inFlight = parts.inFlight.enter(target.key);
  }

  /** Milliseconds since it began. */
  get ageMs(): number {
    return this.#parts.system.elapsed() - this.#startedAt;
  }

  /** The client's limit in time, as far as it has shown itself. */
  get limitMs(): number | null {
    return this.#place.limitMs;
  }

  /** Made when it is first needed: most of the time that an attempt takes, nobody asks. */
  get #id(): string {
    this.#eventId ??= this.#parts.makeId(this.#startedMs);
    return this.#eventId;
  }

  get #requestId(): string {
    return this.#scopeId ?? this.#place.requestId ?? this.#id;
  }

  /** On the clock by which facts about a body are timed. */
  now(): number {
    return this.#parts.system.elapsed();
  }

  /** It has failed, although why is still to be read: a repetition that begins from now on is one of this. */
  expectRepetition(): void {
    if (this.#waiting !== null) return;
    if (this.#isMarked)
      this.#waiting = this.#parts.groups.expect(this.#mark, this.#requestId, this.#place.attempt);
  }

  /** Without any mark two requests to the same address look like one. */
  get #isMarked(): boolean {
    return this.#mark.body !== null || this.#mark.requestKey !== null;
  }

  end(end: AttemptEnd): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#parts.inFlight.leave(this.#target.key);
    const { failure } = end;
    const named = failure === undefined ? null : this.#name(failure);
    const outcome = end.outcome ?? named?.outcome ?? "ok";
    const event = this.#makeEvent(end, outcome, named?.retryAfterMs ?? null);
    const waitMs = this.#waitMs(end, outcome, named);
    if (waitMs === 0 && this.#waiting === null) this.#report(event);
    else this.#hold(event, waitMs);
  }

  /** For how long another attempt at the same request may follow; 0 when none can. */
  #waitMs({ mayRepeat, status }: AttemptEnd, outcome: Outcome, named: Named | null): number {
    if (outcome === "ok") return 0;
    if (this.#scopeId !== null) return LONGEST_SCOPE_MS;
    const usually =
      outcome !== "cancelled" && (named?.retryable === true || status === undefined || isRepeated(status));
    return (mayRepeat ?? usually) ? repetitionWaitMs(this.#place.attempt, named?.retryAfterMs ?? null) : 0;
  }

  #report(event: AttemptEvent): void {
    event.isFinal = true;
    this.#parts.report(event);
  }

  #hold(event: AttemptEvent, waitMs: number): void {
    this.expectRepetition();
    if (this.#waiting === null) this.#report(event);
    else this.#parts.groups.settle(this.#waiting, event, waitMs);
  }

  #name(failure: Failure): Named {
    const { provider, model } = this.#target;
    try {
      return this.#parts.classify({
        ...failure,
        provider,
        ...(model === null ? {} : { model }),
        nowMs: this.#parts.system.now(),
      });
    } catch {
      return { outcome: "unknown", retryAfterMs: null, retryable: false };
    }
  }

  #makeEvent(end: AttemptEnd, outcome: Outcome, retryAfterMs: number | null): AttemptEvent {
    const { provider, model, endpoint } = this.#target;
    const facts = end.facts ?? {};
    const event: AttemptEvent = {
      eventId: this.#id,
      occurredAt: this.#startedMs,
      provider,
      model: model ?? facts.servedModel ?? "unknown",
      outcome,
      latencyMs: Math.round(this.ageMs),
      requestId: this.#requestId,
      attempt: this.#place.attempt,
      inFlight: this.#inFlight,
      ...this.#parts.labels,
    };
    if (endpoint !== null) event.endpoint = endpoint;
    if (end.status !== undefined) event.httpStatus = end.status;
    if (facts.firstTokenAt !== undefined)
      event.firstTokenMs = Math.round(facts.firstTokenAt - this.#startedAt);
    if (facts.inputTokens !== undefined) event.inputTokens = facts.inputTokens;
    if (facts.outputTokens !== undefined) event.outputTokens = facts.outputTokens;
    if (facts.servedModel !== undefined) event.servedModel = facts.servedModel;
    if (end.isStream !== undefined) event.isStream = end.isStream;
    if (retryAfterMs !== null) event.retryAfterMs = retryAfterMs;
    const error = outcome === "ok" ? undefined : this.#describe(end.failure);
    if (error !== undefined) event.error = error;
    return event;
  }

  #describe(failure: Failure | undefined): AttemptEvent["error"] {
    const error = describeError(failure?.body, failure?.exception);
    if (error?.message === undefined) return error;
    const message = withoutEchoes(error.message, this.#mark.body, this.#target.model);
    return { ...error, message: scrubText(message) };
  }
}
