import type { RuleTable } from "../rule.ts";

/** What hosts of models with few words of their own, and servers that one runs oneself, say. */
export const HOSTS: Readonly<Record<string, RuleTable>> = {
  cerebras: {
    capacity: { code: "queue_exceeded" },
    rate_limit: { text: "token/request quota exceeded" },
  },
  groq: {
    capacity: { text: "capacity exceeded", unless: "exhausted your" },
    quota: { code: "blocked_api_access" },
    not_found: { text: "model not active" },
    permission: { text: "organization restricted | model terms required" },
    server_error: { text: "json validate failed | tool use failed" },
  },
  mistral: {
    names: "mistral",
    capacity: { code: "3505", text: "service tier capacity" },
    rate_limit: { code: "1300" },
  },
  cohere: {
    quota: { text: "trial key .. month" },
    rate_limit: { text: "trial key .. minute" },
  },
  fireworks: {
    capacity: { text: "generate first token" },
    quota: { text: "is suspended possibly due | account .. suspended .. billing/balance" },
  },
  xai: {
    quota: { text: "used all available credits | raise your spending" },
    content_filter: { text: "content violates usage" },
  },
  huggingface: {
    capacity: { text: "no permits available" },
    quota: { text: "monthly included credits | exceeded your monthly" },
    rate_limit: { text: "free usage limit" },
    permission: {
      text: "requires a pro subscription | requires a subscription | not available on your plan",
    },
    context_length: { text: "max new tokens must | inputs must have less | tokens must be" },
  },
  nim: {
    capacity: { text: "worker local total request limit" },
    not_found: { text: "function .. not found for account | specified function in account" },
    server_error: { text: "degraded function" },
    quota: { text: "cloud credits expired" },
  },
  ollama: {
    capacity: { text: "pending requests exceeded" },
    rate_limit: { text: "hourly/weekly/session/daily usage limit", retryable: "wait", scope: "account" },
    server_error: {
      text: "more system memory | out of memory | to allocate | error loading model | failed to load model",
      retryable: false,
    },
    not_found: { text: "try pulling it" },
  },
  llamacpp: {
    invalid_request: { text: "native context capacity", switchHelps: true },
    context_length: { text: "available context size | n ctx" },
  },
  vllm: {
    server_error: {
      text: "engine dead | engine core encountered | loop has errored",
      retryable: false,
    },
  },
  replicate: {
    quota: { text: "have enough credit" },
    capacity: { text: "queue reached limit" },
  },
  together: { rate_limit: { text: "dynamic request/token limited" } },
  watsonx: { quota: { code: "token_quota_reached" }, not_found: { code: "model_not_supported" } },
};

export const HOSTS_REASONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cerebras: {
    capacity: "The queue that all share is full; status and type are those of the caller's own limit.",
    rate_limit: "Own requests or tokens per minute are used up.",
  },
  groq: {
    capacity: "Groq has no room for this model or tier.",
    quota: "The spend limit is reached.",
    not_found: "The model was retired.",
    permission: "The organization may not use it, or has not accepted its terms.",
    server_error: "The model wrote something that is no valid answer; another try may.",
  },
  mistral: {
    capacity: "The tier has no room for this model, although the type blames the request.",
    rate_limit: "Own requests or tokens per time are used up.",
  },
  cohere: {
    quota: "The trial's calls of the month are used up.",
    rate_limit: "The trial's calls of the minute are used up.",
  },
  fireworks: {
    capacity: "The servers were too full to begin in time.",
    quota: "The account is stopped for money, although the status says precondition.",
  },
  xai: {
    quota: "The team's credits or spending limit are used up.",
    content_filter: "A safety check stopped the prompt.",
  },
  huggingface: {
    capacity: "The model is being loaded, or its servers are full.",
    quota: "The month's credits are used up.",
    rate_limit: "The free calls of the hour are used up.",
    permission: "The plan does not include the model.",
    context_length: "Prompt and answer together are too long, even where the status says forbidden.",
  },
  nim: {
    capacity: "The server's worker is full; no limit of the caller's is.",
    not_found: "The model is not in the catalogue, or not for this account.",
    server_error: "The model's servers are broken for now.",
    quota: "The account's credits have expired.",
  },
  ollama: {
    capacity: "The local server's queue or slots are full.",
    rate_limit: "The plan's hours or week of use are used up.",
    server_error: "The machine has too little memory for this model.",
    not_found: "The model was never pulled.",
  },
  llamacpp: {
    context_length: "The prompt is longer than the server's context.",
    invalid_request: "A start-up setting is larger than the model's window.",
  },
  vllm: { server_error: "The engine's process died: nothing helps until it is started again." },
  replicate: {
    quota: "The account's credit does not cover the call.",
    capacity: "The model's queue is full.",
  },
  together: { rate_limit: "Own requests or tokens per time are used up." },
  watsonx: {
    quota: "The plan's tokens of the month are used up.",
    not_found: "The model was withdrawn or is named wrongly.",
  },
};
