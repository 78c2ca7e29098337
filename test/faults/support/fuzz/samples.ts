/** What senders really send, to be changed at a few places: a schema alone rarely gets past the first look. */
export const SAMPLES: Readonly<Record<string, () => unknown>> = {
  "/v1/attempts": () => ({ attempts: [anAttempt()], reporter: { id: "fuzz", dropped: { shop: 1 } } }),
  "/v1/traces": aTraceRequest,
  "/v1/litellm": () => [aPayload()],
  "/v1/routers": aHeartbeat,
  "/v1/rehearsals": aRehearsal,
  "/api/plans": () => ({ document: aPlan(), basedOn: 0 }),
  "/api/plans/publish": () => ({ document: aPlan(), basedOn: 0, reason: "fuzz" }),
  "/api/plans/rollback": () => ({ version: 1, basedOn: 2, reason: "fuzz" }),
  "/api/plans/replay": () => ({ document: aPlan(), chain: "default" }),
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

function aPlan(): unknown {
  const day = { days: ["mon", "tue"], from: "10:00", to: "16:00" };
  return {
    timeZone: "Asia/Shanghai",
    chains: {
      default: {
        targets: [
          { id: "large", provider: "acme", model: "acme-large", tier: "flagship", maxConcurrency: 20 },
          { id: "small", provider: "acme", model: "acme-small", quality: 0.5 },
        ],
        floor: "small",
        schedule: [{ ...day, order: ["small", "large"], why: { errorShare: 0.1 } }],
        retry: { maxAttempts: 5, baseMs: 1_000, capMs: 10_000, totalWaitMs: 30_000 },
        avoid: [{ target: "large", windows: [day] }],
      },
    },
  };
}

function aHeartbeat(): unknown {
  return {
    instance: "fuzzed-router",
    chain: "default",
    source: "fuzz",
    sdkVersion: "1.0.0",
    startedAt: Date.now(),
    planVersion: 1,
    problems: [{ pointer: "/chains", detail: "is odd", isRefused: false }],
    targets: [
      {
        target: "large",
        state: "ready",
        score: 0.9,
        circuit: "closed",
        inFlight: 1,
        limit: 3,
        heldUntil: null,
      },
    ],
  };
}

function aRehearsal(): unknown {
  return {
    chain: "default",
    planVersion: 1,
    startedAt: Date.now(),
    durationMs: 900,
    cases: 2,
    isOk: false,
    targets: [
      {
        target: "large",
        provider: "acme",
        model: "acme-large",
        passed: 1,
        failed: 1,
        latencyMsP50: 450,
        failures: [{ case: "sum", reason: "call", outcome: "capacity" }],
      },
    ],
  };
}
