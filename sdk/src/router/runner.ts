import type { Classification } from "../classify/classification.ts";
import type { Classify } from "../observe/options.ts";
import type { BodyFacts } from "../observe/sse.ts";
import type { Outcome } from "../outcome.ts";
import type { AttemptLog } from "./attempt-log.ts";
import type { Turn } from "./board.ts";
import { type CallEnd, type Judge, Leash, Race } from "./call-within.ts";
import { describe, nameAnswer, nameError } from "./judge.ts";
import type { Checked, OutputCheck } from "./output/output-check.ts";
import { getAttemptTimeoutMs, isFairTimeout } from "./parts/attempt-timeout.ts";
import type { AttemptReport, Call, CallProvider, Target } from "./types.ts";
import type { AttemptEnd, Request, Walker } from "./walk.ts";

export interface RunnerParts<Input> extends Request {
  readonly input: Input;
  readonly classify: Classify;
}

/** Makes the attempts of one request that is answered in one piece. */
export class Runner<Input, Output, Value>
  implements Walker<Value>, Judge<OpenAttempt, Output, AttemptEnd<Value>>
{
  readonly #parts: RunnerParts<Input>;
  readonly #callOf: (provider: string) => CallProvider<Input, Output>;
  readonly #check: OutputCheck<Output, Value> | undefined;

  constructor(
    parts: RunnerParts<Input>,
    callOf: (provider: string) => CallProvider<Input, Output>,
    check: OutputCheck<Output, Value> | undefined,
  ) {
    this.#parts = parts;
    this.#callOf = callOf;
    this.#check = check;
  }

  attempt(turn: Turn, waitedMs: number): Promise<AttemptEnd<Value>> {
    const open = beginAttempt(this.#parts, turn, waitedMs);
    return open.make(this.#callOf(turn.link.target.provider), this.#parts.input, this);
  }

  judge(open: OpenAttempt, end: CallEnd<Output>): AttemptEnd<Value> | Promise<AttemptEnd<Value>> {
    if (end.kind !== "answered") return open.fail(end);
    const { board, classify } = this.#parts;
    const named = nameAnswer(end.value, open.target, classify, board.system);
    if (named !== null) return open.end(named.outcome, { named, error: end.value });
    if (this.#check !== undefined) return this.#checked(open, end.value, this.#check);
    return open.succeed(end.value as unknown as Value, end.value);
  }

  async #checked(
    open: OpenAttempt,
    answer: Output,
    check: OutputCheck<Output, Value>,
  ): Promise<AttemptEnd<Value>> {
    const latencyMs = open.ageMs;
    const checked = await runCheck(check, answer);
    if (checked.ok) return open.succeed(checked.value, answer, latencyMs);
    return open.end("bad_output", { error: new Error(checked.why), answer, latencyMs });
  }
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
  readonly facts?: BodyFacts;
}

/**
 * An attempt under way, and what its call function is told of it. It ends once, and gives its slot back then, whatever
 * happened.
 */
export class OpenAttempt extends Leash implements Call {
  readonly target: Target;
  readonly timeoutMs: number;
  readonly attempt: number;
  readonly isStream: boolean;
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
    this.target = link.target;
    this.timeoutMs = getAttemptTimeoutMs(link.state.latencyOf(journey.isStream), leftMs, slot.isProbe);
    this.attempt = journey.attempts.length + 1;
    this.isStream = journey.isStream;
    this.#log = parts.log.begin(this.attempt, link);
    this.#parts = parts;
    this.#turn = turn;
    this.#waitedMs = waitedMs;
    this.#startedAt = board.system.now();
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
    return new Promise((resolve) => {
      const { cover } = this.#log;
      const { signal, board } = this.#parts;
      const { deadlines } = board;
      const race = new Race(this, judge, { deadlines, nowMs, timeoutMs, signal }, resolve);
      try {
        race.follow(cover === null ? call(input, this) : cover(() => call(input, this)));
      } catch (error) {
        race.threw(error);
      }
    });
  }

  /** On the clock of reports. */
  now(): number {
    return this.#log.now();
  }

  get ageMs(): number {
    return this.#parts.board.system.elapsed() - this.#turn.slot.startedMs;
  }

  succeed<Value>(
    value: Value,
    answer: unknown,
    latencyMs = this.ageMs,
    facts?: BodyFacts,
  ): AttemptEnd<Value> {
    this.#close("ok", { answer, latencyMs, ...(facts === undefined ? {} : { facts }) });
    return { outcome: "ok", value };
  }

  /** What did not answer at all. */
  fail(end: Exclude<CallEnd<unknown>, { kind: "answered" }>): AttemptEnd<never> {
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

  end(outcome: Outcome, facts: EndFacts): AttemptEnd<never> {
    if (outcome === "ok") throw new TypeError("a failure cannot be ok");
    this.#close(outcome, facts);
    return { outcome, named: facts.named ?? null, error: facts.error, isFair: facts.isFair ?? true };
  }

  #close(outcome: Outcome, facts: EndFacts): void {
    const { board, journey } = this.#parts;
    const { link, slot } = this.#turn;
    const nowMs = board.system.elapsed();
    const latencyMs = facts.latencyMs ?? nowMs - slot.startedMs;
    const advisedMs = facts.named?.retryAfterMs ?? null;
    const learned = facts.isFair === false ? "cancelled" : outcome;
    link.state.end(slot, { outcome: learned, advisedMs, latencyMs }, nowMs, board.system.random);
    const report: AttemptReport = {
      attempt: journey.attempts.length + 1,
      target: link.target.id,
      provider: link.target.provider,
      model: link.target.model,
      position: link.position,
      outcome,
      rule: facts.named?.rule ?? null,
      startedAt: this.#startedAt,
      waitedMs: this.#waitedMs,
      latencyMs,
      retryAfterMs: advisedMs,
      status: facts.named?.status ?? null,
      isProbe: slot.isProbe,
      message: outcome === "ok" ? null : describe(facts.error),
    };
    journey.note(report);
    if (this.#log.cover === null) return;
    this.#log.end({
      outcome,
      error: facts.error,
      status: report.status,
      retryAfterMs: advisedMs,
      answer: facts.answer,
      isStream: slot.isStream,
      ...(facts.facts === undefined ? {} : { facts: facts.facts }),
    });
  }
}

export function beginAttempt(parts: RunnerParts<unknown>, turn: Turn, waitedMs: number): OpenAttempt {
  return new OpenAttempt(parts, turn, waitedMs);
}
