import { isRouterError, type RouterError } from "../router/router-error.ts";
import type { Router, RunOptions } from "../router/types.ts";
import { noteRouterError } from "./find-router-error.ts";
import { type Piece, toBody, toResponse, withHeaders } from "./openai-answer.ts";
import { type RouteOptions, readNamedModel } from "./route-options.ts";

/** What is asked, before a target is chosen. */
export interface OpenAIRequest {
  readonly api: "chat" | "responses";
  readonly body: Readonly<Record<string, unknown>>;
  /** Those of the caller alone: keys and such are each client's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of the answer that came last. */
  served: Headers | null;
}

export type OpenAIRouter = Router<OpenAIRequest, object, Piece>;
type Fetch = typeof globalThis.fetch;

export interface RoutedFetchParts {
  readonly router: OpenAIRouter;
  readonly named: "start" | "pin";
  readonly route: RouteOptions<object>;
  /** For everything that asks no model. */
  readonly fetch: Fetch;
  /** Which provider has stored which response. */
  readonly stored: StoredResponses;
}

/** Names of headers that a client makes itself. */
const OWN_HEADER =
  /^(authorization|api-key|accept|content-.*|user-agent|host|connection|cookie|openai-(organization|project)|x-stainless-.*|idempotency-key)$/i;

/** A fetch by which a client asks the chain instead of its own server; what asks no model passes. */
export function createRoutedFetch(parts: RoutedFetchParts): Fetch {
  return async (input, init) => {
    const request = readRequest(input, init);
    if (request === null) return parts.fetch(input, init);
    try {
      return await ask(parts, request, init?.signal ?? undefined);
    } catch (error) {
      if (!isRouterError(error) || error.kind === "cancelled")
        throw init?.signal?.aborted ? init.signal.reason : error;
      return refuse(error);
    }
  };
}

function readRequest(input: Parameters<Fetch>[0], init: RequestInit | undefined): OpenAIRequest | null {
  const url = typeof input === "string" ? input : input instanceof URL ? input.href : input.url;
  const api = /\/(chat\/completions|responses)(?:\?[^/]*)?$/.exec(url)?.[1];
  if (api === undefined || init?.method?.toUpperCase() !== "POST" || typeof init.body !== "string")
    return null;
  const body: unknown = JSON.parse(init.body);
  if (typeof body !== "object" || body === null) return null;
  const headers = [...new Headers(init.headers)].filter(([name]) => !OWN_HEADER.test(name));
  return {
    api: api === "responses" ? "responses" : "chat",
    body: body as OpenAIRequest["body"],
    headers: Object.fromEntries(headers),
    served: null,
  };
}

async function ask(
  parts: RoutedFetchParts,
  request: OpenAIRequest,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { router, route, stored } = parts;
  const { model } = request.body;
  const place = readNamedModel(model, router.chain, parts.named);
  if (place === null) return refuseModel(model, router);
  const options: RunOptions<object, unknown> = {
    ...(route.pin === undefined && route.startAt === undefined ? place : {}),
    ...route,
    exclude: [
      ...(route.exclude ?? []),
      ...stored.strangersTo(request.body["previous_response_id"], router.chain.targets),
    ],
    ...(signal === undefined ? {} : { signal }),
  };
  if (request.body["stream"] === true) {
    const { output: _, ...rest } = options;
    const result = await router.stream(request, rest);
    const headers = withHeaders(request.served ?? new Headers(), told(result.target.id, result.isDegraded));
    const pieces = stored.watch(result, result.target);
    return new Response(toBody(pieces), { status: 200, headers });
  }
  let answer: object = {};
  const { output } = options;
  const result = await router.run(request, {
    ...options,
    // Checked, and passed on as it came: the client has types of its own.
    output: async (given) => {
      answer = given;
      return output === undefined ? { ok: true, value: given } : output(given);
    },
  });
  stored.note((answer as { id?: unknown }).id, result.target);
  return toResponse(answer, told(result.target.id, result.isDegraded));
}

const told = (target: string, isDegraded: boolean) => ({
  "x-busyhour-target": encodeURIComponent(target),
  "x-busyhour-degraded": String(isDegraded),
});

function refuseModel(model: unknown, { chain }: OpenAIRouter): Response {
  const known = chain.targets.map(({ id }) => id).join(", ");
  const message = `The chain has no target ${JSON.stringify(model)}; it has ${known}. “auto” asks all of them in turn`;
  return errorResponse(404, {
    message,
    type: "invalid_request_error",
    param: "model",
    code: "model_not_found",
  });
}

const STATUS_BY_KIND = {
  busy: 503,
  deadline: 504,
  bad_output: 502,
  refused: 403,
  interrupted: 502,
  cancelled: 499,
};

/** What the last target said, so that the client makes of it what it always does; else what the router has to say. */
function refuse(error: RouterError): Response {
  const cause = (error.cause ?? {}) as { status?: unknown; error?: unknown; headers?: unknown };
  const isTheirs =
    typeof cause.status === "number" && cause.status >= 400 && cause.headers instanceof Headers;
  const headers: Record<string, string> = {};
  if (error.retryAfterMs !== null) headers["retry-after"] = String(Math.ceil(error.retryAfterMs / 1_000));
  const response = isTheirs
    ? errorResponse(
        cause.status as number,
        cause.error ?? { message: error.message },
        withHeaders(cause.headers as Headers, headers),
      )
    : errorResponse(
        STATUS_BY_KIND[error.kind],
        { message: error.message, type: "router_error", code: error.kind },
        new Headers(headers),
      );
  noteRouterError(response.headers, error);
  return response;
}

function errorResponse(status: number, error: unknown, headers = new Headers()): Response {
  // The router has repeated already what was worth it.
  headers.set("x-should-retry", "false");
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify({ error }), { status, headers });
}

const MOST_STORED = 10_000;

interface Place {
  readonly id: string;
  readonly provider: string;
  readonly account?: string;
}

/** A stored response is known to the account that made it, and to no other. */
export class StoredResponses {
  readonly #places = new Map<string, Place>();

  note(id: unknown, target: Place): void {
    if (typeof id !== "string" || !id.startsWith("resp")) return;
    this.#places.set(id, target);
    const [oldest] = this.#places.keys();
    if (this.#places.size > MOST_STORED && oldest !== undefined) this.#places.delete(oldest);
  }

  /** Ids of the targets that cannot know it. */
  strangersTo(id: unknown, targets: readonly Place[]): string[] {
    const place = typeof id === "string" ? this.#places.get(id) : undefined;
    if (place === undefined) return [];
    const isHome = (one: Place) => one.provider === place.provider && one.account === place.account;
    return targets.filter((one) => !isHome(one)).map((one) => one.id);
  }

  async *watch(pieces: AsyncIterable<Piece>, target: Place): AsyncGenerator<Piece> {
    for await (const piece of pieces) {
      if (piece["type"] === "response.created")
        this.note((piece["response"] as Piece | undefined)?.["id"], target);
      yield piece;
    }
  }
}
