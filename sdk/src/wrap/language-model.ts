import { nameProvider } from "../observe/observe-ai-sdk.ts";
import { createRouter } from "../router/router.ts";
import { isRouterError } from "../router/router-error.ts";
import type { Call, Chain, Router, Target } from "../router/types.ts";
import { CLIENT_DEADLINE_MS, type RouteOptions, type WrapOptions } from "./route-options.ts";

/** What is used of a model of the AI SDK, of whatever version of its specification. */
export interface AiModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: never): PromiseLike<unknown>;
  doStream(options: never): PromiseLike<unknown>;
}

/** A model as a target of a chain. */
export type AiTarget<Model> = { readonly model: Model } & Partial<Omit<Target, "model">>;

export interface LanguageModelOptions extends Omit<WrapOptions<object, Part>, "chain" | "named"> {
  /** Name, floor and retries of the chain; its targets are the models. */
  readonly chain?: Omit<Chain, "targets">;
  /** What each call is given. */
  readonly route?: RouteOptions<object>;
}

interface CallOptions {
  readonly abortSignal?: AbortSignal | undefined;
}

interface Part {
  readonly type?: string;
  readonly error?: unknown;
}

interface Streamed {
  readonly stream: ReadableStream<Part>;
}

interface Question {
  readonly options: CallOptions;
  /** What came with the stream that serves. */
  streamed: Streamed | null;
}

type AiRouter = Router<Question, object, Part>;

/** A model made of several, and the router behind it. */
export type RoutedModel<Model> = Model & { readonly router: AiRouter };

/**
 * A model of the AI SDK (4, 5 or 6) made of several in the order of preference: where the first has no room, the next one
 * answers. A stream falls back until its first content.
 *
 * @param models all of one version of the specification; `{ model, tier, id, … }` says more of a target
 * @throws {TypeError} when there is none, or their versions differ
 * @see docs/router.md#clients-as-they-are
 */
export function languageModel<Model extends AiModel>(
  models: readonly (Model | AiTarget<Model>)[],
  { chain, route = {}, ...options }: LanguageModelOptions = {},
): RoutedModel<Model> {
  const accounts = new Map<string, unknown[]>();
  const entries = models.map((model) => toEntry(model, accounts));
  const [first] = entries;
  if (first === undefined) throw new TypeError("languageModel: there is no model");
  const version = first.model.specificationVersion;
  const other = entries.find(({ model }) => model.specificationVersion !== version);
  if (other !== undefined) {
    const versions = `${version} and ${other.model.specificationVersion}`;
    throw new TypeError(`languageModel: models are of one version of the specification, not of ${versions}`);
  }
  const byTarget = new Map(entries.map(({ target, model }) => [target.id, model]));
  const provider = providerOf(byTarget);
  const router: AiRouter = createRouter<Question, object, Part>({
    deadlineMs: CLIENT_DEADLINE_MS,
    ...options,
    chain: { ...chain, targets: entries.map(({ target }) => target) },
    providers: Object.fromEntries(entries.map(({ target }) => [target.provider, provider])),
  });
  return new Proxy(first.model as RoutedModel<Model>, {
    get(model, name) {
      switch (name) {
        case "router":
          return router;
        case "provider":
          return "busyhour";
        case "modelId":
          return entries.map(({ target }) => target.id).join(", ");
        case "supportedUrls":
          return findCommonUrls(entries.map((entry) => entry.model));
        case "doGenerate":
          return (given: CallOptions) => generate(router, given, route);
        case "doStream":
          return (given: CallOptions) => stream(router, given, route);
        default: {
          const value: unknown = Reflect.get(model, name, model);
          return typeof value === "function" ? value.bind(model) : value;
        }
      }
    },
    has: (model, name) => name === "router" || Reflect.has(model, name),
  });
}

interface Entry<Model> {
  readonly model: Model;
  readonly target: Target;
}

function toEntry<Model extends AiModel>(
  given: Model | AiTarget<Model>,
  accounts: Map<string, unknown[]>,
): Entry<Model> {
  const isTarget = "model" in given && typeof given.model === "object";
  const { model, ...more } = isTarget ? (given as AiTarget<Model>) : { model: given as Model };
  const provider = nameProvider(model.provider);
  const account = findAccount(model, provider, accounts);
  const target = {
    id: model.modelId,
    provider,
    ...(account === null ? {} : { account }),
    ...more,
    model: model.modelId,
  };
  return { model, target };
}

/**
 * Models of one provider object have one key, and share the function that makes its headers; what another object has made
 * has a key of its own. A bad key then closes the models of that one alone.
 *
 * @returns `null` for the first of a provider
 */
function findAccount(model: AiModel, provider: string, accounts: Map<string, unknown[]>): string | null {
  const keys = accounts.get(provider) ?? [];
  accounts.set(provider, keys);
  const key = (model as { config?: { headers?: unknown } }).config?.headers ?? null;
  if (!keys.includes(key)) keys.push(key);
  const at = keys.indexOf(key);
  return at === 0 ? null : `${provider}-${at + 1}`;
}

function providerOf(models: ReadonlyMap<string, AiModel>) {
  const modelOf = ({ target }: Call): AiModel => {
    const model = models.get(target.id);
    if (model === undefined)
      throw new TypeError(`languageModel was given no model for the target ${target.id}`);
    return model;
  };
  return {
    run: async ({ options }: Question, call: Call): Promise<object> => {
      const given = { ...options, abortSignal: call.signal } as never;
      return (await modelOf(call).doGenerate(given)) as object;
    },
    stream: async (question: Question, call: Call): Promise<AsyncIterable<Part>> => {
      const given = { ...question.options, abortSignal: call.signal } as never;
      const streamed = (await modelOf(call).doStream(given)) as Streamed;
      question.streamed = streamed;
      return readParts(streamed.stream);
    },
  };
}

/** The parts of a stream; an error among them is thrown, as it would have been without a stream. */
async function* readParts(stream: ReadableStream<Part>): AsyncGenerator<Part> {
  const reader = stream.getReader();
  let isOver = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isOver = done;
      if (done) return;
      if (value.type === "error") throw value.error;
      yield value;
    }
  } finally {
    if (!isOver) reader.cancel().catch(() => {});
  }
}

const signalOf = ({ abortSignal }: CallOptions) => (abortSignal === undefined ? {} : { signal: abortSignal });

async function generate(
  router: AiRouter,
  options: CallOptions,
  route: RouteOptions<object>,
): Promise<object> {
  const question: Question = { options, streamed: null };
  const { output, ...rest } = route;
  let answer: object = {};
  const run = router.run(question, {
    ...rest,
    ...signalOf(options),
    output: async (given) => {
      answer = given;
      return output === undefined ? { ok: true, value: given } : output(given);
    },
  });
  await unlessAborted(run, options);
  return answer;
}

async function stream(router: AiRouter, options: CallOptions, route: RouteOptions<object>): Promise<object> {
  const question: Question = { options, streamed: null };
  const { output: _, ...rest } = route;
  const parts = await unlessAborted(router.stream(question, { ...rest, ...signalOf(options) }), options);
  return { ...question.streamed, stream: toStream(parts) };
}

/** Who aborts a call expects their own reason, from whatever model. */
async function unlessAborted<T>(work: Promise<T>, { abortSignal }: CallOptions): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isRouterError(error) && error.kind === "cancelled" && abortSignal?.aborted) throw abortSignal.reason;
    throw error;
  }
}

/** Errors of a stream that has begun are parts of it. */
function toStream(parts: AsyncIterable<Part>): ReadableStream<Part> {
  const iterator = parts[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      } catch (error) {
        controller.enqueue({ type: "error", error });
        controller.close();
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

type Urls = Readonly<Record<string, readonly RegExp[]>>;

/** What every model can fetch by itself: the rest is fetched for them. */
async function findCommonUrls(models: readonly AiModel[]): Promise<Urls> {
  const all = await Promise.all(
    models.map(async (model) => ((await (model as { supportedUrls?: unknown }).supportedUrls) ?? {}) as Urls),
  );
  const [first = {}, ...rest] = all;
  const isKnown = (urls: Urls, type: string, pattern: RegExp) =>
    (urls[type] ?? []).some((one) => String(one) === String(pattern));
  const common = Object.entries(first).map(([type, patterns]) => [
    type,
    patterns.filter((pattern) => rest.every((urls) => isKnown(urls, type, pattern))),
  ]);
  return Object.fromEntries(common);
}
