import { type AnswerFacts, mergeFacts, readAnswer } from "../../observe/usage.ts";
import type { Turn } from "../board.ts";
import type { CallEnd, Judge } from "../call-within.ts";
import { messageOfInterruption } from "../failure.ts";
import { nameAnswer, nameError } from "../judge.ts";
import { RouterError } from "../router-error.ts";
import { OpenAttempt, type RunnerParts } from "../runner.ts";
import type { Call, StreamProvider } from "../types.ts";
import type { Walker, WalkOn } from "../walk.ts";
import { findStreamError } from "./content.ts";

/** After the first content, the longest silence between two pieces. */
const LONGEST_GAP_MS = 30_000;
/** A stream that nobody reads on for so long is given up, so that its room is not lost. */
const LONGEST_PAUSE_MS = 600_000;

interface StreamBegin {
  readonly error?: unknown;
}

/** Judged later. */
const AS_IT_IS = {
  answered: (_: unknown, value: unknown) => ({ kind: "answered", value }),
  failed: (_: unknown, end: unknown) => end,
};
const asItIs = <T>() => AS_IT_IS as Judge<OpenAttempt, T, CallEnd<T>>;

/** Makes the attempts of a request that is answered piece by piece, up to the first content. */
export class StreamRunner<Input, Chunk> implements Walker<BegunStream<Chunk>> {
  readonly #parts: RunnerParts<Input>;
  readonly #call: (provider: string) => StreamProvider<Input, Chunk>;
  readonly #isContent: (chunk: Chunk) => boolean;

  constructor(
    parts: RunnerParts<Input>,
    call: (provider: string) => StreamProvider<Input, Chunk>,
    isContent: (chunk: Chunk) => boolean,
  ) {
    this.#parts = parts;
    this.#call = call;
    this.#isContent = isContent;
  }

  async attempt<Result>(
    turn: Turn,
    waitedMs: number,
    walk: WalkOn<BegunStream<Chunk>, Result>,
  ): Promise<Result> {
    const open = new OpenAttempt(this.#parts, turn, waitedMs);
    const { board } = this.#parts;
    const begun = new BegunStream<Chunk>(this.#parts, open, turn);
    const begin = (_: undefined, call: Call) => this.#begin(begun, turn, call);
    const end = await open.make(begin, undefined, asItIs<StreamBegin>());
    if (end.kind === "answered" && end.value.error === undefined) {
      begun.firstContent();
      return walk.answered(begun);
    }
    begun.abandon();
    if (end.kind !== "answered") return walk.failed(open.fail(end));
    const named = nameAnswer(end.value.error, turn.link.target, this.#parts.classify, board.system);
    return walk.failed(open.end(named?.outcome ?? "server_error", { named, error: end.value.error }));
  }

  /** Reads up to the first content, which is kept with what came before it. */
  async #begin(begun: BegunStream<Chunk>, turn: Turn, call: Call): Promise<StreamBegin> {
    const stream = await this.#call(turn.link.target.provider)(this.#parts.input, call);
    const iterator = stream[Symbol.asyncIterator]();
    begun.take(iterator);
    for (;;) {
      const next = await iterator.next();
      if (next.done === true) {
        if (begun.held.length === 0) throw new StreamEndedError("the stream ended before anything came");
        return {};
      }
      const error = findStreamError(next.value);
      if (error !== undefined) return { error };
      begun.held.push(next.value);
      if (this.#isContent(next.value)) return {};
    }
  }
}

class StreamEndedError extends Error {
  override readonly name = "StreamEndedEarly";
}

/** An answer that has begun: its target stays, whatever comes. */
export class BegunStream<Chunk> {
  readonly #parts: RunnerParts<unknown>;
  readonly #open: OpenAttempt;
  readonly #turn: Turn;
  #iterator: AsyncIterator<Chunk> | null = null;
  #isAbandoned = false;
  #isOver = false;
  #firstTokenMs = 0;
  #firstTokenAt = 0;
  #facts: AnswerFacts = {};
  #cancelPause: (() => void) | null = null;
  /** Pieces up to the first content. */
  readonly held: Chunk[] = [];
  readonly #delivered: Chunk[] = [];

  constructor(parts: RunnerParts<unknown>, open: OpenAttempt, turn: Turn) {
    this.#parts = parts;
    this.#open = open;
    this.#turn = turn;
  }

  take(iterator: AsyncIterator<Chunk>): void {
    this.#iterator = iterator;
    if (this.#isAbandoned) this.#letGo();
  }

  /** Nobody listens to this attempt any more. */
  abandon(): void {
    this.#isAbandoned = true;
    this.#open.pull(new DOMException("The router went on without this answer", "AbortError"));
    this.#letGo();
  }

  firstContent(): void {
    this.#firstTokenMs = this.#open.ageMs;
    this.#firstTokenAt = this.#open.now();
    this.#pause();
  }

  /** The next step is the reader's. */
  #pause(): void {
    this.#cancelPause?.();
    const { system } = this.#parts.board;
    this.#cancelPause = system.setTimer(() => this.#leave(), LONGEST_PAUSE_MS, true);
  }

  async *iterate(): AsyncGenerator<Chunk, void, void> {
    try {
      for (const chunk of this.held) {
        this.#note(chunk);
        yield chunk;
      }
      while (!this.#isOver) {
        const next = await this.#next();
        if (next.kind !== "answered") throw this.#interrupt(next);
        if (next.value.done === true) break;
        const error = findStreamError(next.value.value);
        if (error !== undefined) throw this.#interrupt({ kind: "threw", error });
        this.#note(next.value.value);
        this.#pause();
        yield next.value.value;
      }
      if (this.#isOver) throw this.#givenUp();
      this.#succeed();
    } finally {
      this.#leave();
    }
  }

  #note(chunk: Chunk): void {
    this.#delivered.push(chunk);
    this.#facts = mergeFacts(this.#facts, readAnswer(chunk));
  }

  #next(): Promise<CallEnd<IteratorResult<Chunk>>> {
    this.#cancelPause?.();
    const run = () => this.#iterator?.next() ?? { done: true as const, value: undefined };
    const nowMs = this.#parts.board.system.elapsed();
    return this.#open.make(run, undefined, asItIs<IteratorResult<Chunk>>(), nowMs, LONGEST_GAP_MS);
  }

  #succeed(): void {
    this.#isOver = true;
    this.#open.succeed(undefined, this.#firstTokenMs, this.#factsOfEnd());
    this.#end();
  }

  #interrupt(end: Exclude<CallEnd<unknown>, { kind: "answered" }>): RouterError {
    this.#isOver = true;
    const { journey, board, classify } = this.#parts;
    const { target } = this.#turn.link;
    if (end.kind === "threw") {
      const named =
        nameAnswer(end.error, target, classify, board.system) ??
        nameError(end.error, target, classify, board.system.now());
      const outcome = named.outcome === "ok" || named.outcome === "cancelled" ? "network" : named.outcome;
      this.#open.end(outcome, { named, error: end.error, facts: this.#factsOfEnd() });
    } else this.#open.fail(end);
    this.abandon();
    this.#end();
    const cause = end.kind === "threw" ? end.error : end.kind === "aborted" ? end.reason : undefined;
    return new RouterError(
      end.kind === "aborted" ? "cancelled" : "interrupted",
      messageOfInterruption(journey),
      {
        attempts: journey.attempts,
        delivered: this.#delivered,
        cause,
      },
    );
  }

  #givenUp(): RouterError {
    const { attempts } = this.#parts.journey;
    const message = "The stream was given up: nobody read on for ten minutes";
    return new RouterError("interrupted", message, { attempts, delivered: this.#delivered });
  }

  /** The caller left the loop before its end. */
  #leave(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#open.end("cancelled", {
      error: new Error("the caller left the stream"),
      facts: this.#factsOfEnd(),
    });
    this.abandon();
    this.#end();
  }

  #factsOfEnd() {
    return { ...this.#facts, firstTokenAt: this.#firstTokenAt };
  }

  #end(): void {
    this.#cancelPause?.();
    this.#parts.log.end();
    this.#parts.board.line.move();
  }

  #letGo(): void {
    const returned = this.#iterator?.return?.();
    returned?.then(undefined, () => {});
  }
}
