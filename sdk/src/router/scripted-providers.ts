import { createRouter } from "./router.ts";
import { isRouterError, type RouterError } from "./router-error.ts";
import type { Call, Router, RouterOptions } from "./types.ts";
import { createVirtualTime, type VirtualTime } from "./virtual-time.ts";

/** What a target does with a call: answers with the text, fails as a client would, hangs, or throws as it is. */
export type Deed =
  | string
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown }
  | { readonly hang: true }
  | { readonly thrown: unknown };

/** What each target does with its calls in turn; the last entry stays. */
export type Script = Readonly<Record<string, readonly Deed[]>>;

const anthropic = (
  status: number,
  type: string,
  message: string,
  headers: Record<string, string> = {},
): Deed => ({
  status,
  headers,
  body: { type: "error", error: { type, message } },
});

export const FULL = anthropic(529, "overloaded_error", "Overloaded");
export const fullFor = (seconds: number) =>
  anthropic(529, "overloaded_error", "Overloaded", { "retry-after": String(seconds) });
export const limitedFor = (seconds: number) =>
  anthropic(429, "rate_limit_error", "This request would exceed your rate limit", {
    "retry-after": String(seconds),
  });
export const BAD_KEY: Deed = {
  status: 401,
  body: {
    error: { message: "Incorrect API key provided", type: "invalid_request_error", code: "invalid_api_key" },
  },
};
export const NO_MONEY: Deed = {
  status: 429,
  body: {
    error: {
      message: "You exceeded your current quota",
      type: "insufficient_quota",
      code: "insufficient_quota",
    },
  },
};
export const BAD_REQUEST: Deed = {
  status: 400,
  body: {
    error: {
      message: "Invalid value for 'temperature'",
      type: "invalid_request_error",
      code: "invalid_value",
    },
  },
};
export const FILTERED: Deed = {
  status: 400,
  body: {
    error: {
      message: "The response was filtered due to the prompt triggering content management policy",
      code: "content_filter",
    },
  },
};
export const TOO_LONG: Deed = {
  status: 400,
  body: {
    error: { message: "This model's maximum context length is 8192 tokens", code: "context_length_exceeded" },
  },
};
export const BROKEN: Deed = { status: 500, body: { error: { message: "Internal server error" } } };

export interface Scripted {
  readonly router: Router<string, unknown>;
  readonly time: VirtualTime;
  /** Each call: which target, and when (ms of `elapsed`). */
  readonly calls: { readonly id: string; readonly atMs: number }[];
  /** Ids of the targets called, in order. */
  asked(): string[];
}

/** Every call takes so long, failures too. */
export const CALL_MS = 1_000;

/** A chain flagship, standard (both of provider one), light (provider two), in virtual time. */
export function scripted(
  script: Script,
  {
    time = createVirtualTime(),
    ...options
  }: Partial<RouterOptions<string, unknown>> & { time?: VirtualTime } = {},
): Scripted {
  const calls: { id: string; atMs: number }[] = [];
  async function answer(_: string, { target, signal }: Call): Promise<unknown> {
    const deeds = script[target.id] ?? ["hello"];
    const done = calls.filter(({ id }) => id === target.id).length;
    const deed = deeds[Math.min(done, deeds.length - 1)] ?? "hello";
    calls.push({ id: target.id, atMs: time.elapsed() });
    await time.sleep(CALL_MS);
    return perform(deed, signal);
  }
  const router = createRouter<string, unknown>({
    providers: { one: answer, two: answer },
    chain: CHAIN,
    system: time,
    onPlanProblem: () => {},
    ...options,
  });
  return { router, time, calls, asked: () => calls.map(({ id }) => id) };
}

export const CHAIN = {
  targets: [
    { id: "flagship", provider: "one", model: "big" },
    { id: "standard", provider: "one", model: "middle" },
    { id: "light", provider: "two", model: "small" },
  ],
};

async function perform(deed: Deed, signal: AbortSignal): Promise<unknown> {
  if (typeof deed === "string") return deed;
  if ("thrown" in deed) throw deed.thrown;
  if ("hang" in deed) {
    return new Promise((_, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }
  throw toClientError(deed);
}

/** As the OpenAI and Anthropic clients throw it. */
export function toClientError({
  status,
  headers,
  body,
}: {
  status: number;
  headers?: unknown;
  body?: unknown;
}): Error {
  return Object.assign(new Error(`${status} ${JSON.stringify(body)}`), { status, headers, error: body });
}

/** What the promise ends with, after as much virtual time as that takes; a router's error is given back. */
export async function settle<T>(time: VirtualTime, promise: Promise<T>): Promise<T | RouterError> {
  const ended = promise.catch((error: unknown) => {
    if (isRouterError(error)) return error;
    throw error;
  });
  // What it is rejected with is for the caller alone, however long the world goes on.
  ended.catch(() => {});
  await time.run();
  return ended;
}
