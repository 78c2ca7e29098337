import type { Classification } from "../classify/classification.ts";
import { OUTCOME_TRAITS, type Outcome } from "../outcome.ts";
import type { RequestLog } from "./attempt-log.ts";
import type { Board, Turn } from "./board.ts";
import type { Link } from "./course.ts";
import { failureOf } from "./failure.ts";
import type { Journey } from "./journey.ts";
import { getBackoffMs, TRANSIENT_BASE_RATIO } from "./parts/backoff.ts";
import { EARN_PER_REQUEST, EARN_PER_SUCCESS } from "./parts/retry-budget.ts";
import type { RouterError } from "./router-error.ts";
import type { Stage } from "./types.ts";

/** How one attempt ended that brought no answer, or none that fits. */
export interface AttemptFailure {
  readonly outcome: Exclude<Outcome, "ok">;
  /** `null` where the router itself decided. */
  readonly named: Classification | null;
  readonly error: unknown;
}

/** What differs between `run` and `stream`. */
export interface Walker<T> {
  /** Makes the attempt, gives its slot back, writes it into the journey, and tells how it ended. */
  attempt<Result>(turn: Turn, waitedMs: number, walk: WalkOn<T, Result>): Promise<Result>;
}

/** What follows an attempt. */
export interface WalkOn<T, Result> {
  answered(value: T): Result;
  /** @throws {RouterError} when nothing follows */
  failed(end: AttemptFailure): Promise<Result>;
}

/** What belongs to one request. */
export interface Request {
  readonly journey: Journey;
  readonly board: Board;
  readonly log: RequestLog;
  readonly signal: AbortSignal | undefined;
  readonly tell: (stage: Stage) => void;
}

/** Makes what the caller gets out of an answer and who gave it. */
export type Finish<R, T, Result> = (request: R, value: T, link: Link) => Result;

/**
 * The walk along a chain: a turn at the best target that has room, an attempt, and on to the next, until one answers, the
 * patience or the budget is over, or nothing would help. The promise of the attempt is the caller's: one that is
 * answered at once, as most are, needs no other.
 *
 * @throws {RouterError} at once, or by the promise
 */
export function walk<R extends Request, T, Result>(
  request: R,
  walker: Walker<T>,
  finish: Finish<R, T, Result>,
): Promise<Result> {
  request.board.budget.earn(EARN_PER_REQUEST);
  return new Walk(request, walker, finish).next(request.journey.startedMs, undefined);
}

class Walk<R extends Request, T, Result> implements WalkOn<T, Result> {
  readonly #request: R;
  readonly #walker: Walker<T>;
  readonly #finish: Finish<R, T, Result>;
  #link: Link | null = null;

  constructor(request: R, walker: Walker<T>, finish: Finish<R, T, Result>) {
    this.#request = request;
    this.#walker = walker;
    this.#finish = finish;
  }

  /** @param cause what the last attempt failed of */
  next(nowMs: number, cause: unknown): Promise<Result> {
    const { journey, board, signal } = this.#request;
    if (signal?.aborted) throw fail(this.#request, signal.reason, true);
    board.line.move();
    const turn = takeTurn(journey, board, nowMs);
    return turn === null ? this.#wait(nowMs, cause) : this.#attempt(turn, 0);
  }

  async #wait(fromMs: number, cause: unknown): Promise<Result> {
    const { board, signal } = this.#request;
    const turn = await waitForTurn(this.#request);
    if (turn === null)
      throw signal?.aborted ? fail(this.#request, signal.reason, true) : fail(this.#request, cause);
    return this.#attempt(turn, board.system.elapsed() - fromMs);
  }

  #attempt(turn: Turn, waitedMs: number): Promise<Result> {
    this.#link = turn.link;
    return this.#walker.attempt(turn, waitedMs, this);
  }

  answered(value: T): Result {
    const { board } = this.#request;
    board.budget.earn(EARN_PER_SUCCESS);
    board.line.move();
    return this.#finish(this.#request, value, this.#asked());
  }

  failed({ outcome, named, error }: AttemptFailure): Promise<Result> {
    const { journey, board, tell } = this.#request;
    const link = this.#asked();
    learn(journey, board, link, outcome, named);
    board.line.move();
    if (outcome === "cancelled") throw fail(this.#request, error, true);
    const isLast = journey.attempts.length >= journey.course.retry.maxAttempts;
    if (isLast || journey.isExhausted) throw fail(this.#request, error);
    tell({ kind: "switching", from: link.target.id });
    return this.next(board.system.elapsed(), error);
  }

  #asked(): Link {
    if (this.#link === null) throw new TypeError("no attempt is under way");
    return this.#link;
  }
}

/** No attempt follows: whoever listens is told why. */
function fail({ journey, board, log, tell }: Request, cause: unknown, isAborted = false): RouterError {
  const error = failureOf(journey, board, cause, isAborted);
  log.end();
  tell(error.stage);
  return error;
}

/** Room at the best target, or `null` when there is none now. */
function takeTurn(journey: Journey, board: Board, nowMs: number): Turn | null {
  if (!journey.isFirst && !board.budget.canSpend) {
    // No time mends that: the next success of anybody does.
    journey.nextAt = Number.POSITIVE_INFINITY;
    return null;
  }
  const link = journey.choose(nowMs);
  if (link === null) return null;
  if (!journey.isFirst) board.budget.spend();
  if (journey.hasTried(link)) link.state.ownBudget.spend();
  return { link, slot: link.state.begin(nowMs, journey.isStream) };
}

/** @returns `null` when the wait was over before anything had room, or would be */
async function waitForTurn({ journey, board, tell, signal }: Request): Promise<Turn | null> {
  const fromMs = board.system.elapsed();
  const untilMs = journey.waitUntil(fromMs, !journey.isFirst && !board.budget.canSpend);
  if (untilMs <= fromMs || journey.isHopeless(fromMs)) return null;
  tell({ kind: "queued", waitMs: untilMs - fromMs });
  const turn = await board.line.stand(
    {
      deadlineAt: journey.deadlineAt,
      untilMs,
      take: (nowMs) => takeTurn(journey, board, nowMs),
      nextAt: () => journey.nextAt,
    },
    signal,
  );
  journey.waitedMs += board.system.elapsed() - fromMs;
  return turn;
}

/** What a failure means for the target, for those that share its account, and for the rest of the request. */
function learn(
  journey: Journey,
  board: Board,
  link: Link,
  outcome: Exclude<Outcome, "ok">,
  named: Classification | null,
): void {
  const nowMs = board.system.elapsed();
  const { random } = board.system;
  const advisedMs = named?.retryAfterMs ?? null;
  const isConcerned = concernOf(link, outcome, named);
  for (const state of new Set(journey.course.links.filter(isConcerned).map((one) => one.state))) {
    state.bench({ outcome, retryAfterMs: advisedMs, latencyMs: 0 }, nowMs, random);
  }
  if (OUTCOME_TRAITS[outcome].severity === "hard" || named?.retryable === false) {
    const isOfRequest = named?.scope === "request" && named.switchHelps === false;
    journey.ruleOut(isOfRequest ? () => true : refusedWith(link, outcome, isConcerned));
    return;
  }
  const { baseMs, capMs } = journey.course.retry;
  const base = outcome === "server_error" || outcome === "network" ? baseMs * TRANSIENT_BASE_RATIO : baseMs;
  const backoffMs = getBackoffMs(journey.failuresOf(link), { baseMs: base, capMs }, random);
  journey.failed(link, nowMs + Math.max(advisedMs ?? 0, backoffMs));
}

/** Whom a failure concerns beside the target itself: by its scope, and only where it is about access. */
function concernOf(link: Link, outcome: Outcome, named: Classification | null): (other: Link) => boolean {
  const isOfAccess =
    outcome === "auth" || outcome === "quota" || outcome === "permission" || outcome === "rate_limit";
  if (isOfAccess && named?.scope === "account") return (other) => other.account === link.account;
  if (isOfAccess && named?.scope === "provider") {
    return (other) => other.target.provider === link.target.provider;
  }
  return (other) => other.state === link.state;
}

/** Who would refuse the same request again: the same hands would, of what a filter holds back. */
function refusedWith(link: Link, outcome: Outcome, isConcerned: (other: Link) => boolean) {
  return outcome === "content_filter" ? (other: Link) => other.account === link.account : isConcerned;
}
