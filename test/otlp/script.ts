import { SpanKind } from "@opentelemetry/api";

/** When the script begins. */
export const T0 = Date.parse("2026-11-29T11:00:00Z");

/** One span of the script. */
export interface Play {
  readonly name: string;
  readonly scope?: string;
  readonly kind?: SpanKind;
  /** Milliseconds after T0. */
  readonly at: number;
  readonly ms: number;
  readonly attributes: Record<string, string | number | boolean>;
  readonly fails?: { readonly message: string; readonly type: string };
  /** Name of the span above it, and the name under which others stand beneath it. */
  readonly under?: string;
  readonly as?: string;
}

/** Every kind of call once, as its instrument would record it; agents and tools around them must not count. */
export const SCRIPT: readonly Play[] = [
  {
    name: "invoke_agent",
    as: "agent",
    at: 0,
    ms: 9000,
    attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.request.model": "m" },
  },
  {
    name: "chat gpt-x",
    under: "agent",
    at: 1000,
    ms: 812,
    kind: SpanKind.CLIENT,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-x",
      "gen_ai.response.model": "gpt-x-2026",
      "gen_ai.request.stream": true,
      "gen_ai.response.time_to_first_chunk": 0.31,
      "gen_ai.usage.input_tokens": 120,
      "gen_ai.usage.output_tokens": 45,
      "gen_ai.input.messages": "a secret prompt",
      "server.address": "api.openai.com",
      "server.port": 443,
    },
  },
  {
    name: "chat gpt-x",
    scope: "@opentelemetry/instrumentation-openai",
    under: "agent",
    at: 2000,
    ms: 40,
    kind: SpanKind.CLIENT,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.system": "openai",
      "gen_ai.request.model": "gpt-x",
      "server.address": "api.openai.com",
      "error.type": "RateLimitError",
    },
    fails: { type: "RateLimitError", message: "429 Rate limit reached for gpt-x" },
  },
  {
    name: "anthropic.messages.create",
    scope: "com.anthropic.sdk.typescript",
    at: 3000,
    ms: 5000,
    kind: SpanKind.CLIENT,
    attributes: {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "anthropic",
      "gen_ai.request.model": "claude-x",
      "http.response.status_code": 529,
      "http.request.resend_count": 2,
      "error.type": "overloaded_error",
    },
    fails: { type: "OverloadedError", message: "Overloaded" },
  },
  {
    name: "ai.generateText",
    scope: "ai",
    as: "generate",
    at: 4000,
    ms: 3000,
    attributes: {
      "ai.operationId": "ai.generateText",
      "ai.model.id": "gemini-x",
      "ai.model.provider": "google.vertex.chat",
    },
  },
  {
    name: "ai.generateText.doGenerate",
    scope: "ai",
    under: "generate",
    at: 4001,
    ms: 100,
    attributes: {
      "ai.operationId": "ai.generateText.doGenerate",
      "ai.model.id": "gemini-x",
      "ai.model.provider": "google.vertex.chat",
    },
    fails: { type: "AI_APICallError", message: "The model is overloaded. Please try again later." },
  },
  {
    name: "ai.generateText.doGenerate",
    scope: "ai",
    under: "generate",
    at: 6000,
    ms: 900,
    attributes: {
      "ai.operationId": "ai.generateText.doGenerate",
      "ai.model.id": "gemini-x",
      "ai.model.provider": "google.vertex.chat",
      "ai.usage.inputTokens": 3,
      "ai.usage.outputTokens": 4,
    },
  },
  {
    name: "ChatOpenAI",
    as: "framework",
    at: 7000,
    ms: 600,
    attributes: { "openinference.span.kind": "LLM", "llm.provider": "openai", "llm.model_name": "gpt-y" },
  },
  {
    name: "openai.chat",
    under: "framework",
    at: 7100,
    ms: 400,
    kind: SpanKind.CLIENT,
    attributes: {
      "llm.request.type": "chat",
      "gen_ai.system": "openai",
      "gen_ai.request.model": "gpt-y",
      "gen_ai.usage.prompt_tokens": 5,
      "gen_ai.usage.completion_tokens": 6,
    },
  },
  { name: "execute_tool", at: 8000, ms: 10, attributes: { "gen_ai.operation.name": "execute_tool" } },
];

/** What must be stored of the script, by time, and nothing else. */
export const EXPECTED: readonly ({ readonly at: number } & Readonly<Record<string, unknown>>)[] = [
  {
    at: 1000,
    provider: "openai",
    model: "gpt-x",
    servedModel: "gpt-x-2026",
    outcome: "ok",
    latencyMs: 812,
    firstTokenMs: 310,
    inputTokens: 120,
    outputTokens: 45,
    isStream: true,
    endpoint: "api.openai.com",
    httpStatus: null,
    error: null,
    attempt: null,
    isFinal: true,
  },
  {
    at: 2000,
    provider: "openai",
    model: "gpt-x",
    latencyMs: 40,
    endpoint: "api.openai.com",
    httpStatus: 429,
    error: { type: "RateLimitError", message: "429 Rate limit reached for gpt-x" },
    attempt: null,
    isFinal: true,
  },
  {
    at: 3000,
    provider: "anthropic",
    model: "claude-x",
    latencyMs: 5000,
    endpoint: "",
    httpStatus: 529,
    error: { type: "overloaded_error", message: "Overloaded" },
    attempt: 3,
    isFinal: true,
  },
  {
    at: 4001,
    provider: "vertex",
    model: "gemini-x",
    latencyMs: 100,
    httpStatus: null,
    error: { type: "AI_APICallError", message: "The model is overloaded. Please try again later." },
    attempt: 1,
    isFinal: false,
  },
  {
    at: 6000,
    provider: "vertex",
    model: "gemini-x",
    outcome: "ok",
    latencyMs: 900,
    inputTokens: 3,
    outputTokens: 4,
    error: null,
    attempt: 2,
    isFinal: true,
  },
  {
    at: 7100,
    provider: "openai",
    model: "gpt-y",
    outcome: "ok",
    latencyMs: 400,
    inputTokens: 5,
    outputTokens: 6,
    error: null,
    isFinal: true,
  },
];
