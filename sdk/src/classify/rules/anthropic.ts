import type { RuleTable } from "../rule.ts";

/** What Anthropic says, and Claude Code and the plans behind it. */
export const ANTHROPIC: RuleTable = {
  quota: {
    text: "specified api usage limits | regain access on | extra usage is required",
  },
  "capacity:everybody": { text: "temporarily limiting requests | not your usage limit" },
  capacity: { code: "overloaded_error" },
  "rate_limit:plan": {
    code: "anthropic-ratelimit-unified-status=rejected",
    text: "hit your limit | hit your session/weekly/usage limit | weekly/session/opus limit reached",
    unless: "spend* | premium | monthly | billing | credits | copilot",
    retryable: "wait",
    scope: "account",
  },
  "rate_limit:growth": { text: "ramp limit exceeded | acceleration limit* | usage increase rate" },
  "capacity:nobody-named": {
    code: "rate_limit_error",
    also: "rate limited",
    unless: "account | organization* | per minute | your | stated | exceeded | requests",
  },
  "invalid_request:output-cap": { text: "maximum allowed number of output tokens", switchHelps: true },
  invalid_request: { code: "request_too_large" },
  permission: {
    text: "request not allowed | com err bad request | organization has been disabled | only authorized for use with | beta is not yet available | oauth authentication is currently not",
  },
  content_filter: { code: "stopreason=refusal" },
  network: { text: "message stop" },
};

export const ANTHROPIC_REASONS: Readonly<Record<string, string>> = {
  quota: "A limit of money, set by the account or its contract, is reached.",
  "capacity:everybody": "Everybody is slowed down; it says itself that this is not the caller's limit.",
  capacity: "Anthropic's code for servers without room, whatever the status.",
  "rate_limit:plan": "The subscription's hours or week of use are used up.",
  "rate_limit:growth": "The account's use grew faster than allowed.",
  "capacity:nobody-named":
    "Rate limited, but no account, no figure and no wait are named: a shared throttle.",
  "invalid_request:output-cap": "max_tokens asks for more than the model ever writes.",
  invalid_request: "The request has too many bytes.",
  permission: "The account, the credential or the place is not allowed this.",
  content_filter: "A safety policy stopped the prompt or the answer.",
  network: "The stream ended without its last event.",
};
