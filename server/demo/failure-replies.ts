import type { AttemptError, Outcome } from "@busyhour/sdk";
import type { Provider } from "./targets.ts";

/** What comes back with a failure; no status when nothing came back at all. */
export interface FailureReply {
  readonly httpStatus?: number;
  readonly error: Readonly<AttemptError>;
}

type Replies = Readonly<Partial<Record<Outcome, FailureReply>>>;

/** Where the own side notices: the provider says nothing. */
const unanswered: Replies = {
  timeout: { error: { type: "TimeoutError", code: "ETIMEDOUT", message: "No answer within 60 s." } },
  network: { error: { type: "FetchError", code: "ECONNRESET", message: "The connection was reset." } },
};

/** Each provider's own way to say no. An outcome that is missing here cannot happen there. */
const REPLIES: Readonly<Record<Provider, Replies>> = {
  anthropic: {
    ...unanswered,
    capacity: reply(529, "overloaded_error", "Overloaded, please try again later."),
    rate_limit: reply(429, "rate_limit_error", "This would exceed the limit of input tokens per minute."),
    server_error: reply(500, "api_error", "Internal server error"),
    invalid_request: reply(400, "invalid_request_error", "messages: the first one must have content"),
    context_length: reply(400, "invalid_request_error", "prompt is too long for the model's context"),
    content_filter: reply(400, "invalid_request_error", "Output blocked by content filtering policy"),
    auth: reply(401, "authentication_error", "invalid x-api-key"),
  },
  openai: {
    ...unanswered,
    capacity: reply(
      503,
      "server_error",
      "Selected model is at capacity. Please try a different model.",
      "overloaded",
    ),
    rate_limit: reply(429, "tokens", "Rate limit reached for tokens per minute.", "rate_limit_exceeded"),
    server_error: reply(500, "server_error", "The server had an error while processing your request."),
    invalid_request: reply(
      400,
      "invalid_request_error",
      "Invalid schema for response_format",
      "invalid_value",
    ),
    context_length: reply(
      400,
      "invalid_request_error",
      "The input is longer than the model's context.",
      "context_length_exceeded",
    ),
    content_filter: reply(
      400,
      "invalid_request_error",
      "Flagged by the content policy.",
      "content_policy_violation",
    ),
    quota: reply(429, "insufficient_quota", "You exceeded your current quota.", "insufficient_quota"),
    auth: reply(401, "invalid_request_error", "Incorrect API key provided.", "invalid_api_key"),
    not_found: reply(404, "invalid_request_error", "The model does not exist here.", "model_not_found"),
  },
  google: {
    ...unanswered,
    capacity: reply(503, "UNAVAILABLE", "The model is overloaded. Please try again later.", 503),
    rate_limit: reply(429, "RESOURCE_EXHAUSTED", "Requests per minute exceeded.", 429),
    server_error: reply(500, "INTERNAL", "An internal error has occurred.", 500),
    invalid_request: reply(400, "INVALID_ARGUMENT", "Request contains an invalid argument.", 400),
    context_length: reply(400, "INVALID_ARGUMENT", "The input token count exceeds the maximum.", 400),
    content_filter: reply(200, "SAFETY", "The answer was blocked for safety."),
  },
  deepseek: {
    ...unanswered,
    capacity: reply(503, "server_overloaded", "The server is overloaded due to high traffic."),
    rate_limit: reply(429, "rate_limit_reached", "You are sending requests too quickly."),
    server_error: reply(500, "server_error", "Our server encounters an issue."),
    invalid_request: reply(400, "invalid_request_error", "Invalid request body format."),
    context_length: reply(400, "invalid_request_error", "The maximum context length is exceeded."),
    content_filter: reply(400, "invalid_request_error", "Content Exists Risk"),
  },
  openrouter: {
    ...unanswered,
    capacity: reply(503, "provider_unavailable", "The upstream provider is at capacity right now.", 503),
    rate_limit: reply(429, "rate_limited", "Rate limit exceeded, slow down.", 429),
    server_error: reply(502, "provider_error", "Provider returned error", 502),
    invalid_request: reply(400, "bad_request", "Input validation error", 400),
    context_length: reply(400, "bad_request", "This endpoint's maximum context length is exceeded.", 400),
    content_filter: reply(403, "moderation", "The input was flagged by moderation.", 403),
  },
  ollama: {
    network: { error: { type: "FetchError", code: "ECONNREFUSED", message: "The connection was refused." } },
    invalid_request: reply(400, "error", "invalid options"),
  },
};

/** What this provider answers, or `null` where such a failure cannot happen. */
export function findReply(provider: Provider, outcome: Outcome): FailureReply | null {
  return REPLIES[provider][outcome] ?? null;
}

function reply(httpStatus: number, type: string, message: string, code?: string | number): FailureReply {
  return { httpStatus, error: code === undefined ? { type, message } : { type, code, message } };
}
