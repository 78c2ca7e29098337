import { createCaller } from "./observe.ts";
import type { ObserveOptions } from "./options.ts";
import { runCovered } from "./scope.ts";

/** A request as `@anthropic-ai/sdk` hands it to a middleware. */
interface AnthropicRequest extends RequestInit {
  readonly url: string;
}

/**
 * A middleware for `new Anthropic({ middleware: [observeAnthropic({ report })] })`. It sees each attempt, on Bedrock,
 * Vertex and Foundry as well. A `fetch` that is observed too adds nothing to it.
 */
export function observeAnthropic(options: ObserveOptions) {
  const makeCall = createCaller(options);
  return <R extends AnthropicRequest>(
    request: R,
    next: (request: R) => Promise<Response>,
  ): Promise<Response> => makeCall(() => runCovered(() => next(request)), request.url, request);
}
