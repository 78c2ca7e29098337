import { describe, expect, it } from "vitest";
import { BodyWindow } from "./body-window.ts";
import { readLines } from "./sse.ts";

const data = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const event = (body: { type: string; [key: string]: unknown }) => `event: ${body.type}\n${data(body)}`;
const chat = (delta: object, more: object = {}) =>
  data({ object: "chat.completion.chunk", model: "m", choices: [{ delta, finish_reason: null }], ...more });

/** Reads the parts, each of which came a millisecond after the one before. */
function read(parts: readonly string[]) {
  const window = new BodyWindow();
  for (const [at, part] of parts.entries()) window.push(new TextEncoder().encode(part), at);
  return readLines(window);
}

describe("the first token of a stream", () => {
  it.each([
    ["chat, after a role", [chat({ role: "assistant", content: "" }), chat({ content: "x" })], 1],
    ["chat, a tool", [chat({ role: "assistant", content: null }), chat({ tool_calls: [{ index: 0 }] })], 1],
    ["chat, a thought", [chat({ content: "", reasoning_content: "x" })], 0],
    ["OpenRouter, after comments", [": OPENROUTER PROCESSING\n\n", chat({ content: "x" })], 1],
    [
      "responses",
      [
        event({ type: "response.created" }),
        event({ type: "response.output_item.added" }),
        event({ type: "response.output_text.delta", delta: "x" }),
      ],
      2,
    ],
    [
      "Anthropic",
      [
        event({ type: "message_start", message: {} }),
        event({ type: "ping" }),
        event({ type: "content_block_start" }),
        event({ type: "content_block_delta" }),
      ],
      3,
    ],
    ["Gemini", [data({ candidates: [{ content: { parts: [{ text: "x" }] } }] })], 0],
    ["Ollama", ['{"model":"m","message":{"content":"x"},"done":false}\n'], 0],
    ["a line in two pieces", ['data: {"choices":[{"delta":{"con', 'tent":"x"}}]}\n\n'], 1],
    ["Windows' line ends", ['data: {"choices":[{"delta":{"content":"x"}}]}\r\n\r\n'], 0],
    [
      "none",
      [event({ type: "message_start" }), event({ type: "error", error: { type: "overloaded_error" } })],
      undefined,
    ],
    ["nothing at all", [], undefined],
  ])("%s", (_, parts, firstTokenAt) => {
    expect(read(parts).firstTokenAt).toBe(firstTokenAt);
  });
});

describe("the end of a stream", () => {
  const filler = (bytes: number) => chat({ content: "x".repeat(100) }).repeat(Math.ceil(bytes / 180));

  it.each([100, 60_000, 300_000])("counts tokens behind %i bytes of text", (bytes) => {
    const usage = chat({}, { choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } });
    expect(read([filler(bytes), usage, "data: [DONE]\n\n"])).toMatchObject({
      inputTokens: 3,
      outputTokens: 2,
      servedModel: "m",
      isComplete: true,
      firstTokenAt: 0,
    });
  });

  it("adds what came first to what came last", () => {
    const start = event({
      type: "message_start",
      message: { model: "m", usage: { input_tokens: 3, output_tokens: 1 } },
    });
    const delta = event({ type: "content_block_delta", delta: { text: "x".repeat(300) } });
    const end = event({
      type: "message_delta",
      delta: { stop_reason: "end_turn" },
      usage: { output_tokens: 7 },
    });
    for (const count of [1, 500]) {
      const facts = read([start, delta.repeat(count), end, event({ type: "message_stop" })]);
      expect(facts).toMatchObject({ inputTokens: 3, outputTokens: 7, servedModel: "m", isComplete: true });
      expect(facts.error).toBeUndefined();
    }
  });

  it("is missing where a manner that always has one does not show it", () => {
    expect(read([chat({ content: "x" })]).isComplete).toBe(false);
    expect(read([event({ type: "message_start", message: {} })]).isComplete).toBe(false);
    expect(read([data({ text: "x" })]).isComplete).toBeNull();
  });

  it.each([100, 100_000])("shows an error behind %i bytes", (bytes) => {
    const error = { error: { message: "Overloaded", code: "overloaded" } };
    expect(read([filler(bytes), data(error)]).error).toEqual(error);
    expect(read([filler(bytes), data(error), "data: [DONE]\n\n"]).error).toEqual(error);
  });

  it("shows a failure whose event carries all of a long answer behind it", () => {
    const failed = event({
      type: "response.failed",
      response: {
        status: "failed",
        error: { code: "server_error", message: "m" },
        output: ["x".repeat(100_000)],
      },
    });
    const parts = Array.from({ length: Math.ceil(failed.length / 8_000) }, (_, i) =>
      failed.slice(i * 8_000, (i + 1) * 8_000),
    );
    const facts = read([event({ type: "response.created" }), filler(40_000), ...parts]);
    expect(facts.error).toEqual({ error: { code: "server_error", message: "m" } });
  });

  it("takes no answer that speaks of errors for one", () => {
    const text = chat({ content: '{"error":{"message":"Overloaded"}}' });
    expect(read([text, chat({ content: 'data: {"error":"x"}' })]).error).toBeUndefined();
  });
});
