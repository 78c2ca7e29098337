import { createRouter } from "../router/router.ts";
import type { Call } from "../router/types.ts";
import { isContentPiece, type Piece, readAnswer, readPieces } from "./openai-answer.ts";
import { CLIENT_DEADLINE_MS, type RouteOptions, type WrapOptions } from "./route-options.ts";
import { createRoutedFetch, type OpenAIRequest, type OpenAIRouter, StoredResponses } from "./routed-fetch.ts";

/** What is used of a client of `openai`, 5 or newer, or of one that descends from it. */
export interface OpenAIClient {
  withOptions(options: never): OpenAIClient;
  readonly chat: { readonly completions: { create(...args: never[]): unknown } };
  readonly responses?: { create(...args: never[]): unknown };
}

/** The client, whose calls of Chat Completions and Responses are routed. */
export type RoutedOpenAI<Client> = Client & {
  /** The router behind it: its `choices`, `health` and `applyPlan`. */
  readonly router: OpenAIRouter;
  /** The same client for calls that are routed in a way of their own: `withRoute({ pin: "light" })`. */
  withRoute(route: RouteOptions<object>): RoutedOpenAI<Client>;
};

/**
 * A client of `openai` whose calls of Chat Completions and Responses go along a chain, streams and helpers included. It
 * keeps its types, its errors and everything else that it does; its own retries are switched off.
 *
 * @param clients one for all targets, or one by provider, the first of which is wrapped
 * @throws {TypeError} when the chain or a client cannot be used
 * @see docs/router.md#clients-as-they-are
 */
export function wrapOpenAI<Client extends OpenAIClient>(
  client: Client,
  options: WrapOptions<object, Piece>,
): RoutedOpenAI<Client>;
export function wrapOpenAI<Client extends OpenAIClient>(
  clients: Readonly<Record<string, Client>>,
  options: WrapOptions<object, Piece>,
): RoutedOpenAI<Client>;
export function wrapOpenAI<Client extends OpenAIClient>(
  clients: Client | Readonly<Record<string, Client>>,
  { named = "start", ...options }: WrapOptions<object, Piece>,
): RoutedOpenAI<Client> {
  const byProvider = isClient(clients)
    ? Object.fromEntries(options.chain.targets.map(({ provider }) => [provider, clients]))
    : clients;
  const [outer] = Object.values(byProvider);
  for (const [provider, client] of Object.entries(byProvider)) {
    if (!isClient(client)) throw new TypeError(`wrapOpenAI: ${provider} is no client of openai 5 or newer`);
  }
  if (outer === undefined) throw new TypeError("wrapOpenAI: there is no client");
  const { fetch: ownFetch, timeout } = outer as { fetch?: typeof globalThis.fetch; timeout?: unknown };
  const router = createRouter<OpenAIRequest, object, Piece>({
    deadlineMs: typeof timeout === "number" ? timeout : CLIENT_DEADLINE_MS,
    ...options,
    providers: Object.fromEntries(
      Object.entries(byProvider).map(([provider, client]) => [provider, providerOf(client)]),
    ),
    isContent: isContentPiece,
  });
  const stored = new StoredResponses();
  function wrap(route: RouteOptions<object>): RoutedOpenAI<Client> {
    const fetch = createRoutedFetch({ router, named, route, fetch: ownFetch ?? globalThis.fetch, stored });
    const copy = (outer as Client).withOptions({ fetch, maxRetries: 0 } as never);
    const withRoute = (more: RouteOptions<object>) => wrap({ ...route, ...more });
    return Object.assign(copy as Client, { router, withRoute });
  }
  return wrap({});
}

function isClient<Client extends OpenAIClient>(
  value: Client | Readonly<Record<string, Client>>,
): value is Client {
  const { withOptions, chat } = value as Partial<OpenAIClient>;
  return typeof withOptions === "function" && typeof chat?.completions?.create === "function";
}

/** A call whose answer is given as it came. */
type Create = (body: object, options: object) => { asResponse(): Promise<Response> };

function providerOf(client: OpenAIClient) {
  async function send(request: OpenAIRequest, { model, signal }: Call): Promise<Response> {
    const { api, body, headers } = request;
    const resource = api === "chat" ? client.chat.completions : client.responses;
    if (resource === undefined) throw new TypeError("this client knows no Responses");
    const create = resource.create.bind(resource) as unknown as Create;
    const response = await create({ ...body, model }, { signal, headers, maxRetries: 0 }).asResponse();
    request.served = response.headers;
    return response;
  }
  return {
    run: async (request: OpenAIRequest, call: Call) => readAnswer(await send(request, call)),
    stream: async (request: OpenAIRequest, call: Call) => readPieces(await send(request, call)),
  };
}
