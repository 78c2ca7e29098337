import type { Classification } from "../classify/classification.ts";
import type { Classify } from "../observe/options.ts";
import type { BodyFacts } from "../observe/sse.ts";
import type { Outcome } from "../outcome.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { Turn } from "./board.ts";
import { type Bound, type CallFailure, type Judge, Leash, Race } from "./call-within.ts";
import type { Deadlines } from "./deadlines.ts";
import { describe, nameAnswer, nameError } from "./judge.ts";
import type { Checked, OutputCheck } from "./output/output-check.ts";
import { getAttemptTimeoutMs, isFairTimeout } from "./parts/attempt-timeout.ts";
import type { AttemptReport, Call, CallProvider, Target } from "./types.ts";
import type { AttemptFailure, Request, Walker, WalkOn } from "./walk.ts";

export interface RunnerParts<Input> extends Request {
  readonly input: Input;
  readonly classify: Classify;
}

/** Makes the attempts of one request that is answered in one piece. */
export class Runner<Input, Output, Value> implements Walker<Value> {
  readonly #parts: RunnerParts<Input>;
  readonly #callOf: (provider: string) => CallProvider<Input, Output>;
  readonly #check: OutputCheck<Output, Value> | undefined;
  #walk: WalkOn<Value, unknown> | null = null;

  constructor(
    parts: RunnerParts<Input>,
    callOf: (provider: string) => CallProvider<Input, Output>,
    check: OutputCheck<Output, Value> | undefined,
  ) {
    this.#parts = parts;
    this.#callOf = callOf;
    this.#check = check;
  }

  attempt<Result>(turn: Turn, waitedMs: number, walk: WalkOn<Value, Result>): Promise<Result> {
    this.#walk = walk;
    const open = new OpenAttempt(this.#parts, turn, waitedMs);
    return open.make(
      this.#callOf(turn.link.target.provider),
      this.#parts.input,
      this as Judge<OpenAttempt, Output, Result>,
    );
  }

  answered(open: OpenAttempt, answer: Output): unknown {
    const { board, classify } = this.#parts;
    const named = nameAnswer(answer, open.target, classify, board.system);
    if (named !== null) return this.failed(open, { kind: "refused", named, error: answer });
    if (this.#check !== undefined) return this.#checked(open, answer, this.#check);
    open.succeed(answer);
    return this.#walk?.answered(answer as unknown as Value);
  }

  failed(open: OpenAttempt, end: CallFailure | Refusal): unknown {
    const failure =
      end.kind === "refused"
        ? open.end(end.named.outcome, { named: end.named, error: end.error })
        : open.fail(end);
    return this.#walk?.failed(failure);
  }

  async #checked(open: OpenAttempt, answer: Output, check: OutputCheck<Output, Value>): Promise<unknown> {
    const latencyMs = open.ageMs;
    const checked = await runCheck(check, answer);
    if (checked.ok) {
      open.succeed(answer, latencyMs);
      return this.#walk?.answered(checked.value);
    }
    return this.#walk?.failed(open.end("bad_output", { error: new Error(checked.why), answer, latencyMs }));
  }
}

/** An answer that is an error. */
interface Refusal {
  readonly kind: "refused";
  readonly named: Classification;
  readonly error: unknown;
}

async function runCheck<Output, Value>(
  check: OutputCheck<Output, Value>,
  answer: Output,
): Promise<Checked<Value>> {
  try {
    return await check(answer);
  } catch (error) {
    return { ok: false, why: `the output check threw: ${describe(error)}` };
  }
}

interface EndFacts {
  readonly named?: Classification | null;
  readonly error?: unknown;
  readonly isFair?: boolean;
  readonly answer?: unknown;
  readonly latencyMs?: number;
  readonly facts?: BodyFacts | undefined;
}

const NO_FACTS: EndFacts = {};

type Resolve<T> = (value: T | Promise<T>) => void;
let kept: Resolve<never> | null = null;
/** One for all promises, which call it at once, instead of a new one for each. */
const keepResolve = (resolve: Resolve<never>): void => {
  kept = resolve;
};

/**
 * An attempt under way, and what its call function is told of it. It ends once, and gives its slot back then, whatever
 * happened.
 */
export class OpenAttempt extends Leash implements Call, Bound {
  readonly timeoutMs: number;
  readonly attempt: number;
  readonly #log: AttemptLog;
  readonly #parts: RunnerParts<unknown>;
  readonly #turn: Turn;
  readonly #waitedMs: number;
  readonly #startedAt: number;

  constructor(parts: RunnerParts<unknown>, turn: Turn, waitedMs: number) {
    super();
    const { journey, board } = parts;
    const { link, slot } = turn;
    const leftMs = Math.max(1, journey.deadlineAt - slot.startedMs);
    this.timeoutMs = getAttemptTimeoutMs(
      link.state.latencyOf(journey.isStream),
      leftMs,
      slot.isProbe,
      journey.keepsTime,
    );
    this.attempt = journey.attempts.length + 1;
    this.#log = parts.log.begin(this.attempt, link);
    this.#parts = parts;
    this.#turn = turn;
    this.#waitedMs = waitedMs;
    this.#startedAt = board.system.now();
  }

  get deadlines(): Deadlines {
    return this.#parts.board.deadlines;
  }

  get callerSignal(): AbortSignal | undefined {
    return this.#parts.signal;
  }

  get target(): Target {
    return this.#turn.link.target;
  }

  get isStream(): boolean {
    return this.#turn.slot.isStream;
  }

  get model(): string {
    return this.target.model;
  }

  get endpoint(): string | undefined {
    return this.target.endpoint;
  }

  get account(): string | undefined {
    return this.target.account;
  }

  /** Makes the call, as part of what is reported; how it ends goes to the judge. */
  make<Input, T, End>(
    call: (input: Input, call: Call) => Promise<T> | T,
    input: Input,
    judge: Judge<OpenAttempt, T, End>,
    nowMs = this.#turn.slot.startedMs,
    timeoutMs = this.timeoutMs,
  ): Promise<End> {
    const { cover } = this.#log;
    const promise = new Promise<End>(keepResolve);
    const race = new Race(this, judge, kept as Resolve<End>);
    race.start(nowMs, timeoutMs);
    try {
      race.follow(cover === null ? call(input, this) : cover(() => call(input, this)));
    } catch (error) {
      race.threw(error);
    }
    return promise;
  }

  /** On the clock of reports. */
  now(): number {
    return this.#log.now();
  }

  get ageMs(): number {
    return this.#parts.board.system.elapsed() - this.#turn.slot.startedMs;
  }

  /** @param latencyMs how long it took, where that is less than until now */
  succeed(answer: unknown, latencyMs?: number, facts?: BodyFacts): void {
    this.#close("ok", NO_FACTS, latencyMs);
    this.#tell("ok", undefined, answer, facts);
  }

  /** What did not answer at all. */
  fail(end: CallFailure): AttemptFailure {
    const { board, classify } = this.#parts;
    const { target, state } = this.#turn.link;
    if (end.kind === "aborted") return this.end("cancelled", { error: end.reason });
    if (end.kind === "timedOut") {
      const isFair = isFairTimeout(state.latencyOf(this.#turn.slot.isStream), this.timeoutMs);
      return this.end("timeout", {
        error: new Error(`no answer within ${Math.round(this.timeoutMs)} ms`),
        isFair,
      });
    }
    const named = nameError(end.error, target, classify, board.system.now());
    const outcome = named.outcome === "ok" || named.outcome === "cancelled" ? "unknown" : named.outcome;
    return this.end(outcome, { named, error: end.error });
  }

  end(outcome: Outcome, facts: EndFacts): AttemptFailure {
    if (outcome === "ok") throw new TypeError("a failure cannot be ok");
    this.#close(outcome, facts, facts.latencyMs);
    this.#tell(outcome, facts.error, facts.answer, facts.facts);
    return { outcome, named: facts.named ?? null, error: facts.error };
  }

  #close(outcome: Outcome, { named, error, isFair }: EndFacts, tookMs: number | undefined): void {
    const { board, journey } = this.#parts;
    const { link, slot } = this.#turn;
    const nowMs = board.system.elapsed();
    const latencyMs = tookMs ?? nowMs - slot.startedMs;
    const report: AttemptReport = {
      attempt: this.attempt,
      target: link.target.id,
      provider: link.target.provider,
      model: link.target.model,
      position: link.position,
      outcome,
      rule: named?.rule ?? null,
      startedAt: this.#startedAt,
      waitedMs: this.#waitedMs,
      latencyMs,
      retryAfterMs: named?.retryAfterMs ?? null,
      status: named?.status ?? null,
      isProbe: slot.isProbe,
      message: outcome === "ok" ? null : describe(error),
    };
    // What got too little time says nothing of its target.
    const ending = isFair === false ? { ...report, outcome: "cancelled" as const } : report;
    link.state.end(slot, ending, nowMs, board.system.random);
    journey.note(report);
  }

  #tell(outcome: Outcome, error: unknown, answer: unknown, facts: BodyFacts | undefined): void {
    if (this.#log.cover === null) return;
    const report = this.#parts.journey.attempts.at(-1);
    this.#log.end({
      outcome,
      error,
      status: report?.status ?? null,
      retryAfterMs: report?.retryAfterMs ?? null,
      answer,
      isStream: this.isStream,
      ...(facts === undefined ? {} : { facts }),
    });
  }
}
