import { readBody } from "./body-observer.ts";
import { quietly } from "./body-watch.ts";
import { isAbort, readClientError } from "./client-error.ts";
import type { ObserveOptions } from "./options.ts";
import { createRecorder } from "./recorder.ts";
import { runCovered } from "./scope.ts";
import type { BodyFacts } from "./sse.ts";
import { makeTarget } from "./target.ts";

/** Whom a recorded call asks. */
export interface RecordTarget {
  readonly provider: string;
  readonly model: string;
  /** Host or region. */
  readonly endpoint?: string;
  /** Your name for the request, the same on each of its attempts. */
  readonly requestKey?: string;
  /** The caller's signal, to tell their abort from a failure. */
  readonly signal?: AbortSignal;
}

/** What a recorded call may tell of itself. All of it is optional. */
export interface CallNotes {
  /** The first token is here. */
  firstToken(): void;
  usage(usage: { inputTokens?: number; outputTokens?: number; servedModel?: string }): void;
  status(httpStatus: number): void;
}

/**
 * Records one attempt of any client: from the call of `run` until what it returns is settled. What it returns or throws
 * is passed on as it is. An answer with a usage object of a known provider needs no note.
 */
export function record<T>(
  target: RecordTarget,
  run: (notes: CallNotes) => T | Promise<T>,
  options: ObserveOptions,
): Promise<T> {
  const attempt = quietly(() =>
    createRecorder(options).begin(makeTarget(target.provider, target.model, target.endpoint ?? null), {
      url: target.provider,
      body: null,
      retryCount: null,
      requestKey: target.requestKey ?? null,
    }),
  );
  let facts: BodyFacts = {};
  let status: number | undefined;
  let isStream = false;
  const notes: CallNotes = {
    firstToken() {
      isStream = true;
      if (facts.firstTokenAt === undefined && attempt !== undefined)
        facts = { ...facts, firstTokenAt: attempt.now() };
    },
    usage(usage) {
      facts = { ...facts, ...usage };
    },
    status(httpStatus) {
      status = httpStatus;
    },
  };
  return settle(
    run,
    notes,
    (answer) => {
      const said = readBody(answer, "json", 0);
      const { error, ...counts } = said;
      const failure = error === undefined ? {} : { failure: { body: error } };
      attempt?.end({ status, isStream, facts: { ...counts, ...facts }, ...failure });
    },
    (exception) => {
      const isAborted = isAbort(exception, target.signal);
      const failure = { ...readClientError(exception), isAborted };
      attempt?.end({ status: status ?? failure.status, isStream, facts, failure });
    },
  );
}

async function settle<T>(
  run: (notes: CallNotes) => T | Promise<T>,
  notes: CallNotes,
  onAnswer: (answer: T) => void,
  onError: (error: unknown) => void,
): Promise<T> {
  let answer: T;
  try {
    answer = await runCovered(() => run(notes));
  } catch (error) {
    quietly(() => onError(error));
    throw error;
  }
  quietly(() => onAnswer(answer));
  return answer;
}
