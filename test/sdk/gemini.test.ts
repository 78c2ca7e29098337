import { observe } from "@busyhour/sdk";
import { GoogleGenAI } from "@google/genai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drain } from "./support/drain.ts";
import { anObserver } from "./support/observer.ts";
import {
  cut,
  html,
  json,
  type ScriptedServer,
  signal,
  sse,
  startScriptedServer,
} from "./support/scripted-server.ts";

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

function aClient(retryOptions?: object, inner: typeof fetch = fetch) {
  const observer = anObserver();
  const ai = new GoogleGenAI({
    apiKey: "key",
    httpOptions: {
      baseUrl: server.url,
      fetch: observe(inner, observer.options),
      ...(retryOptions === undefined ? {} : { retryOptions }),
    },
  });
  return { ai, observer };
}

const question = { model: "gemini-x", contents: "my secret prompt" };
const part = (text: string, more: object = {}) => ({
  candidates: [{ content: { role: "model", parts: [{ text }] } }],
  modelVersion: "gemini-x-001",
  ...more,
});
const usageMetadata = {
  promptTokenCount: 8,
  candidatesTokenCount: 3,
  thoughtsTokenCount: 20,
  totalTokenCount: 31,
};
const finished = part("the secret answer", {
  candidates: [{ content: { role: "model", parts: [{ text: "the secret answer" }] }, finishReason: "STOP" }],
  usageMetadata,
});
const data = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const unavailable = {
  error: { code: 503, message: "The model is overloaded. Please try again later.", status: "UNAVAILABLE" },
};
const perMinute = {
  error: {
    code: 429,
    message: "You exceeded your current quota",
    status: "RESOURCE_EXHAUSTED",
    details: [
      {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        violations: [{ quotaId: "GenerateRequestsPerMinutePerProjectPerModel" }],
      },
      { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "38.5s" },
    ],
  },
};

describe("the Google client, observed", () => {
  it("records each attempt as the script has it", async () => {
    const { ai, observer } = aClient({ attempts: 4, initialDelay: 0.001, maxDelay: 0.001 });
    server.script(
      json(429, perMinute),
      html(502, "<title>Bad Gateway</title>"),
      json(503, unavailable),
      json(200, finished),
    );
    const answer = await ai.models.generateContent(question);
    expect(answer.text).toBe("the secret answer");
    expect(observer.finish()).toMatchObject([
      {
        provider: "google",
        model: "gemini-x",
        attempt: 1,
        outcome: "rate_limit",
        retryAfterMs: 38_500,
        isFinal: false,
      },
      { attempt: 2, outcome: "server_error", httpStatus: 502, isFinal: false },
      { attempt: 3, outcome: "capacity", httpStatus: 503, isFinal: false, error: { type: "UNAVAILABLE" } },
      {
        attempt: 4,
        outcome: "ok",
        isFinal: true,
        inputTokens: 8,
        outputTokens: 23,
        servedModel: "gemini-x-001",
      },
    ]);
    expect(new Set(observer.events.map(({ requestId }) => requestId)).size).toBe(1);
    expect(JSON.stringify(observer.events)).not.toContain("secret");
  });

  it("does not take the next request for a repetition of one that went well", async () => {
    const { ai, observer } = aClient();
    server.script(json(200, finished), json(200, finished));
    await ai.models.generateContent(question);
    await ai.models.generateContent(question);
    expect(observer.finish()).toMatchObject([
      { attempt: 1, isFinal: true },
      { attempt: 1, isFinal: true },
    ]);
  });

  it("times a stream and counts its tokens", async () => {
    const { ai, observer } = aClient();
    const go = signal();
    server.script(sse([data(part("the ")), go.given, data(finished)]));
    const stream = await ai.models.generateContentStream(question);
    observer.advance(120);
    for await (const _ of stream) {
      observer.advance(30);
      go.give();
    }
    expect(observer.finish()).toMatchObject([
      { outcome: "ok", isStream: true, firstTokenMs: 120, latencyMs: 180, inputTokens: 8, outputTokens: 23 },
    ]);
  });

  it("names errors and breaks inside of a stream", async () => {
    const { ai, observer } = aClient();
    server.script(sse([data(part("the ")), data(unavailable)]), sse([data(part("the ")), "cut"]), cut);
    for (let i = 0; i < 2; i++) {
      const stream = await ai.models.generateContentStream(question);
      await expect(drain(stream)).rejects.toThrow();
    }
    await expect(ai.models.generateContent(question)).rejects.toThrow();
    expect(observer.finish()).toMatchObject([
      { outcome: "capacity", httpStatus: 200, firstTokenMs: 0 },
      { outcome: "network", httpStatus: 200 },
      { outcome: "network" },
    ]);
  });

  it("keeps the caller's abort apart", async () => {
    const { ai, observer } = aClient();
    const arrived = signal();
    server.script(async (_, { hungUp }) => {
      arrived.give();
      await hungUp;
    });
    const controller = new AbortController();
    const call = ai.models.generateContent({ ...question, config: { abortSignal: controller.signal } });
    await arrived.given;
    controller.abort();
    await expect(call).rejects.toThrow("aborted");
    expect(observer.finish()).toMatchObject([{ outcome: "cancelled" }]);
  });

  it("tells the client's own time limit from it", async () => {
    let pass = (_ms: number) => {};
    const { ai, observer } = aClient(undefined, (input, init) => {
      pass(1_000);
      return fetch(input, init);
    });
    pass = observer.advance;
    server.script((_, { hungUp }) => hungUp);
    const call = ai.models.generateContent({ ...question, config: { httpOptions: { timeout: 30 } } });
    await expect(call).rejects.toThrow("aborted");
    expect(observer.finish()).toMatchObject([{ outcome: "timeout" }]);
  });
});
