import { describe, expect, it } from "vitest";
import { attemptEvent } from "../contract/attempt-event.ts";
import { BadEvent } from "../ingest/read-events.ts";
import { collectAttempts } from "./collect-attempts.ts";
import { readPayloads } from "./read-payloads.ts";
import { toEvent } from "./to-event.ts";

const START = 1_796_000_000.123456;

/** A payload as LiteLLM's callback makes it; name only what the test is about. */
function aPayload(parts: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: "chatcmpl-1",
    trace_id: "trace-1",
    litellm_call_id: "call-1",
    call_type: "acompletion",
    stream: false,
    response_cost: 0.01,
    status: "success",
    status_fields: { llm_api_status: "success", guardrail_status: "not_run" },
    custom_llm_provider: "anthropic",
    total_tokens: 30,
    prompt_tokens: 10,
    completion_tokens: 20,
    startTime: START,
    endTime: START + 2,
    completionStartTime: START + 0.5,
    response_time: 2,
    model: "claude-x",
    model_id: "deployment-1",
    model_group: "chat-main",
    api_base: "https://api.anthropic.com/v1/messages",
    metadata: { user_api_key_hash: "secret", user_api_key_user_email: "a@b.example" },
    cache_hit: null,
    request_tags: ["secret"],
    end_user: "secret",
    messages: [{ role: "user", content: "secret" }],
    response: { choices: [{ message: { content: "secret" } }] },
    error_str: null,
    error_information: null,
    model_parameters: { temperature: 1 },
    hidden_params: { litellm_model_name: "anthropic/claude-x", additional_headers: null },
    ...parts,
  };
}

const aFailure = (error: Record<string, unknown>, parts: Record<string, unknown> = {}) =>
  aPayload({
    status: "failure",
    status_fields: { llm_api_status: "failure", guardrail_status: "not_run" },
    id: "call-1",
    response: null,
    prompt_tokens: 0,
    completion_tokens: 0,
    error_str: "secret text",
    error_information: { llm_provider: "anthropic", traceback: "secret", ...error },
    ...parts,
  });

describe("a payload of LiteLLM", () => {
  it("becomes an attempt, with nothing of its content", () => {
    const event = toEvent(aPayload(), "litellm");
    expect(event).toEqual({
      eventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      occurredAt: 1_796_000_000_123,
      provider: "anthropic",
      model: "claude-x",
      source: "litellm",
      outcome: "ok",
      latencyMs: 2000,
      inputTokens: 10,
      outputTokens: 20,
      isStream: false,
      endpoint: "api.anthropic.com",
      chain: "chat-main",
      servedModel: "claude-x",
      requestId: "litellm:trace-1",
    });
    expect(attemptEvent.safeParse(event).success).toBe(true);
    expect(JSON.stringify(event)).not.toContain("secret");
  });

  it("tells the first token of a stream, and of a stream alone", () => {
    expect(toEvent(aPayload({ stream: true }), "x")).toMatchObject({ firstTokenMs: 500, isStream: true });
    expect(toEvent(aPayload(), "x")).not.toHaveProperty("firstTokenMs");
  });

  it("that failed says how, and leaves naming the outcome to classification", () => {
    const event = toEvent(
      aFailure({
        error_code: "529",
        error_class: "InternalServerError",
        error_message: "AnthropicException - Overloaded",
        error_rate_limit_category: "vendor_rate_limit",
      }),
      "litellm",
    );
    expect(event).toMatchObject({
      httpStatus: 529,
      error: { type: "InternalServerError", message: "AnthropicException - Overloaded" },
    });
    expect(event).not.toHaveProperty("outcome");
    expect(event).not.toHaveProperty("inputTokens");
    expect(JSON.stringify(event)).not.toContain("secret");
  });

  it("keeps a code that is no status as a code, and takes the short words where there are no others", () => {
    expect(toEvent(aFailure({ error_code: "overloaded_error" }), "x")).toMatchObject({
      error: { code: "overloaded_error", message: "secret text" },
    });
  });

  it("gives its provider one name, from wherever it is said", () => {
    const providerOf = (parts: Record<string, unknown>) =>
      (toEvent(aPayload(parts), "x") as { provider?: string }).provider;
    expect(providerOf({ custom_llm_provider: "vertex_ai" })).toBe("vertex");
    expect(providerOf({ custom_llm_provider: null, error_information: { llm_provider: "azure" } })).toBe(
      "azure",
    );
    expect(providerOf({ custom_llm_provider: null, model: "bedrock/claude-x" })).toBe("bedrock");
    expect(toEvent(aPayload({ custom_llm_provider: "groq", model: "groq/llama" }), "x")).toMatchObject({
      model: "llama",
    });
  });

  it("is no attempt when a cache answered, the gateway refused, or no model was called", () => {
    const kinds = (payload: Record<string, unknown>) => toEvent(payload, "x");
    expect(kinds(aPayload({ cache_hit: true }))).toBe("cacheHit");
    expect(kinds(aFailure({ error_rate_limit_category: "litellm_rate_limit", llm_provider: null }))).toBe(
      "refusedByGateway",
    );
    expect(
      kinds(
        aFailure(
          {},
          { status_fields: { llm_api_status: "failure", guardrail_status: "guardrail_intervened" } },
        ),
      ),
    ).toBe("refusedByGateway");
    for (const error_message of [
      "No deployments available for selected model, Try again in 5 seconds",
      "All deployments in cooldown",
      "There are no healthy deployments for this model",
      "Deployment over user-defined ratelimit.",
      "Budget has been exceeded! Current cost: 5, Max budget: 4",
    ]) {
      expect(kinds(aFailure({ error_message, llm_provider: "" }))).toBe("refusedByGateway");
      expect(kinds(aFailure({ error_message, llm_provider: "azure" }))).toMatchObject({
        provider: "anthropic",
      });
    }
    for (const call_type of ["acreate_file", "aretrieve_batch", "call_mcp_tool", "alist_fine_tuning_jobs"]) {
      expect(kinds(aPayload({ call_type }))).toBe("noModelCall");
    }
    for (const call_type of [
      "acompletion",
      "aembedding",
      "anthropic_messages",
      "aresponses",
      "atranscription",
    ]) {
      expect(kinds(aPayload({ call_type }))).toMatchObject({ model: "claude-x" });
    }
  });

  it("is a fault when it says neither when, whom nor what, and when it is of the old shape", () => {
    const faultOf = (payload: unknown) => {
      const event = toEvent(payload, "x");
      return event instanceof BadEvent ? [event.pointer, event.detail] : null;
    };
    expect(faultOf(aPayload({ startTime: "soon" }))).toEqual(["/startTime", expect.any(String)]);
    expect(faultOf(aPayload({ model: "", model_group: null }))).toEqual(["/model", "is missing"]);
    expect(faultOf(aPayload({ custom_llm_provider: null }))).toEqual(["/custom_llm_provider", "is missing"]);
    expect(faultOf("text")).toEqual(["", expect.any(String)]);
    const old = {
      id: "1",
      startTime: "2026-11-29 10:00:00",
      endTime: "…",
      model: "m",
      modelParameters: "{}",
    };
    expect(faultOf(old)?.[1]).toContain("generic_api_use_v1");
  });

  it("has the same id whenever it comes, and another one than a retry of the same call", () => {
    const idOf = (parts: Record<string, unknown>) =>
      (toEvent(aPayload(parts), "x") as { eventId?: string }).eventId;
    expect(idOf({ endTime: START + 9 })).toBe(idOf({}));
    const others = [
      { startTime: START + 1 },
      { status: "failure" },
      { model_id: "2" },
      { litellm_call_id: "2" },
    ];
    expect(new Set([{}, ...others].map(idOf)).size).toBe(5);
  });
});

describe("collectAttempts", () => {
  it("takes a failed attempt that another one of the same trace follows for a retried one", () => {
    const at = (start: number, parts: Record<string, unknown> = {}) => ({
      startTime: START + start,
      endTime: START + start + 1,
      ...parts,
    });
    const { events, places, ignored } = collectAttempts(
      [
        null,
        aPayload({ cache_hit: true }),
        aPayload(at(4)),
        aFailure({ error_code: "429" }, at(0)),
        aFailure({ error_code: "503" }, at(2, { model: "claude-y" })),
        aPayload(at(6)),
        aFailure({ error_code: "429" }, at(0, { trace_id: "trace-2" })),
        aFailure({ error_code: "429" }, at(8)),
        aFailure({ error_code: "429" }, at(8 + 600)),
      ],
      "x",
    );
    expect(
      events.map((event) => (event instanceof BadEvent ? null : [event.attempt, event.isFinal ?? true])),
    ).toEqual([
      [3, true],
      [1, false],
      [2, false],
      [1, true],
      [1, true],
      [1, true],
      [1, true],
    ]);
    expect(places).toEqual([2, 3, 4, 5, 6, 7, 8]);
    expect(ignored).toEqual({ cacheHit: 1, refusedByGateway: 0, noModelCall: 0 });
  });
});

describe("readPayloads", () => {
  const read = (text: string) => readPayloads(Buffer.from(text));

  it("reads an array, one alone, and one per line", () => {
    expect(read('[{"a":1},null,{"a":2}]')).toEqual([{ a: 1 }, null, { a: 2 }]);
    expect(read(' {"a":1}\n')).toEqual([{ a: 1 }]);
    expect(read('{"a":1}\n\n{"a":2}\r\nnull\n')).toEqual([{ a: 1 }, { a: 2 }, null]);
    expect(read("[]")).toEqual([]);
  });

  it("keeps the good lines beside a broken one, and refuses what is no JSON at all", () => {
    expect(read('{"a":1}\n{"a":')).toEqual([{ a: 1 }, new BadEvent("the line is not JSON")]);
    for (const text of ["", "hello", "[{"]) {
      expect(() => read(text)).toThrow(expect.objectContaining({ status: 400, code: "invalid_json" }));
    }
    expect(() => read(JSON.stringify(new Array(10_001).fill({})))).toThrow(
      expect.objectContaining({ status: 413, code: "too_many_events" }),
    );
  });
});
