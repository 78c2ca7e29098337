import Anthropic from "@anthropic-ai/sdk";
import { observe, observeAnthropic } from "@busyhour/sdk";
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

const now = { "retry-after-ms": "1" };
const question = {
  model: "claude-x",
  max_tokens: 9,
  messages: [{ role: "user" as const, content: "my secret prompt" }],
};
const message = {
  id: "m1",
  type: "message",
  role: "assistant",
  model: "claude-x-2026",
  content: [{ type: "text", text: "the secret answer" }],
  stop_reason: "end_turn",
  usage: { input_tokens: 10, cache_read_input_tokens: 5, cache_creation_input_tokens: 0, output_tokens: 4 },
};
const overloaded = {
  type: "error",
  error: { type: "overloaded_error", message: "Overloaded" },
  request_id: "req_1",
};

const event = (data: { type: string; [key: string]: unknown }) =>
  `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
const start = event({
  type: "message_start",
  message: { ...message, content: [], stop_reason: null, usage: { input_tokens: 10, output_tokens: 1 } },
});
const delta = (text: string) =>
  event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
const blockStart = event({
  type: "content_block_start",
  index: 0,
  content_block: { type: "text", text: "" },
});
const ping = event({ type: "ping" });
const end = [
  event({ type: "content_block_stop", index: 0 }),
  event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 12 } }),
  event({ type: "message_stop" }),
];

const hooks = {
  "its fetch": (observer = anObserver()) => ({ fetch: observe(fetch, observer.options) }),
  "its middleware": (observer = anObserver()) => ({ middleware: [observeAnthropic(observer.options)] }),
  both: (observer = anObserver()) => ({
    fetch: observe(fetch, observer.options),
    middleware: [observeAnthropic(observer.options)],
  }),
};

describe.each(Object.entries(hooks))("the Anthropic client, observed by %s", (_, hook) => {
  function aClient(more: object = {}) {
    const observer = anObserver();
    const anthropic = new Anthropic({ apiKey: "sk-ant-x", baseURL: server.url, ...hook(observer), ...more });
    return { anthropic, observer };
  }

  it("records each attempt as the script has it", async () => {
    const { anthropic, observer } = aClient();
    server.script(
      json(529, overloaded, now),
      html(502, "<title>Bad Gateway</title>", now),
      json(200, message),
    );
    await anthropic.messages.create(question);
    expect(observer.finish()).toMatchObject([
      {
        provider: "anthropic",
        attempt: 1,
        outcome: "capacity",
        httpStatus: 529,
        isFinal: false,
        error: { type: "overloaded_error" },
      },
      { attempt: 2, outcome: "server_error", httpStatus: 502, isFinal: false },
      {
        attempt: 3,
        outcome: "ok",
        isFinal: true,
        inputTokens: 15,
        outputTokens: 4,
        model: "claude-x",
        servedModel: "claude-x-2026",
      },
    ]);
    expect(new Set(observer.events.map(({ requestId }) => requestId)).size).toBe(1);
  });

  it("times the first token, which is neither the greeting nor a ping", async () => {
    const { anthropic, observer } = aClient();
    const go = signal();
    server.script(sse([start, blockStart, ping, go.given, delta("Hi"), ...end]));
    const stream = await anthropic.messages.create({ ...question, stream: true });
    observer.advance(40);
    for await (const part of stream) {
      if (part.type !== "content_block_start") continue;
      observer.advance(200);
      go.give();
    }
    expect(observer.finish()).toMatchObject([
      { outcome: "ok", isStream: true, firstTokenMs: 240, inputTokens: 10, outputTokens: 12 },
    ]);
  });

  it("names an overload in the middle of a stream", async () => {
    const { anthropic, observer } = aClient();
    server.script(sse([start, blockStart, delta("Hi"), event(overloaded)]));
    const stream = await anthropic.messages.create({ ...question, stream: true });
    await expect(drain(stream)).rejects.toThrow("Overloaded");
    expect(observer.finish()).toMatchObject([
      {
        outcome: "capacity",
        httpStatus: 200,
        isStream: true,
        isFinal: true,
        firstTokenMs: 0,
        inputTokens: 10,
      },
    ]);
  });

  it("names a stream that somebody closed before its end", async () => {
    const { anthropic, observer } = aClient();
    server.script(sse([start, blockStart, delta("Hi")]), sse([start, blockStart, delta("Hi"), "cut"]));
    for (let i = 0; i < 2; i++) {
      const stream = await anthropic.messages.create({ ...question, stream: true });
      await drain(stream).catch(() => {});
    }
    expect(observer.finish()).toMatchObject([{ outcome: "network" }, { outcome: "network" }]);
  });

  it("tells a connection that breaks, and its repetition", async () => {
    const { anthropic, observer } = aClient({ maxRetries: 1 });
    server.script(cut, cut);
    await expect(anthropic.messages.create(question)).rejects.toThrow("Connection error");
    expect(observer.finish()).toMatchObject([
      { outcome: "network", attempt: 1, isFinal: false },
      { outcome: "network", attempt: 2, isFinal: true },
    ]);
  });

  it("keeps the caller's abort apart", async () => {
    const { anthropic, observer } = aClient();
    const arrived = signal();
    server.script(async (_response, { hungUp }) => {
      arrived.give();
      await hungUp;
    });
    const controller = new AbortController();
    const call = anthropic.messages.create(question, { signal: controller.signal });
    await arrived.given;
    controller.abort();
    await expect(call).rejects.toThrow("aborted");
    expect(observer.finish()).toMatchObject([{ outcome: "cancelled", isFinal: true }]);
  });

  it("says nothing of what was asked and answered", async () => {
    const { anthropic, observer } = aClient({ maxRetries: 0 });
    server.script(
      json(200, message),
      sse([start, delta("the secret answer"), ...end]),
      json(400, {
        type: "error",
        error: { type: "invalid_request_error", message: 'messages.0: "my secret prompt" is bad' },
      }),
    );
    await anthropic.messages.create(question);
    await drain(await anthropic.messages.create({ ...question, stream: true }));
    await expect(anthropic.messages.create(question)).rejects.toThrow("secret");
    expect(observer.finish()).toHaveLength(3);
    expect(JSON.stringify(observer.events)).not.toContain("secret");
  });
});
