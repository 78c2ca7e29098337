import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
} from "@aws-sdk/client-bedrock-runtime";
import { observe, observeBedrock } from "@busyhour/sdk";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { drain } from "./support/drain.ts";
import { chunkFrame, eventFrame, exceptionFrame } from "./support/event-stream.ts";
import { anObserver } from "./support/observer.ts";
import {
  cut,
  html,
  json,
  type ScriptedServer,
  signal,
  startScriptedServer,
  stream,
} from "./support/scripted-server.ts";

const modelId = "anthropic.claude-x-v1:0";
const FRAMES = "application/vnd.amazon.eventstream";
const messages = [{ role: "user" as const, content: [{ text: "my secret prompt" }] }];
const invoke = { modelId, body: JSON.stringify({ messages }), contentType: "application/json" };

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

function aClient(maxAttempts = 3) {
  const observer = anObserver();
  const client = new BedrockRuntimeClient({
    region: "us-east-1",
    endpoint: server.url,
    credentials: { accessKeyId: "AKIAX", secretAccessKey: "x" },
    requestHandler: new NodeHttpHandler(),
    maxAttempts,
  });
  client.middlewareStack.use(observeBedrock(observer.options));
  return { client, observer };
}

const throttled = (message: string) =>
  json(429, { message }, { "x-amzn-errortype": "ThrottlingException", "retry-after": "0" });
const converse = {
  output: { message: { role: "assistant", content: [{ text: "the secret answer" }] } },
  stopReason: "end_turn",
  usage: { inputTokens: 9, outputTokens: 4, totalTokens: 13 },
  metrics: { latencyMs: 5 },
};
const converseEvents = [
  eventFrame("messageStart", { role: "assistant" }),
  eventFrame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "the secret answer" } }),
  eventFrame("contentBlockStop", { contentBlockIndex: 0 }),
  eventFrame("messageStop", { stopReason: "end_turn" }),
  eventFrame("metadata", {
    usage: { inputTokens: 9, outputTokens: 4, totalTokens: 13 },
    metrics: { latencyMs: 5 },
  }),
];
const claudeEvents = [
  chunkFrame({
    type: "message_start",
    message: { model: "claude-x", usage: { input_tokens: 9, output_tokens: 1 } },
  }),
  chunkFrame({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text: "the secret answer" },
  }),
  chunkFrame({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } }),
  chunkFrame({
    type: "message_stop",
    "amazon-bedrock-invocationMetrics": { inputTokenCount: 9, outputTokenCount: 4 },
  }),
];

describe("the Bedrock client, observed by its middleware", () => {
  it("records each attempt as the script has it", async () => {
    const { client, observer } = aClient();
    server.script(
      throttled("Too many requests, please wait before trying again."),
      html(502, "<title>Bad Gateway</title>"),
      json(200, converse),
    );
    const answer = await client.send(new ConverseCommand({ modelId, messages }));
    expect(answer.output?.message?.content?.[0]?.text).toBe("the secret answer");
    expect(observer.finish()).toMatchObject([
      {
        provider: "bedrock",
        model: modelId,
        attempt: 1,
        outcome: "rate_limit",
        httpStatus: 429,
        isFinal: false,
        error: { type: "ThrottlingException" },
      },
      { attempt: 2, outcome: "server_error", httpStatus: 502, isFinal: false },
      {
        attempt: 3,
        outcome: "ok",
        httpStatus: 200,
        isFinal: true,
        inputTokens: 9,
        outputTokens: 4,
        isStream: false,
      },
    ]);
    expect(new Set(observer.events.map(({ requestId }) => requestId)).size).toBe(1);
    expect(JSON.stringify(observer.events)).not.toContain("secret");
  });

  it("knows at once that an attempt was the last one", async () => {
    const { client, observer } = aClient(1);
    server.script(cut);
    await expect(client.send(new ConverseCommand({ modelId, messages }))).rejects.toThrow();
    expect(observer.events).toMatchObject([{ outcome: "network", attempt: 1, isFinal: true }]);
  });

  it("counts the tokens of an invocation whose model does not tell them", async () => {
    const { client, observer } = aClient();
    const counts = { "x-amzn-bedrock-input-token-count": "7", "x-amzn-bedrock-output-token-count": "2" };
    server.script(json(200, { outputs: [{ text: "the secret answer" }] }, counts));
    await client.send(new InvokeModelCommand(invoke));
    expect(observer.finish()).toMatchObject([{ outcome: "ok", inputTokens: 7, outputTokens: 2 }]);
  });

  it("times both kinds of streams and counts their tokens", async () => {
    const { client, observer } = aClient();
    for (const frames of [converseEvents, claudeEvents]) {
      const go = signal();
      server.script((response, request) => {
        observer.advance(40);
        const [first, second, ...rest] = frames;
        return stream(FRAMES, [first ?? "", second ?? "", go.given, ...rest])(response, request);
      });
      const command =
        frames === converseEvents
          ? new ConverseStreamCommand({ modelId, messages })
          : new InvokeModelWithResponseStreamCommand(invoke);
      const answer = await client.send(command as ConverseStreamCommand);
      let count = 0;
      for await (const _ of answer.stream ?? (answer as unknown as { body: AsyncIterable<never> }).body) {
        if (++count !== 2) continue;
        observer.advance(60);
        go.give();
      }
      expect(count).toBe(frames.length);
    }
    expect(observer.finish()).toMatchObject([
      { outcome: "ok", isStream: true, firstTokenMs: 40, latencyMs: 100, inputTokens: 9, outputTokens: 4 },
      { outcome: "ok", isStream: true, firstTokenMs: 40, latencyMs: 100, inputTokens: 9, outputTokens: 4 },
    ]);
    expect(JSON.stringify(observer.events)).not.toContain("secret");
  });

  it("names an exception and a break inside of a stream", async () => {
    const { client, observer } = aClient();
    const begun = converseEvents.slice(0, 2);
    server.script(
      stream(FRAMES, [...begun, exceptionFrame("throttlingException", "Too many requests")]),
      stream(FRAMES, [...begun, "cut"]),
    );
    for (let i = 0; i < 2; i++) {
      const answer = await client.send(new ConverseStreamCommand({ modelId, messages }));
      await expect(drain(answer.stream ?? ([] as never))).rejects.toThrow();
    }
    expect(observer.finish()).toMatchObject([
      { outcome: "rate_limit", isStream: true, isFinal: true, httpStatus: 200, firstTokenMs: 0 },
      { outcome: "network", isStream: true, isFinal: true, httpStatus: 200 },
    ]);
  });

  it("keeps the caller's abort apart", async () => {
    const { client, observer } = aClient();
    const arrived = signal();
    server.script(async (_, { hungUp }) => {
      arrived.give();
      await hungUp;
    });
    const controller = new AbortController();
    const call = client.send(new ConverseCommand({ modelId, messages }), { abortSignal: controller.signal });
    await arrived.given;
    controller.abort();
    await expect(call).rejects.toThrow("aborted");
    server.script(stream(FRAMES, [...converseEvents]));
    const answer = await client.send(new ConverseStreamCommand({ modelId, messages }));
    for await (const _ of answer.stream ?? []) break;
    expect(observer.finish()).toMatchObject([
      { outcome: "cancelled", isFinal: true },
      { outcome: "cancelled", isStream: true },
    ]);
  });
});

describe("Bedrock through an observed fetch", () => {
  const url = (action: string) => `${server.url}/model/${encodeURIComponent(modelId)}/${action}`;

  it("reads the frames of a stream", async () => {
    const observer = anObserver();
    const call = observe(fetch, observer.options);
    for (const [action, frames] of [
      ["converse-stream", converseEvents],
      ["invoke-with-response-stream", claudeEvents],
    ] as const) {
      const whole = Buffer.concat(frames);
      // Cut at every other place than where a frame ends.
      server.script(stream(FRAMES, [whole.subarray(0, 7), whole.subarray(7, 150), whole.subarray(150)]));
      const response = await call(url(action), { method: "POST", body: "{}" });
      expect(Buffer.from(await response.arrayBuffer())).toEqual(whole);
    }
    server.script(
      stream(FRAMES, [
        exceptionFrame("modelStreamErrorException", "The system encountered an unexpected error"),
      ]),
    );
    await drain(
      (await call(url("converse-stream"), { method: "POST", body: "{}" })).body as AsyncIterable<Uint8Array> &
        ReadableStream,
    );
    expect(observer.finish()).toMatchObject([
      {
        provider: "bedrock",
        model: modelId,
        outcome: "ok",
        inputTokens: 9,
        outputTokens: 4,
        isStream: true,
        firstTokenMs: 0,
      },
      { outcome: "ok", inputTokens: 9, outputTokens: 4, servedModel: "claude-x" },
      { outcome: "server_error", httpStatus: 200, error: { type: "modelStreamErrorException" } },
    ]);
  });
});
