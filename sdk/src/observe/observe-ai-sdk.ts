import type { Attempt } from "./attempt.ts";
import type { BodyObserver } from "./body-observer.ts";
import { type BodyEnd, BodyWatch, quietly } from "./body-watch.ts";
import { isAbort, readClientError } from "./client-error.ts";
import type { IdleBodies } from "./idle-bodies.ts";
import { observeStream } from "./observed-stream.ts";
import type { ObserveOptions } from "./options.ts";
import { createRecorder, type Recorder } from "./recorder.ts";
import { runCovered } from "./scope.ts";
import type { BodyFacts } from "./sse.ts";
import { makeTarget } from "./target.ts";
import { readModelUsage } from "./usage.ts";

/** What the middlewares of all majors are given, as far as we look at it. */
interface ModelCall {
  // biome-ignore lint/suspicious/noExplicitAny: each major of the AI SDK has types of its own, and none is depended on
  readonly doGenerate: () => PromiseLike<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly doStream: () => PromiseLike<any>;
  readonly params: { readonly prompt?: unknown; readonly abortSignal?: AbortSignal | undefined };
  readonly model: { readonly provider: string; readonly modelId: string };
}

/** A middleware of any major of the AI SDK from 4 to 6. */
export interface AiSdkMiddleware {
  // biome-ignore lint/suspicious/noExplicitAny: "v3" to one major, unknown to another
  readonly specificationVersion: any;
  // biome-ignore lint/suspicious/noExplicitAny: "v2" to one major, "v1" to another, read by none
  readonly middlewareVersion?: any;
  // biome-ignore lint/suspicious/noExplicitAny: see ModelCall
  readonly wrapGenerate: (call: any) => Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: see ModelCall
  readonly wrapStream: (call: any) => Promise<any>;
}

/**
 * A middleware for `wrapLanguageModel({ model, middleware: observeAiSdk({ report }) })`. The AI SDK calls it once per
 * attempt; attempts with the same prompt object are one request.
 */
export function observeAiSdk(options: ObserveOptions): AiSdkMiddleware {
  const recorder = createRecorder(options);
  const requestKeys = new WeakMap<object, string>();
  const begin = (call: ModelCall) => quietly(() => beginCall(call, recorder, requestKeys));
  return {
    specificationVersion: "v3",
    async wrapGenerate(call: ModelCall) {
      const attempt = begin(call);
      const result = await attempted(call.doGenerate, attempt, call);
      quietly(() => attempt?.end({ facts: readResult(result), isStream: false }));
      return result;
    },
    async wrapStream(call: ModelCall) {
      const attempt = begin(call);
      const result = await attempted(call.doStream, attempt, call);
      if (attempt !== undefined) quietly(() => watchParts(result.stream, attempt, call, recorder.idle));
      return result;
    },
  };
}

let keyCount = 0;

function beginCall({ model, params }: ModelCall, recorder: Recorder, keys: WeakMap<object, string>): Attempt {
  const { prompt } = params;
  let requestKey: string | null = null;
  if (typeof prompt === "object" && prompt !== null) {
    requestKey = keys.get(prompt) ?? `prompt ${++keyCount}`;
    keys.set(prompt, requestKey);
  }
  const target = makeTarget(nameProvider(model.provider), model.modelId, null);
  return recorder.begin(target, { url: model.provider, body: null, retryCount: null, requestKey });
}

/** The AI SDK's names say the interface too: `openai.chat`, `google.vertex.chat`, `amazon-bedrock`. */
export function nameProvider(provider: string): string {
  if (provider.startsWith("google.vertex") || provider.startsWith("vertex.")) return "vertex";
  const name = provider.split(".")[0] ?? provider;
  return (
    { "amazon-bedrock": "bedrock", "azure-openai": "azure", "google-vertex": "vertex", gateway: "vercel" }[
      name
    ] ?? name
  );
}

async function attempted<T>(
  run: () => PromiseLike<T>,
  attempt: Attempt | undefined,
  call: ModelCall,
): Promise<T> {
  try {
    return await runCovered(run);
  } catch (error) {
    if (attempt !== undefined) quietly(() => endWithError(attempt, error, call.params.abortSignal));
    throw error;
  }
}

function endWithError(
  attempt: Attempt,
  error: unknown,
  signal: AbortSignal | undefined,
  facts?: BodyFacts,
): void {
  const failure = { ...readClientError(error), isAborted: isAbort(error, signal) };
  attempt.end({
    status: failure.status,
    failure,
    ...(failure.isAborted === true ? { outcome: "cancelled" } : {}),
    // No client repeats by itself what has begun to answer.
    ...(facts === undefined ? {} : { facts, isStream: true, mayRepeat: false }),
  });
}

interface Part {
  readonly type?: string;
  readonly [key: string]: unknown;
}

function readResult(result: { usage?: unknown; response?: { modelId?: unknown } } | undefined): BodyFacts {
  const servedModel = result?.response?.modelId;
  return { ...readModelUsage(result?.usage), ...(typeof servedModel === "string" ? { servedModel } : {}) };
}

function watchParts(stream: ReadableStream<Part>, attempt: Attempt, call: ModelCall, idle: IdleBodies): void {
  const watch = new BodyWatch<Part>(
    {
      makeObserver: createPartObserver,
      now: () => attempt.now(),
      onOver: (end, observer) => endParts(attempt, call, end, observer.finish()),
    },
    idle,
  );
  observeStream(stream, { watch, isQuiet: false });
}

function createPartObserver(): BodyObserver<Part> {
  let facts: { -readonly [K in keyof BodyFacts]: BodyFacts[K] } = {};
  return {
    push(part, at) {
      if (/^(text|reasoning|tool-input-delta|.*-delta|tool-call|file)$/.test(part.type ?? ""))
        facts.firstTokenAt ??= at;
      else if (part.type === "response-metadata" && typeof part["modelId"] === "string")
        facts.servedModel = part["modelId"];
      else if (part.type === "finish")
        facts = { ...facts, ...readModelUsage(part["usage"]), isComplete: true };
      else if (part.type === "error") facts.error = part["error"];
    },
    finish: () => facts,
  };
}

function endParts(attempt: Attempt, call: ModelCall, end: BodyEnd, facts: BodyFacts): void {
  if (facts.error !== undefined) endWithError(attempt, asThrown(facts.error), call.params.abortSignal, facts);
  else if (end.kind === "failed") endWithError(attempt, end.error, call.params.abortSignal, facts);
  else if (end.kind !== "ended" && facts.isComplete !== true)
    attempt.end({ outcome: "cancelled", facts, isStream: true });
  else attempt.end({ facts, isStream: true });
}

/** Providers put errors into their streams as classes, objects or JSON. */
function asThrown(error: unknown): unknown {
  return error instanceof Error || typeof error !== "object" || error === null
    ? error
    : { ...error, responseBody: JSON.stringify({ error }) };
}
