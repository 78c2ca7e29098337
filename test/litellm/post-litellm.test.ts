import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
const { key } = await api.createKey("ingest");
const T0 = Date.parse("2026-11-29T11:00:00Z") / 1000;

const send = (body: string | Buffer, headers: Record<string, string> = {}, query = "") =>
  api.fetch(`/v1/litellm${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    body: body as BodyInit,
  });

const aPayload = (second: number, parts: Record<string, unknown> = {}) => ({
  id: `chatcmpl-${second}`,
  trace_id: "trace-1",
  call_type: "acompletion",
  stream: true,
  status: "success",
  custom_llm_provider: "azure",
  prompt_tokens: 10,
  completion_tokens: 20,
  startTime: T0 + second,
  completionStartTime: T0 + second + 0.2,
  endTime: T0 + second + 1.5,
  model: "gpt-x",
  model_group: "chat",
  api_base: "https://eu.openai.azure.example/openai/deployments/x",
  messages: [{ role: "user", content: "secret" }],
  ...parts,
});

const aFailure = (second: number) =>
  aPayload(second, {
    status: "failure",
    error_information: {
      error_code: "429",
      error_class: "RateLimitError",
      llm_provider: "azure",
      error_message: "AzureException - Too many requests",
    },
  });

const listStored = async (source: string) =>
  (await api.get(`/api/attempts?source=${source}`)).attempts.reverse();

describe("POST /v1/litellm", () => {
  it("stores what the callback sends, in each of its formats, and each attempt once", async () => {
    const payloads = [aFailure(0), aPayload(2), null, aPayload(60, { cache_hit: true })];
    const lines = payloads.map((payload) => JSON.stringify(payload)).join("\n");
    const answer = (accepted: number, duplicates: number) => ({
      accepted,
      duplicates,
      rejected: [],
      withoutEventId: 0,
      unknownFields: {},
      ignored: { cacheHit: 1, refusedByGateway: 0, noModelCall: 0 },
    });
    const first = await send(JSON.stringify(payloads));
    expect([first.status, await first.json()]).toEqual([202, answer(2, 0)]);
    expect(await (await send(lines)).json()).toEqual(answer(0, 2));
    const packed = await send(gzipSync(lines), { "content-encoding": "gzip" });
    expect(await packed.json()).toEqual(answer(0, 2));
    expect(await (await send(JSON.stringify(aPayload(2)))).json()).toMatchObject({
      accepted: 0,
      duplicates: 1,
    });

    const shared = {
      provider: "azure",
      model: "gpt-x",
      endpoint: "eu.openai.azure.example",
      chain: "chat",
      latencyMs: 1500,
      isStream: true,
    };
    const stored = await listStored("litellm");
    expect(stored).toMatchObject([
      {
        ...shared,
        occurredAt: "2026-11-29T11:00:00.000Z",
        httpStatus: 429,
        error: { type: "RateLimitError", message: "AzureException - Too many requests" },
        attempt: 1,
        isFinal: false,
        inputTokens: null,
      },
      {
        ...shared,
        occurredAt: "2026-11-29T11:00:02.000Z",
        outcome: "ok",
        attempt: 2,
        isFinal: true,
        firstTokenMs: 200,
        inputTokens: 10,
        outputTokens: 20,
      },
    ]);
    expect(stored[0].requestId).toBe(stored[1].requestId);
  });

  it("lists the gateway under the name that its address gives", async () => {
    await send(JSON.stringify(aPayload(100)), {}, "?source=gateway-eu");
    expect(await listStored("gateway-eu")).toHaveLength(1);
    await api.server.core.flushSources();
    const { sources } = await api.get("/api/sources");
    const gateway = sources.find(({ source }: { source: string }) => source === "gateway-eu");
    expect(gateway.ways).toMatchObject([{ via: "litellm", calls: 1, failures: 0, blindSpots: [] }]);
  });

  it("keeps the good payloads beside bad ones, and points at what is wrong", async () => {
    const old = {
      id: "1",
      startTime: "2026-11-29 10:00:00",
      endTime: "x",
      model: "m",
      modelParameters: "{}",
    };
    const response = await send(
      JSON.stringify([
        null,
        aPayload(200, { cache_hit: true }),
        aPayload(200),
        old,
        aPayload(201, { startTime: "x" }),
        aPayload(202, { startTime: T0 + 3_600 * 2 }),
        { ...aPayload(203), custom_llm_provider: "" },
      ]),
    );
    const { accepted, rejected } = await response.json();
    expect(accepted).toBe(1);
    expect(rejected).toMatchObject([
      { index: 3, pointer: "", detail: expect.stringContaining("generic_api_use_v1") },
      { index: 4, pointer: "/startTime" },
      { index: 5, pointer: "/startTime", detail: expect.stringContaining("in the future") },
      { index: 6, pointer: "/custom_llm_provider" },
    ]);
  });

  it("refuses what is no JSON", async () => {
    const response = await send("hello");
    expect([response.status, (await response.json()).code]).toEqual([400, "invalid_json"]);
  });
});
