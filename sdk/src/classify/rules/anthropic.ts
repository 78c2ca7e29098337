import type { Rule } from "../rule.ts";

/** What Anthropic says, and Claude Code and the plans behind it. */
export const ANTHROPIC: readonly Rule[] = [
  {
    id: "anthropic/spend-limit",
    outcome: "quota",
    code: "enforced_spend_limit_reached | contract_spend_limit_reached | billing_error",
    text: "credit balance is too low | specified api usage limits | regain access on | monthly spend limit | extra usage is required",
    because: "A limit of money, set by the account or the contract, is reached.",
  },
  {
    id: "anthropic/not-your-limit",
    outcome: "capacity",
    text: "temporarily limiting requests | not your usage limit",
    because: "Anthropic slows everybody down; it says itself that this is not the caller's limit.",
  },
  {
    id: "anthropic/overloaded",
    outcome: "capacity",
    code: "overloaded_error",
    because: "Anthropic's code for servers without room, whatever the status.",
  },
  {
    id: "anthropic/plan-limit",
    outcome: "rate_limit",
    code: "anthropic-ratelimit-unified-status=rejected",
    text: "hit your limit | hit your session limit | hit your weekly limit | hit your * limit | ai usage limit reached | 5 hour limit | weekly limit reached | session limit reached | opus limit reached",
    unless: "spend | spending | premium | monthly | billing | credits | copilot",
    retryable: "wait",
    scope: "account",
    because: "The subscription's hours or week of use are used up.",
  },
  {
    id: "anthropic/growth",
    outcome: "rate_limit",
    code: "ramp_limit_exceeded",
    text: "acceleration limit | usage increase rate | scale up gradually",
    because: "The account's use grew faster than allowed.",
  },
  {
    id: "anthropic/bare-rate-limited",
    outcome: "capacity",
    code: "rate_limit_error",
    also: "| rate limited | . | rate limited please",
    unless:
      "account | organization | organizations | per minute | your | wait | stated | exceeded | requests",
    because: "Rate limited, but by nobody's limit: no account, no figure and no wait are named.",
  },
  {
    id: "anthropic/output-cap",
    outcome: "invalid_request",
    text: "maximum allowed number of output tokens",
    because: "max_tokens asks for more than the model ever writes.",
  },
  {
    id: "anthropic/too-many-bytes",
    outcome: "invalid_request",
    code: "request_too_large",
    because: "The request has too many bytes.",
  },
  {
    id: "anthropic/refused",
    outcome: "permission",
    text: "request not allowed | organization has been disabled | only authorized for use with claude code | long context beta is not yet available | oauth authentication is currently not",
    because: "The account, the credential or the place is not allowed this.",
  },
  {
    id: "anthropic/policy",
    outcome: "content_filter",
    code: "stopreason=refusal",
    text: "violate our usage policy | output blocked by content filter* | appears to violate",
    because: "A safety policy stopped the prompt or the answer.",
  },
  {
    id: "anthropic/stream-cut",
    outcome: "network",
    text: "ended before message stop | without receiving message stop",
    because: "The stream ended without its last event.",
  },
];
