import type { Attempt } from "./attempt.ts";
import { quietly } from "./body-watch.ts";
import { isAbort, readClientError } from "./client-error.ts";
import { EventStreamReader } from "./event-stream.ts";
import { readJson } from "./json-body.ts";
import type { ObserveOptions } from "./options.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { runCovered } from "./scope.ts";
import { type BodyFacts, parse } from "./sse.ts";
import { makeTarget } from "./target.ts";

interface AwsRequest {
  readonly hostname?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}
interface AwsAnswer {
  readonly output?: Record<string, unknown>;
  readonly response?: { readonly statusCode?: number; readonly headers?: Readonly<Record<string, string>> };
}
interface AwsCall {
  readonly input?: { readonly modelId?: string };
  readonly request?: AwsRequest;
}
type Next = (call: AwsCall) => Promise<AwsAnswer>;

/** What a client's middleware stack takes: `client.middlewareStack.use(observeBedrock({ report }))`. */
export interface AwsPlugin {
  // biome-ignore lint/suspicious/noExplicitAny: the AWS SDK's types differ between its versions, and none is depended on
  readonly applyToStack: (stack: any) => void;
}

/**
 * A middleware for `BedrockRuntimeClient` of the AWS SDK for JavaScript 3, inside of its retries: one event per attempt of
 * InvokeModel, Converse and their streams.
 */
export function observeBedrock(options: ObserveOptions): AwsPlugin {
  const recorder = createRecorder(options);
  const middleware = (next: Next) => async (call: AwsCall) => {
    const attempt = call.input?.modelId === undefined ? undefined : quietly(() => begin(call, recorder));
    if (attempt === undefined) return next(call);
    let answer: AwsAnswer;
    try {
      answer = await runCovered(() => next(call));
    } catch (error) {
      quietly(() => endWithError(attempt, call, error));
      throw error;
    }
    quietly(() => watchAnswer(answer, attempt, call));
    return answer;
  };
  return {
    applyToStack(stack) {
      stack.add(middleware, {
        step: "deserialize",
        priority: "high",
        name: "busyhourObserve",
        override: true,
      });
    },
  };
}

function begin({ input, request }: AwsCall, recorder: Recorder): Attempt {
  const headers = request?.headers ?? {};
  const target = makeTarget("bedrock", (input?.modelId ?? "").slice(0, 200), request?.hostname ?? null);
  return recorder.begin(target, {
    url: request?.path ?? "",
    body: null,
    retryCount: (readHeaderNumber(headers, /attempt=(\d+)/) ?? 1) - 1,
    requestKey: headers["amz-sdk-invocation-id"] ?? null,
  });
}

function readHeaderNumber(headers: Readonly<Record<string, string>>, pattern: RegExp): number | null {
  const found = pattern.exec(headers["amz-sdk-request"] ?? "")?.[1];
  return found === undefined ? null : Number(found);
}

/** The last attempt that the client allows itself is known from its headers. */
function isLast({ request }: AwsCall): boolean {
  const attempt = readHeaderNumber(request?.headers ?? {}, /attempt=(\d+)/);
  const max = readHeaderNumber(request?.headers ?? {}, /max=(\d+)/);
  return attempt !== null && max !== null && attempt >= max;
}

function endWithError(attempt: Attempt, call: AwsCall, error: unknown, facts?: BodyFacts): void {
  const failure = { ...readClientError(error), isAborted: isAbort(error, undefined) };
  const isRetried = (error as { $retryable?: unknown }).$retryable !== undefined;
  attempt.end({
    status: facts === undefined ? failure.status : 200,
    failure,
    ...(facts === undefined ? {} : { facts, isStream: true }),
    ...(isLast(call) || facts !== undefined ? { mayRepeat: false } : isRetried ? { mayRepeat: true } : {}),
  });
}

function watchAnswer({ output = {}, response }: AwsAnswer, attempt: Attempt, call: AwsCall): void {
  const status = response?.statusCode;
  const stream = output["stream"] ?? output["body"];
  if (typeof stream === "object" && stream !== null && Symbol.asyncIterator in stream) {
    watchEvents(stream as AsyncIterable<Record<string, unknown>>, attempt, call, status);
    return;
  }
  const body =
    output["body"] instanceof Uint8Array ? parse(new TextDecoder().decode(output["body"])) : output;
  const { "x-amzn-bedrock-input-token-count": input, "x-amzn-bedrock-output-token-count": out } =
    response?.headers ?? {};
  const counts = {
    ...(input === undefined ? {} : { inputTokens: Number(input) }),
    ...(out === undefined ? {} : { outputTokens: Number(out) }),
  };
  attempt.end({ status, facts: { ...counts, ...readJson(body) }, isStream: false });
}

/** The stream stays the object that it was; only whoever iterates over it is heard. */
function watchEvents(
  stream: AsyncIterable<Record<string, unknown>>,
  attempt: Attempt,
  call: AwsCall,
  status: number | undefined,
): void {
  const iterate = stream[Symbol.asyncIterator].bind(stream);
  const reader = new EventStreamReader();
  const end = (outcome?: "cancelled") =>
    quietly(() => {
      const facts = reader.finish();
      const isCancelled = outcome !== undefined && facts.isComplete !== true;
      attempt.end({ status, facts, isStream: true, ...(isCancelled ? { outcome } : {}) });
    });
  Object.defineProperty(stream, Symbol.asyncIterator, {
    configurable: true,
    value: () =>
      heardIterator(iterate(), {
        event: (event) => quietly(() => readEvent(reader, event, attempt.now())),
        ended: () => end(),
        left: () => end("cancelled"),
        failed: (error) => quietly(() => endWithError(attempt, call, error, reader.finish())),
      }),
  });
}

function readEvent(reader: EventStreamReader, event: Record<string, unknown>, at: number): void {
  for (const [type, payload] of Object.entries(event)) {
    const bytes = (payload as { bytes?: unknown } | undefined)?.bytes;
    if (bytes instanceof Uint8Array) reader.readInner(parse(new TextDecoder().decode(bytes)), at);
    else reader.readEvent(type, payload, at);
  }
}

interface Listener<T> {
  readonly event: (event: T) => void;
  readonly ended: () => void;
  readonly left: () => void;
  readonly failed: (error: unknown) => void;
}

function heardIterator<T>(inner: AsyncIterator<T>, listener: Listener<T>): AsyncIterableIterator<T> {
  return {
    async next() {
      try {
        const result = await inner.next();
        if (result.done === true) listener.ended();
        else listener.event(result.value);
        return result;
      } catch (error) {
        listener.failed(error);
        throw error;
      }
    },
    async return(value?: unknown) {
      listener.left();
      return (await inner.return?.(value)) ?? { done: true, value };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
