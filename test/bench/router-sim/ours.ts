import { type Call, createRouter, isRouterError, type Target } from "@busyhour/sdk";
import type { Answer, Policy, Request, World } from "./simulate.ts";
import type { Model } from "./world.ts";

/** The shipped router, as an app would use it: providers by function, the chain as data, defaults everywhere. */
export const ours: Policy = (world) => {
  const call = async (request: Request, { model, timeoutMs }: Call) => {
    // The router itself gives up; here the model only goes on being asked for as long as it likes.
    const answer = await world.call(request, model, Math.max(timeoutMs / 1_000, 1e6));
    if (answer.kind === "ok") return model;
    throw toError(answer);
  };
  const providers = Object.fromEntries(world.models.map(({ provider }) => [provider, call]));
  const router = createRouter<Request, string>({
    providers,
    chain: { targets: world.models.map(toTarget), floor: world.models.at(-1)?.id ?? "" },
    system: world.time,
  });
  return async (request) => {
    try {
      return (await router.run(request)).value;
    } catch (error) {
      if (isRouterError(error)) return null;
      throw error;
    }
  };
};

function toTarget({ id, provider, tier, perMinute }: Model): Target {
  const isLimited = perMinute < 100_000;
  return {
    id,
    provider,
    model: id,
    tier: `tier ${tier}`,
    ...(isLimited ? { requestsPerMinute: perMinute } : {}),
  };
}

/** What a client throws for it. */
function toError({ kind, retryAfterS }: Answer): Error {
  const [status, type, message] =
    kind === "capacity"
      ? [529, "overloaded_error", "Overloaded"]
      : kind === "rate"
        ? [429, "rate_limit_error", "Number of requests has exceeded your per-minute rate limit"]
        : [500, "api_error", "Internal server error"];
  const headers = retryAfterS === undefined ? {} : { "retry-after": String(retryAfterS) };
  return Object.assign(new Error(message), {
    status,
    headers,
    error: { type: "error", error: { type, message } },
  });
}

export type { World };
