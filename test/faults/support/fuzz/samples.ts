/** What senders really send, to be changed at a few places: a schema alone rarely gets past the first look. */
export const SAMPLES: Readonly<Record<string, () => unknown>> = {
  "/v1/attempts": () => ({ attempts: [anAttempt()], reporter: { id: "fuzz", dropped: { shop: 1 } } }),
  "/v1/traces": aTraceRequest,
  "/v1/litellm": () => [aPayload()],
};

/** One document of what the route takes line by line. */
export const LINES: Readonly<Record<string, () => unknown>> = {
  "/v1/attempts": anAttempt,
  "/v1/litellm": aPayload,
};

function anAttempt(): unknown {
  return {
    eventId: "fuzzed-event",
    occurredAt: Date.now() - 60_000,
    provider: "acme",
    model: "acme-large",
    httpStatus: 429,
    error: { type: "overloaded_error", code: "overloaded", message: 'busy {"error":{"message":"full"}}' },
    latencyMs: 120,
    firstTokenMs: 20,
    requestId: "fuzzed-request",
    attempt: 1,
    isFinal: true,
    chain: "default",
    position: 0,
    source: "fuzz",
    endpoint: "eu",
    account: "main",
    servedModel: "acme-large-1",
    isStream: false,
  };
}

function aPayload(): unknown {
  const startTime = Date.now() / 1_000 - 60;
  return {
    id: "fuzzed-payload",
    trace_id: "fuzzed-trace",
    call_type: "acompletion",
    stream: true,
    startTime,
    endTime: startTime + 1,
    completionStartTime: startTime + 0.2,
    status: "failure",
    custom_llm_provider: "anthropic",
    model: "acme-large",
    model_group: "default",
    api_base: "https://api.anthropic.com/v1",
    error_str: "litellm.RateLimitError: AnthropicException - overloaded",
    error_information: { error_class: "RateLimitError", error_code: "529", error_message: "Overloaded" },
    hidden_params: { litellm_model_name: "acme-large" },
    messages: [{ role: "user", content: "hello" }],
  };
}

function aTraceRequest(): unknown {
  const start = BigInt(Date.now() - 60_000) * 1_000_000n;
  const text = (key: string, value: string) => ({ key, value: { stringValue: value } });
  return {
    resourceSpans: [
      {
        resource: { attributes: [text("service.name", "fuzz")] },
        scopeSpans: [
          {
            scope: { name: "openai", version: "1" },
            spans: [
              {
                traceId: "0af7651916cd43dd8448eb211c80319c",
                spanId: "b7ad6b7169203331",
                parentSpanId: "",
                name: "chat acme-large",
                kind: 3,
                startTimeUnixNano: String(start),
                endTimeUnixNano: String(start + 1_000_000n),
                attributes: [
                  text("gen_ai.operation.name", "chat"),
                  text("gen_ai.provider.name", "acme"),
                  text("gen_ai.request.model", "acme-large"),
                  text("error.type", "RateLimitError"),
                  { key: "gen_ai.usage.input_tokens", value: { intValue: "12" } },
                ],
                events: [
                  {
                    name: "exception",
                    timeUnixNano: String(start),
                    attributes: [text("exception.message", "overloaded")],
                  },
                ],
                status: { code: 2, message: "overloaded" },
              },
            ],
          },
        ],
      },
    ],
  };
}
