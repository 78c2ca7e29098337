import { observe } from "@busyhour/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drain } from "./support/drain.ts";
import { anObserver } from "./support/observer.ts";
import {
  cut,
  html,
  json,
  type ScriptedServer,
  type Step,
  signal,
  sse,
  startScriptedServer,
} from "./support/scripted-server.ts";

const PROMPT = "my secret prompt about the merger of Ostrich and Walrus";
const ANSWER = "the secret answer";

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

function aClient(observer = anObserver(), more: ConstructorParameters<typeof OpenAI>[0] = {}) {
  const openai = new OpenAI({
    apiKey: "sk-test",
    baseURL: `${server.url}/v1`,
    fetch: observe(fetch, observer.options),
    ...more,
  });
  return { openai, observer };
}

const messages = [{ role: "user" as const, content: PROMPT }];
const completion = {
  id: "c1",
  object: "chat.completion",
  model: "gpt-x-2026",
  choices: [{ index: 0, message: { role: "assistant", content: ANSWER }, finish_reason: "stop" }],
  usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
};
const rateLimited = {
  error: { message: "Rate limit reached", type: "requests", code: "rate_limit_exceeded", param: null },
};
const now = { "retry-after-ms": "1" };

const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", model: "gpt-x-2026", choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
const lastChunk = chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
const usageChunk = chunk(
  {},
  { choices: [], usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 } },
);
const DONE = "data: [DONE]\n\n";

const waitForHangUp: Step = (_, { hungUp }) => hungUp;

describe("the openai client, observed", () => {
  it("records one event for a call that goes well", async () => {
    const { openai, observer } = aClient();
    server.script(json(200, completion));
    const answer = await openai.chat.completions.create({ model: "gpt-x", messages });
    expect(answer.choices[0]?.message.content).toBe(ANSWER);
    expect(observer.events).toEqual([
      {
        eventId: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
        occurredAt: Date.parse("2026-11-30T00:00:00Z"),
        provider: "openai",
        model: "gpt-x",
        servedModel: "gpt-x-2026",
        endpoint: server.url.slice("http://".length),
        outcome: "ok",
        httpStatus: 200,
        latencyMs: 0,
        inputTokens: 11,
        outputTokens: 3,
        requestId: observer.events[0]?.eventId,
        attempt: 1,
        isFinal: true,
        inFlight: 0,
        isStream: false,
      },
    ]);
  });

  it("records every attempt that the client makes by itself, as one request", async () => {
    const { openai, observer } = aClient();
    server.script(
      json(429, rateLimited, now),
      html(502, "<html><title>502 Bad Gateway</title></html>", now),
      json(200, completion),
    );
    await openai.chat.completions.create({ model: "gpt-x", messages });
    expect(observer.events).toMatchObject([
      {
        attempt: 1,
        outcome: "rate_limit",
        httpStatus: 429,
        isFinal: false,
        error: { code: "rate_limit_exceeded", type: "requests" },
        retryAfterMs: 1,
      },
      {
        attempt: 2,
        outcome: "server_error",
        httpStatus: 502,
        isFinal: false,
        error: { message: "502 Bad Gateway" },
      },
      { attempt: 3, outcome: "ok", httpStatus: 200, isFinal: true },
    ]);
    expect(new Set(observer.events.map(({ requestId }) => requestId)).size).toBe(1);
    expect(new Set(observer.events.map(({ eventId }) => eventId)).size).toBe(3);
  });

  it("calls the last failed attempt final when no other follows", async () => {
    const { openai, observer } = aClient(undefined, { maxRetries: 1 });
    server.script(
      json(503, rateLimited, now),
      json(503, { error: { message: "The model is overloaded" } }, now),
    );
    await expect(openai.chat.completions.create({ model: "gpt-x", messages })).rejects.toThrow("overloaded");
    expect(observer.events).toMatchObject([{ attempt: 1, isFinal: false }]);
    observer.advance(60_000);
    expect(observer.events).toMatchObject([
      { attempt: 1, isFinal: false },
      { attempt: 2, isFinal: true, outcome: "capacity" },
    ]);
  });

  it("reports at once what nobody repeats", async () => {
    const { openai, observer } = aClient();
    server.script(
      json(401, {
        error: {
          message: "Incorrect API key provided",
          type: "invalid_request_error",
          code: "invalid_api_key",
        },
      }),
    );
    await expect(openai.chat.completions.create({ model: "gpt-x", messages })).rejects.toThrow(
      "Incorrect API key",
    );
    expect(await observer.until(1)).toMatchObject([{ outcome: "auth", httpStatus: 401, isFinal: true }]);
  });

  it("tells a broken connection", async () => {
    const { openai, observer } = aClient(undefined, { maxRetries: 0 });
    server.script(cut);
    await expect(openai.chat.completions.create({ model: "gpt-x", messages })).rejects.toThrow(
      "Connection error",
    );
    expect(observer.finish()).toMatchObject([
      { outcome: "network", isFinal: true, error: { code: "UND_ERR_SOCKET" } },
    ]);
    expect(observer.events[0]).not.toHaveProperty("httpStatus");
  });

  it("times the first token of a stream and counts its tokens", async () => {
    const { openai, observer } = aClient();
    const first = signal();
    const second = signal();
    server.script(
      sse([
        chunk({ role: "assistant", content: "" }),
        first.given,
        chunk({ content: "Wal" }),
        second.given,
        chunk({ content: "rus" }),
        lastChunk,
        usageChunk,
        DONE,
      ]),
    );
    const stream = await openai.chat.completions.create({ model: "gpt-x", messages, stream: true });
    observer.advance(100);
    let text = "";
    for await (const part of stream) {
      const content = part.choices[0]?.delta.content;
      if (content === "") {
        observer.advance(150);
        first.give();
      } else if (text === "") {
        observer.advance(50);
        second.give();
      }
      text += content ?? "";
    }
    expect(text).toBe("Walrus");
    expect(observer.events).toMatchObject([
      {
        outcome: "ok",
        isStream: true,
        firstTokenMs: 250,
        latencyMs: 300,
        inputTokens: 11,
        outputTokens: 2,
        servedModel: "gpt-x-2026",
      },
    ]);
  });

  it("names an error inside of a stream", async () => {
    const { openai, observer } = aClient();
    server.script(
      sse([
        chunk({ content: "Wal" }),
        `data: ${JSON.stringify({ error: { message: "The server is overloaded", type: "server_error", code: "overloaded" } })}\n\n`,
      ]),
    );
    const stream = await openai.chat.completions.create({ model: "gpt-x", messages, stream: true });
    await expect(drain(stream)).rejects.toThrow("overloaded");
    expect(observer.finish()).toMatchObject([
      { outcome: "capacity", httpStatus: 200, isStream: true, error: { code: "overloaded" } },
    ]);
  });

  it("names a connection that breaks in the middle of a stream", async () => {
    const { openai, observer } = aClient();
    server.script(sse([chunk({ content: "Wal" }), "cut"]));
    const stream = await openai.chat.completions.create({ model: "gpt-x", messages, stream: true });
    await expect(drain(stream)).rejects.toThrow();
    expect(observer.finish()).toMatchObject([
      { outcome: "network", httpStatus: 200, isStream: true, firstTokenMs: 0 },
    ]);
  });

  it("keeps the caller's abort apart, before and in a stream", async () => {
    const { openai, observer } = aClient();
    const controller = new AbortController();
    const arrived = signal();
    server.script(async (_, { hungUp }) => {
      arrived.give();
      await hungUp;
    });
    const call = openai.chat.completions.create({ model: "gpt-x", messages }, { signal: controller.signal });
    await arrived.given;
    controller.abort();
    await expect(call).rejects.toThrow("aborted");

    observer.advance(10_000);
    const gone = signal();
    server.script((response, request) => {
      void request.hungUp.then(gone.give);
      return sse([chunk({ content: "Wal" }), request.hungUp])(response, request);
    });
    const stream = await openai.chat.completions.create({ model: "gpt-x", messages, stream: true });
    for await (const _ of stream) break;
    await gone.given;
    expect(observer.finish()).toMatchObject([
      { outcome: "cancelled", isFinal: true },
      { outcome: "cancelled", httpStatus: 200, isStream: true },
    ]);
  });

  it("tells the client's own time limit from the caller's abort", async () => {
    const { openai, observer } = aClient();
    server.script(waitForHangUp);
    const call = openai.chat.completions.create({ model: "gpt-x", messages }, { timeout: 20, maxRetries: 0 });
    await expect(call).rejects.toThrow("timed out");
    expect(observer.finish()).toMatchObject([{ outcome: "timeout", isFinal: true }]);
  });

  it("knows a time limit that no header tells by the repetition that follows it", async () => {
    const { openai, observer } = aClient(undefined, { timeout: 20, maxRetries: 1 });
    const late = (response: never, request: never) => {
      observer.advance(20);
      return (waitForHangUp as (...args: never[]) => Promise<void>)(response, request);
    };
    server.script(late as never, late as never);
    await expect(openai.chat.completions.create({ model: "gpt-x", messages })).rejects.toThrow("timed out");
    expect(observer.finish()).toMatchObject([
      { outcome: "timeout", attempt: 1, isFinal: false },
      { outcome: "timeout", attempt: 2, isFinal: true },
    ]);
  });

  it("reads the Responses API, whole and as a stream", async () => {
    const { openai, observer } = aClient();
    const response = (more: object) => ({
      id: "r1",
      object: "response",
      model: "gpt-x-2026",
      status: "in_progress",
      error: null,
      output: [],
      usage: null,
      ...more,
    });
    const usage = { input_tokens: 7, output_tokens: 5, total_tokens: 12 };
    const event = (data: { type: string }) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
    server.script(
      json(200, response({ status: "completed", usage })),
      sse([
        event({ type: "response.created", response: response({}) } as never),
        event({ type: "response.output_text.delta", delta: ANSWER } as never),
        event({ type: "response.completed", response: response({ status: "completed", usage }) } as never),
      ]),
      sse([
        event({ type: "response.created", response: response({}) } as never),
        event({
          type: "response.failed",
          response: response({
            status: "failed",
            error: { code: "server_error", message: "The model produced invalid content" },
          }),
        } as never),
      ]),
    );
    await openai.responses.create({ model: "gpt-x", input: PROMPT });
    for (let i = 0; i < 2; i++) {
      for await (const _ of await openai.responses.create({ model: "gpt-x", input: PROMPT, stream: true }));
    }
    expect(observer.finish()).toMatchObject([
      { outcome: "ok", inputTokens: 7, outputTokens: 5, isStream: false },
      { outcome: "ok", inputTokens: 7, outputTokens: 5, isStream: true, firstTokenMs: 0 },
      { outcome: "server_error", httpStatus: 200, error: { code: "server_error" } },
    ]);
  });

  it("counts own calls under way", async () => {
    const { openai, observer } = aClient();
    const all = signal();
    let arrived = 0;
    const wait = async (response: never, request: never) => {
      if (++arrived === 3) all.give();
      await all.given;
      return json(200, completion)(response, request);
    };
    server.script(wait as never, wait as never, wait as never);
    await Promise.all(
      [1, 2, 3].map((n) => openai.chat.completions.create({ model: "gpt-x", messages, seed: n })),
    );
    expect(observer.events.map(({ inFlight }) => inFlight).sort()).toEqual([0, 1, 2]);
  });

  it("tells requests apart that are alike, also when all fail at once", async () => {
    const { openai, observer } = aClient();
    server.script(
      json(429, rateLimited, now),
      json(429, rateLimited, now),
      json(200, completion),
      json(200, completion),
    );
    await Promise.all([1, 2].map(() => openai.chat.completions.create({ model: "gpt-x", messages })));
    const requestIds = [...new Set(observer.events.map(({ requestId }) => requestId))];
    const attemptsOf = (id: string | undefined) =>
      observer.events.filter(({ requestId }) => requestId === id);
    expect(requestIds).toHaveLength(2);
    for (const id of requestIds) {
      expect(attemptsOf(id)).toMatchObject([
        { attempt: 1, isFinal: false },
        { attempt: 2, isFinal: true },
      ]);
    }
  });

  it("says nothing of prompts and answers, even where a provider repeats them", async () => {
    const { openai, observer } = aClient(undefined, { maxRetries: 0 });
    server.script(
      json(400, {
        error: {
          message: `Invalid content: '${PROMPT}' is not allowed in messages[0].content`,
          type: "invalid_request_error",
          code: null,
        },
      }),
      json(200, completion),
    );
    await expect(openai.chat.completions.create({ model: "gpt-x", messages })).rejects.toThrow(PROMPT);
    await openai.chat.completions.create({ model: "gpt-x", messages });
    expect(observer.finish()).toHaveLength(2);
    expect(JSON.stringify(observer.events)).not.toMatch(/secret|merger|Ostrich|Walrus/);
    expect(observer.events[0]?.error?.message).toMatch(/^Invalid content: .* is not allowed in messages/);
  });
});
