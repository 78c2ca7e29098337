import { describe, expect, it } from "vitest";
import { createEndpoint, HttpFailure } from "./batch-endpoint.ts";
import { type InputSettings, toRequest } from "./batch-input.ts";

const settings: InputSettings = { model: "m", maxTokensField: "max_tokens" };
const hi = [{ role: "user", content: "Hi" }];

describe("a line of the input", () => {
  it.each([
    [
      "a prompt",
      { prompt: "Hi" },
      {},
      { id: null, path: "/chat/completions", isWhole: false, body: { model: "m", messages: hi } },
    ],
    [
      "a prompt with more",
      { id: 7, prompt: "Hi", model: "other", temperature: 0 },
      {},
      { id: 7, body: { model: "other", temperature: 0, messages: hi } },
    ],
    [
      "messages",
      { custom_id: "a", messages: hi },
      { system: "Be brief", maxTokens: 9 },
      {
        id: "a",
        body: { model: "m", max_tokens: 9, messages: [{ role: "system", content: "Be brief" }, ...hi] },
      },
    ],
    [
      "messages that have a system message",
      { messages: [{ role: "system", content: "x" }] },
      { system: "y" },
      { body: { model: "m", messages: [{ role: "system", content: "x" }] } },
    ],
    [
      "a limit of its own",
      { prompt: "Hi", max_completion_tokens: 3 },
      { maxTokens: 9 },
      { body: { model: "m", max_completion_tokens: 3, messages: hi } },
    ],
    [
      "the name that OpenAI gives the limit",
      { prompt: "Hi" },
      { maxTokens: 9, maxTokensField: "max_completion_tokens" as const },
      { body: { model: "m", max_completion_tokens: 9, messages: hi } },
    ],
    [
      "a whole request",
      { custom_id: "b", method: "POST", url: "/v1/responses", body: { model: "x", input: "Hi" } },
      { system: "y", maxTokens: 1 },
      { id: "b", path: "/responses", isWhole: true, body: { model: "x", input: "Hi" } },
    ],
    [
      "a whole request without a place or a model",
      { body: { messages: hi } },
      {},
      { path: "/chat/completions", isWhole: true, body: { model: "m", messages: hi } },
    ],
  ])("that is %s", (_, line, more, request) => {
    const made = toRequest(line, { ...settings, ...more });
    expect(made).toMatchObject(request);
    expect(made.body).toEqual(request.body);
  });

  it.each([
    ["text", /is no object; write \{"prompt": "…"\} or/],
    [["a"], /is no object/],
    [{}, /has neither “prompt” nor “messages” nor “body”; write/],
    [{ prompt: " " }, /has an empty “prompt”/],
    [{ prompt: hi }, /has a “prompt” that is no text; chats go into “messages”/],
    [{ messages: [] }, /has no message in “messages”/],
    [{ id: {}, prompt: "Hi" }, /has an id that is neither text nor number/],
    [{ body: { messages: hi }, url: "https://elsewhere/v1" }, /has a “url” that is no path/],
    [{ body: { messages: hi, stream: true } }, /asks for a stream; take “stream” out/],
  ])("that is no request says why: %j", (line, message) => {
    expect(() => toRequest(line, settings)).toThrow(message);
  });

  it("needs a model from somewhere", () => {
    const { model: _, ...none } = settings;
    expect(() => toRequest({ prompt: "Hi" }, none)).toThrow(/names no “model”; add one, or --model for all/);
  });
});

describe("an endpoint", () => {
  it.each([
    ["https://api.openai.com", "https://api.openai.com/v1/chat/completions"],
    ["https://api.openai.com/v1/", "https://api.openai.com/v1/chat/completions"],
    ["https://host/openai/v1/chat/completions", "https://host/openai/v1/chat/completions"],
    ["https://host/v1?api-version=2", "https://host/v1/chat/completions?api-version=2"],
  ])("at %s is asked at %s", async (url, asked) => {
    const realFetch = globalThis.fetch;
    const seen: { url: string; key: string | null }[] = [];
    globalThis.fetch = async (input, init) => {
      seen.push({ url: String(input), key: new Headers(init?.headers).get("authorization") });
      return Response.json({
        model: "m",
        choices: [{ message: { content: "Hello" }, finish_reason: "stop" }],
      });
    };
    try {
      const request = toRequest({ prompt: "Hi" }, settings);
      const answer = await createEndpoint(new URL(url), "k").ask(request, new AbortController().signal);
      expect(answer).toEqual({ text: "Hello", finishReason: "stop", model: "m", usage: null });
      expect(seen).toEqual([{ url: asked, key: "Bearer k" }]);
    } finally {
      globalThis.fetch = realFetch;
    }
  });

  it.each([
    ['{"error":{"message":"No such model"}}', "404 No such model"],
    ['{"message":"slow down"}', "404 slow down"],
    ["<html><title>Bad gateway</title>", "404 Bad gateway"],
    ["", "404"],
  ])("that refuses with %s says so", (body, message) => {
    expect(new HttpFailure(404, new Headers(), body).message).toBe(message);
  });
});
