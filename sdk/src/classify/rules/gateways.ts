import type { RuleTable } from "../rule.ts";

/** What routers, gateways and assistants between the caller and a model say of their own. */
export const GATEWAYS: Readonly<Record<string, RuleTable>> = {
  openrouter: {
    quota: {
      code: "openrouter_credits",
      text: "can only afford | key limit exceeded | prompt tokens limit exceeded | token capacity required",
    },
    capacity: { text: "rate limited upstream | error from provider .. rate limit" },
    permission: {
      text: "no allowed providers | matching your .. policy | data .. policy | policy enablement | matching your guardrail | no endpoints .. privacy",
    },
    not_found: {
      text: "no endpoints found | not a valid model id | unavailable for free | free period of this",
    },
    auth: { text: "no cookie auth" },
    server_error: { text: "while expecting start token" },
  },
  litellm: {
    quota: {
      text: "exceeded budget | over budget | budget .. exceeded | budget .. exhausted | budget pool",
    },
    rate_limit: {
      text: "no deployments available | deployments .. cooldown/try",
    },
    not_found: {
      text: "unknown provider for model | no healthy deployments",
      unless: "try again in",
    },
  },
  oneapi: {
    capacity: {
      text: "负载已饱和 | upstream group .. saturated | upstream load is saturated",
      unless: "insufficient quota | billing not active",
    },
    not_found: { text: "无可用渠道 | no available channel" },
    quota: {
      text: "令牌额度 | token/user quota is not enough | token/consume/consumed quota failed | 预扣费",
    },
    permission: { text: "无权访问 | 无权使用" },
  },
  vercel: {
    permission: {
      text: "restricted access due to abuse | credit card on file | customer verification required",
      retryable: false,
    },
  },
  copilot: {
    context_length: { code: "model_max_prompt_tokens_exceeded" },
    rate_limit: {
      code: "rate_limited",
      text: "exceeded your copilot token",
      unless: "high demand | overloaded | per day",
    },
    quota: { text: "premium model quota | premium request* | exhausted your premium" },
  },
  cloudflare: {
    names: "cloudflare",
    quota: { code: "3036", text: "daily free allocation" },
    capacity: { code: "3040", text: "no more data centers" },
    timeout: { code: "3007 3046" },
    cancelled: { code: "3008", retryable: true, switchHelps: true },
    not_found: { code: "5007 7003" },
    permission: { code: "5016 5018 3041 3023", text: "not agreed to .. terms" },
    auth: { code: "10000" },
  },
  edge: {
    network: {
      code: "connection_timeout",
      text: "web server is down | 522 connection timed out | origin is unreachable | invalid ssl certificate | web server is returning",
      unless: "524",
    },
    permission: {
      code: "cf-mitigated=challenge",
      text: "just a moment | attention required | you have been blocked | javascript and cookies",
    },
  },
  cursor: { capacity: { text: "more traffic than we can handle" } },
};

export const GATEWAYS_REASONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  openrouter: {
    quota: "The account's or the key's credits do not cover the call.",
    capacity: "The host behind the gateway limits all of the gateway's customers together.",
    permission: "The account's own settings leave no host for the model.",
    not_found: "No host offers this model.",
    auth: "No key was sent.",
    server_error: "The host's model wrote something that the host itself could not read.",
  },
  litellm: {
    quota: "A budget set in the gateway is spent.",
    rate_limit: "The gateway lets all its targets rest after failures.",
    not_found: "The gateway has no such model.",
  },
  oneapi: {
    capacity: "The gateway's hosts for this group are full.",
    not_found: "The gateway has no channel for this model.",
    quota: "The gateway's balance for this key is used up.",
    permission: "The gateway's token may not use this.",
  },
  vercel: { permission: "The account has to be verified, or its free credits are blocked." },
  copilot: {
    context_length: "The prompt is longer than the plan allows for this model.",
    rate_limit: "The plan's requests for some time are used up.",
    quota: "The plan's monthly allowance is used up.",
  },
  cloudflare: {
    quota: "The free neurons of the day are used up; a paid plan has more.",
    capacity: "No data centre has room for this model.",
    timeout: "Cloudflare's model took too long.",
    cancelled: "Documented as aborted: by the caller, or by Cloudflare.",
    not_found: "No such model or path.",
    permission: "The model's terms are not accepted, or it is not open to this account.",
    auth: "Cloudflare does not accept the token.",
  },
  edge: {
    network: "The edge could not reach the provider's servers.",
    permission: "A wall against bots answered instead of the API.",
  },
  cursor: { capacity: "The service has more traffic than room." },
};
