import { describe, expect, it } from "vitest";
import { attemptEvent } from "../contract/attempt-event.ts";
import { isPlainEvent } from "../ingest/is-plain-event.ts";
import { BadEvent } from "../ingest/read-events.ts";
import { decodeJson } from "./decode-json.ts";
import { isModelCall } from "./model-call.ts";
import type { ReceivedSpan } from "./span.ts";
import { toEvent } from "./to-event.ts";

const TRACE = "5b8efff798038103d269b633813fc60c";
const SPAN = "eee19b7ec3c1b174";
const START = 1_796_000_000_123_456_789n;

interface JsonSpan {
  name?: string;
  kind?: number;
  /** Length in milliseconds. */
  ms?: number;
  attributes?: Readonly<Record<string, string | number | boolean>>;
  status?: { code?: number; message?: string };
  events?: unknown[];
  scope?: string;
  service?: string;
  parts?: Record<string, unknown>;
}

const attributeList = (attributes: Readonly<Record<string, string | number | boolean>>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value:
      typeof value === "string"
        ? { stringValue: value }
        : typeof value === "boolean"
          ? { boolValue: value }
          : Number.isInteger(value)
            ? { intValue: String(value) }
            : { doubleValue: value },
  }));

/** A span as it comes out of the decoder. */
function aSpan(span: JsonSpan): ReceivedSpan {
  const [decoded] = decodeJson({
    resourceSpans: [
      {
        resource: { attributes: attributeList({ "service.name": span.service ?? "shop" }) },
        scopeSpans: [
          {
            scope: { name: span.scope ?? "test", version: "1" },
            spans: [
              {
                traceId: TRACE.toUpperCase(),
                spanId: SPAN,
                name: span.name ?? "chat large",
                kind: span.kind ?? 3,
                startTimeUnixNano: String(START),
                endTimeUnixNano: String(START + BigInt(Math.round((span.ms ?? 1500) * 1e6))),
                attributes: attributeList(span.attributes ?? {}),
                status: span.status ?? {},
                events: span.events ?? [],
                ...span.parts,
              },
            ],
          },
        ],
      },
    ],
  });
  return decoded as ReceivedSpan;
}

const exceptionEvent = (type: string, message: string) => ({
  name: "exception",
  timeUnixNano: String(START),
  attributes: attributeList({
    "exception.type": type,
    "exception.message": message,
    "exception.stacktrace": "at secret",
  }),
});

const BASE = { eventId: `otlp:${TRACE}:${SPAN}`, occurredAt: 1_796_000_000_123, source: "shop" };

describe("a model call's span", () => {
  const cases: readonly [convention: string, span: JsonSpan, event: Record<string, unknown>][] = [
    [
      "in today's GenAI convention",
      {
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "aws.bedrock",
          "gen_ai.request.model": "claude-x",
          "gen_ai.response.model": "claude-x-2026",
          "gen_ai.request.stream": true,
          "gen_ai.response.time_to_first_chunk": 0.25,
          "gen_ai.usage.input_tokens": 12,
          "gen_ai.usage.output_tokens": 34,
          "server.address": "bedrock.eu-west-1.amazonaws.com",
          "server.port": 443,
        },
      },
      {
        provider: "bedrock",
        model: "claude-x",
        servedModel: "claude-x-2026",
        outcome: "ok",
        latencyMs: 1500,
        firstTokenMs: 250,
        isStream: true,
        inputTokens: 12,
        outputTokens: 34,
        endpoint: "bedrock.eu-west-1.amazonaws.com",
      },
    ],
    [
      "in the convention up to 1.36, failed, as OpenTelemetry's own instrumentation of openai reports it",
      {
        scope: "@opentelemetry/instrumentation-openai",
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.system": "openai",
          "gen_ai.request.model": "gpt-x",
          "server.address": "localhost",
          "server.port": 8080,
          "error.type": "RateLimitError",
        },
        status: { code: 2, message: "429 Rate limit reached" },
      },
      {
        provider: "openai",
        model: "gpt-x",
        latencyMs: 1500,
        endpoint: "localhost:8080",
        httpStatus: 429,
        error: { type: "RateLimitError", message: "429 Rate limit reached" },
      },
    ],
    [
      "of Traceloop",
      {
        name: "openai.chat",
        scope: "@traceloop/instrumentation-openai",
        attributes: {
          "llm.request.type": "chat",
          "gen_ai.system": "OpenAI",
          "gen_ai.request.model": "gpt-x",
          "gen_ai.openai.api_base": "https://api.openai.com/v1/",
          "gen_ai.usage.prompt_tokens": 5,
          "gen_ai.usage.completion_tokens": 6,
          "llm.is_streaming": true,
        },
        events: [
          {
            name: "llm.content.completion.chunk",
            timeUnixNano: String(START + 900_000_000n),
            attributes: attributeList({ content: "secret" }),
          },
          { name: "llm.content.completion.chunk", timeUnixNano: String(START + 400_000_000n) },
        ],
      },
      {
        provider: "openai",
        model: "gpt-x",
        outcome: "ok",
        latencyMs: 1500,
        firstTokenMs: 400,
        isStream: true,
        inputTokens: 5,
        outputTokens: 6,
        endpoint: "api.openai.com",
      },
    ],
    [
      "of OpenInference, whose kind is internal",
      {
        name: "OpenAI Chat Completions",
        kind: 1,
        status: { code: 1 },
        attributes: {
          "openinference.span.kind": "LLM",
          "llm.provider": "azure",
          "llm.system": "openai",
          "llm.model_name": "gpt-x",
          "llm.token_count.prompt": 7,
          "llm.token_count.completion": 8,
        },
      },
      {
        provider: "azure",
        model: "gpt-x",
        outcome: "ok",
        latencyMs: 1500,
        inputTokens: 7,
        outputTokens: 8,
      },
    ],
    [
      "of the AI SDK up to 6, streamed",
      {
        name: "ai.streamText.doStream",
        kind: 1,
        scope: "ai",
        attributes: {
          "operation.name": "ai.streamText.doStream my function",
          "ai.operationId": "ai.streamText.doStream",
          "ai.model.id": "gpt-x",
          "ai.model.provider": "openai.chat",
          "gen_ai.system": "openai.chat",
          "ai.response.msToFirstChunk": 321.5,
          "ai.response.model": "gpt-x-2",
          "ai.usage.inputTokens": 9,
          "ai.usage.outputTokens": 10,
        },
      },
      {
        provider: "openai",
        model: "gpt-x",
        servedModel: "gpt-x-2",
        outcome: "ok",
        latencyMs: 1500,
        firstTokenMs: 321.5,
        isStream: true,
        inputTokens: 9,
        outputTokens: 10,
      },
    ],
    [
      "of the AI SDK, failed: the words are in an exception event",
      {
        name: "ai.generateText.doGenerate",
        kind: 1,
        scope: "ai",
        attributes: {
          "ai.operationId": "ai.generateText.doGenerate",
          "ai.model.id": "m",
          "ai.model.provider": "acme",
        },
        status: { code: 2, message: "Overloaded" },
        events: [exceptionEvent("AI_APICallError", "Overloaded")],
      },
      {
        provider: "acme",
        model: "m",
        latencyMs: 1500,
        error: { type: "AI_APICallError", message: "Overloaded" },
      },
    ],
    [
      "of Anthropic's SDK, which died amid a stream after one hidden retry",
      {
        name: "anthropic.messages.create",
        scope: "com.anthropic.sdk.typescript",
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "anthropic",
          "gen_ai.request.model": "claude-x",
          "server.address": "api.anthropic.com",
          "http.response.status_code": 200,
          "http.request.resend_count": 1,
          "error.type": "overloaded_error",
        },
        status: { code: 2 },
      },
      {
        provider: "anthropic",
        model: "claude-x",
        latencyMs: 1500,
        endpoint: "api.anthropic.com",
        httpStatus: 200,
        attempt: 2,
        error: { type: "overloaded_error" },
      },
    ],
    [
      "of LiteLLM: the deployment's model, not the alias",
      {
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.provider.name": "vertex_ai",
          "gen_ai.request.model": "chat-main",
          "litellm.provider.model": "gemini-x",
          "error.type": "503",
          "litellm.provider.error.code": "UNAVAILABLE",
        },
        status: { code: 2, message: "The model is overloaded" },
      },
      {
        provider: "vertex",
        model: "gemini-x",
        latencyMs: 1500,
        httpStatus: 503,
        error: { type: "503", code: "UNAVAILABLE", message: "The model is overloaded" },
      },
    ],
    [
      "of Python's openai, with the status amid its words",
      {
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.system": "openai",
          "gen_ai.request.model": "m",
        },
        status: { code: 2 },
        events: [exceptionEvent("openai.RateLimitError", "Error code: 429 - {'error': {}}")],
      },
      {
        provider: "openai",
        model: "m",
        latencyMs: 1500,
        httpStatus: 429,
        error: { type: "openai.RateLimitError", message: "Error code: 429 - {'error': {}}" },
      },
    ],
  ];

  for (const [convention, parts, event] of cases) {
    it(`${convention} becomes an attempt`, () => {
      const span = aSpan(parts);
      expect(isModelCall(span)).toBe(true);
      const made = toEvent(span);
      expect(made).toEqual({ ...BASE, ...event });
      expect(attemptEvent.safeParse(made).success).toBe(true);
      expect(isPlainEvent(made)).toBe(true);
    });
  }

  it("takes what only its exception says, and leaves out what cannot be", () => {
    const event = toEvent(
      aSpan({
        ms: 0,
        service: "unknown_service:node",
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": "m",
          "url.full": "https://user:secret@llm.internal:8443/v1/chat?key=secret",
          "gen_ai.usage.input_tokens": -1,
          "gen_ai.usage.output_tokens": 1.5,
          "error.type": "_OTHER",
        },
        events: [exceptionEvent("Error", "boom")],
      }),
    );
    expect(event).toEqual({
      eventId: BASE.eventId,
      occurredAt: BASE.occurredAt,
      provider: "llm.internal:8443",
      model: "m",
      endpoint: "llm.internal:8443",
      error: { type: "Error", message: "boom" },
    });
  });

  it("is a fault when it names no model, no provider, no time or no valid id", () => {
    const attributes = {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "p",
      "gen_ai.request.model": "m",
    };
    const pointerOf = (span: JsonSpan) => {
      const event = toEvent(aSpan(span));
      return event instanceof BadEvent ? event.pointer : null;
    };
    expect(pointerOf({ attributes })).toBeNull();
    expect(pointerOf({ attributes: { ...attributes, "gen_ai.request.model": " " } })).toBe("/attributes");
    expect(pointerOf({ attributes: { ...attributes, "gen_ai.provider.name": "" } })).toBe("/attributes");
    expect(pointerOf({ attributes, parts: { startTimeUnixNano: "0" } })).toBe("/startTimeUnixNano");
    expect(pointerOf({ attributes, parts: { traceId: "xyz" } })).toBe("/traceId");
    expect(pointerOf({ attributes, parts: { spanId: "" } })).toBe("/spanId");
  });
});

describe("what is no model call", () => {
  const model = { "gen_ai.request.model": "m", "gen_ai.provider.name": "p", "ai.model.id": "m" };
  const others: readonly [what: string, span: JsonSpan][] = [
    ["an agent", { attributes: { ...model, "gen_ai.operation.name": "invoke_agent" } }],
    ["a step of the AI SDK 7", { attributes: { ...model, "gen_ai.operation.name": "agent_step" } }],
    ["a tool", { attributes: { ...model, "gen_ai.operation.name": "execute_tool" } }],
    [
      "the AI SDK's span around its attempts",
      { name: "ai.generateText", attributes: { ...model, "ai.operationId": "ai.generateText" } },
    ],
    ["an OpenInference chain", { attributes: { ...model, "openinference.span.kind": "CHAIN" } }],
    ["a Traceloop workflow", { attributes: { ...model, "traceloop.span.kind": "workflow" } }],
    ["a count of tokens", { name: "anthropic.messages.count_tokens", attributes: model }],
    ["an HTTP call", { name: "POST", attributes: { "server.address": "api.openai.com" } }],
    ["a server's span that names a model", { kind: 2, attributes: model }],
  ];
  for (const [what, span] of others) {
    it(`is passed over: ${what}`, () => {
      expect(isModelCall(aSpan(span.name === undefined ? { name: "POST", ...span } : span))).toBe(false);
    });
  }

  it("is not said of the oldest convention, which has no word for the kind of span", () => {
    const attributes = { "gen_ai.system": "openai", "gen_ai.request.model": "m" };
    expect(isModelCall(aSpan({ attributes }))).toBe(true);
    expect(isModelCall(aSpan({ name: "litellm_request", kind: 1, attributes }))).toBe(true);
  });
});
