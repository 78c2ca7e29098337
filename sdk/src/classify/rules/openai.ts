import type { Rule } from "../rule.ts";

/** What OpenAI says, and Codex, ChatGPT and the many who speak its dialect. */
export const OPENAI: readonly Rule[] = [
  {
    id: "openai/one-request-above-limit",
    outcome: "rate_limit",
    code: "request=above-limit",
    text: "request too large for .. tokens per min* | request too large .. tokens per min*",
    retryable: false,
    scope: "request",
    because:
      "This one request is larger than the whole minute's allowance: no wait helps, a shorter prompt does.",
  },
  {
    id: "openai/output-is-overload",
    outcome: "capacity",
    code: "delta=Our servers are currently overloaded. Please try again later.",
    because: "The overload notice came as the whole answer of a stream.",
  },
  {
    id: "openai/overloaded",
    outcome: "capacity",
    code: "server_is_overloaded | slow_down | engine_overloaded | engine_overloaded_error | model_overloaded | server_overloaded",
    text: "model is at capacity | overloaded or not ready",
    because: "OpenAI's own code for servers without room.",
  },
  {
    id: "openai/socket-age",
    outcome: "network",
    code: "websocket_connection_limit_reached",
    text: "websocket connection limit reached",
    switchHelps: false,
    because: "The socket reached its greatest age: open a new one.",
  },
  {
    id: "openai/plan-limit",
    outcome: "rate_limit",
    code: "usage_limit_reached",
    retryable: "wait",
    scope: "account",
    because: "The plan's allowance for some hours or days is used up.",
  },
  {
    id: "openai/plan-without-it",
    outcome: "permission",
    code: "usage_not_included",
    scope: "account",
    because: "The plan does not include this use.",
  },
  {
    id: "openai/insufficient-quota",
    outcome: "quota",
    code: "insufficient_quota | billing_hard_limit_reached | billing_not_active | insufficient_user_quota | insufficient_credits | quota_exceeded",
    unless:
      "concurren* | per minute | per second | tokens per min* | rate limit* | rate quota | allocated quota exceeded | tpm | rpm | saturat* | throttl*",
    because: "The balance, credit or plan is used up; waiting does not fill it.",
  },
  {
    id: "openai/moderation",
    outcome: "content_filter",
    code: "content_policy_violation | content_filter | moderation_blocked | cyber_policy_violation | safety_violation | content_policy",
    text: "flagged as potentially violating | violat* .. usage polic* | our safety system",
    because: "The safety system stopped the prompt or the answer.",
  },
  {
    id: "openai/country",
    outcome: "permission",
    code: "unsupported_country_region_territory",
    text: "country region or territory not supported",
    scope: "provider",
    because: "OpenAI serves no calls from this country.",
  },
  {
    id: "openai/verification",
    outcome: "permission",
    code: "account_deactivated | ip_not_authorized | mismatched_organization | mismatched_project",
    text: "organization must be verified | insufficient permissions for this operation | missing scopes | not allowed to sample from this model | must be a member of an organization",
    because: "The key is known but not allowed this.",
  },
];
