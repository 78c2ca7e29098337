import type { RuleTable } from "../rule.ts";

/** What OpenAI says, and Codex, ChatGPT and the many who speak its dialect. */
export const OPENAI: RuleTable = {
  "rate_limit:one-request": {
    code: "request=above-limit",
    text: "request too large .. tokens per min*",
    unless: "model token limit",
    retryable: false,
    scope: "request",
  },
  capacity: {
    code: "server_is_overloaded slow_down delta=overload",
  },
  network: { text: "websocket connection limit reached | session hit the maximum", switchHelps: false },
  "rate_limit:plan": { code: "usage_limit_reached", retryable: "wait", scope: "account" },
  permission: {
    code: "usage_not_included account_deactivated ip_not_authorized",
    text: "country region territory | region or territory | organization must be verified | missing scopes",
  },
  quota: {
    code: "insufficient_quota insufficient_user_quota billing_not_active",
    unless:
      "concurren* | per minute/second | tokens per min* | rate limit/quota | allocated quota exceeded | tpm | rpm | throttl*",
  },
  content_filter: {
    code: "content_policy_violation moderation_blocked",
    text: "flagged as potentially",
  },
};

export const OPENAI_REASONS: Readonly<Record<string, string>> = {
  "rate_limit:one-request":
    "This one request is larger than the whole minute's allowance: no wait helps, a shorter prompt does.",
  capacity: "OpenAI's own words for servers without room, even where they come as the answer's text.",
  network: "The socket reached its greatest age: open a new one.",
  "rate_limit:plan": "The plan's allowance for some hours or days is used up.",
  permission: "The key is known, but the plan, the organization or the country does not allow this.",
  quota: "The balance or credit is used up; waiting does not fill it.",
  content_filter: "The safety system stopped the prompt or the answer.",
};
