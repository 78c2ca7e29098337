import { ORIGINAL_FETCH } from "../report/own-request.ts";
import type { Attempt, AttemptEnd } from "./attempt.ts";
import {
  type BodyFormat,
  type BodyObserver,
  createBodyObserver,
  findBodyFormat,
  readBody,
} from "./body-observer.ts";
import { type BodyEnd, type BodyListener, BodyWatch, quietly } from "./body-watch.ts";
import { readAhead } from "./failed-response.ts";
import { createFetchCallReader, type FetchCall, type ReadFetchCall } from "./fetch-call.ts";
import { observeResponse } from "./observed-response.ts";
import type { ObserveOptions } from "./options.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { findScope } from "./scope.ts";
import { type BodyFacts, parse } from "./sse.ts";

type Fetch = (input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

/** By default most clients give up after ten minutes, and say so in no header. */
const USUAL_LIMIT_MS = 600_000;

/**
 * The same `fetch`, each of whose calls to a model is recorded: one event per attempt, when the attempt is over.
 * What is called, sent, answered and thrown stays as it was. Calls that ask no model pass unrecorded.
 *
 * @see docs/sdk.md
 */
export function observe<F>(fetch: F, options: ObserveOptions): F {
  const inner = fetch as Fetch;
  const makeCall = createCaller(options);
  const observed: Fetch = (input, init) => makeCall(inner, input, init);
  return Object.assign(observed, { [ORIGINAL_FETCH]: fetch }) as F;
}

/** Makes one call of a fetch and records it, unless it asks no model or is part of an attempt that is recorded already. */
export type MakeCall = (inner: Fetch, input: RequestInfo | URL, init?: RequestInit) => Promise<Response>;

export function createCaller(options: ObserveOptions): MakeCall {
  const recorder = createRecorder(options);
  const readCall = createFetchCallReader(options);
  return (inner, input, init) => {
    const call = findScope()?.isCovered === true ? null : readQuietly(readCall, input, init);
    const attempt = call === null ? undefined : quietly(() => recorder.begin(call.target, call.mark));
    if (call === null || attempt === undefined) return inner(input, init);
    let answer: Promise<Response>;
    try {
      answer = inner(input, init);
    } catch (error) {
      endWithError(attempt, call, error);
      throw error;
    }
    return typeof answer?.then === "function" ? watchAnswer(answer, attempt, call, recorder) : answer;
  };
}

function readQuietly(
  read: ReadFetchCall,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): FetchCall | null {
  try {
    return read(input, init);
  } catch {
    return null;
  }
}

/** Apart from the caller's arguments, so that nothing of them is held while the call is under way. */
function watchAnswer(
  answer: Promise<Response>,
  attempt: Attempt,
  call: FetchCall,
  recorder: Recorder,
): Promise<Response> {
  return answer.then(
    (response) => quietly(() => watchResponse(response, attempt, call, recorder)) ?? response,
    (error: unknown) => {
      endWithError(attempt, call, error);
      throw error;
    },
  );
}

function endWithError(attempt: Attempt, call: FetchCall, error: unknown): void {
  quietly(() => {
    const isAborted = wasAborted(attempt, call);
    // A client's limit looks like its caller's abort; if it repeats the call after all, it was the limit.
    const mayRepeat = isAborted !== true || call.mark.retryCount !== null;
    attempt.end({ failure: { exception: error, isAborted }, mayRepeat });
  });
}

/**
 * Whether the signal fired because the caller wants no more (`true`) or because of a limit in time (`false`);
 * `undefined` when it did not fire.
 */
function wasAborted(attempt: Attempt, { signal, timeoutMs }: FetchCall): boolean | undefined {
  if (signal === null || !signal.aborted) return undefined;
  const reason: unknown = signal.reason;
  const name =
    typeof reason === "object" && reason !== null ? (reason as { name?: unknown }).name : undefined;
  if (name === "TimeoutError") return false;
  return attempt.ageMs < (attempt.limitMs ?? timeoutMs ?? USUAL_LIMIT_MS);
}

/** @returns what the caller gets */
function watchResponse(response: Response, attempt: Attempt, call: FetchCall, recorder: Recorder): Response {
  const { status } = response;
  if (status >= 400) return watchFailed(response, attempt, recorder);
  const format = findBodyFormat(response.headers?.get("content-type") ?? null);
  const isStream = format === "lines" || format === "frames" || call.isStream === true;
  const counts = call.target.provider === "bedrock" ? readCountHeaders(response.headers) : NO_FACTS;
  const watch = new BodyWatch(new Answer(attempt, call, { status, format, isStream, counts }), recorder.idle);
  if (response.body === null) watch.ended();
  else observeResponse(response, watch);
  return response;
}

function watchFailed(response: Response, attempt: Attempt, recorder: Recorder): Response {
  const { status, headers } = response;
  attempt.expectRepetition();
  return readAhead(response, recorder.system, (text, error) => {
    const body = text === "" ? undefined : (parse(text) ?? text);
    attempt.end({ status, failure: { status, headers, body, exception: error } });
  });
}

interface Answered {
  readonly status: number;
  readonly format: BodyFormat;
  readonly isStream: boolean;
  readonly counts: BodyFacts;
}

const NO_FACTS: BodyFacts = {};

/** An answer with a good status. It knows nothing of the response itself, which goes when its caller lets it go. */
class Answer implements BodyListener {
  readonly #attempt: Attempt;
  readonly #call: FetchCall;
  readonly #answered: Answered;

  constructor(attempt: Attempt, call: FetchCall, answered: Answered) {
    this.#attempt = attempt;
    this.#call = call;
    this.#answered = answered;
  }

  makeObserver(): BodyObserver {
    return createBodyObserver(this.#answered.format);
  }

  now(): number {
    return this.#attempt.now();
  }

  /** The body is over: what it said decides how the attempt ended. */
  onOver(end: BodyEnd, observer: BodyObserver, hasBegun: boolean): void {
    const { status, isStream, format, counts } = this.#answered;
    const said = end.kind === "taken" ? readBody(end.body, format, this.now()) : observer.finish();
    const facts = counts === NO_FACTS ? said : { ...counts, ...said };
    // No client repeats by itself what has begun to answer.
    this.#attempt.end({ status, facts, isStream, mayRepeat: false, ...this.#judge(end, facts, hasBegun) });
  }

  #judge(end: BodyEnd, facts: BodyFacts, hasBegun: boolean): Pick<AttemptEnd, "failure" | "outcome"> {
    if (facts.error !== undefined) return { failure: { status: this.#answered.status, body: facts.error } };
    if (facts.isComplete === true) return {};
    if (end.kind === "failed") {
      const isAborted = wasAborted(this.#attempt, this.#call);
      const failure = { exception: end.error, isAborted };
      return isAborted === true ? { failure, outcome: "cancelled" } : { failure };
    }
    if (end.kind === "cancelled" || (end.kind === "abandoned" && hasBegun)) return { outcome: "cancelled" };
    if (end.kind === "ended" && facts.isComplete === false) {
      return { failure: { exception: BROKEN_OFF }, outcome: "network" };
    }
    return {};
  }
}

/** A stream that ends well before its answer does: somebody in between closed it. */
const BROKEN_OFF = { name: "StreamEndedEarly", message: "the stream ended before the answer did" };

/** Bedrock counts tokens in headers where the model's own answer does not. */
function readCountHeaders(headers: Headers): BodyFacts {
  const input = headers.get("x-amzn-bedrock-input-token-count");
  const output = headers.get("x-amzn-bedrock-output-token-count");
  return {
    ...(input === null ? {} : { inputTokens: Number(input) }),
    ...(output === null ? {} : { outputTokens: Number(output) }),
  };
}
