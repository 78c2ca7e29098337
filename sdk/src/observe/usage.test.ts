import { describe, expect, it } from "vitest";
import { readAnswer, readModelUsage, scanAnswer } from "./usage.ts";

describe("what an answer says of itself", () => {
  it.each([
    ["OpenAI chat", { model: "m", usage: { prompt_tokens: 3, completion_tokens: 2 } }, 3, 2],
    ["OpenAI responses", { model: "m", usage: { input_tokens: 3, output_tokens: 2 } }, 3, 2],
    [
      "an event of them",
      { type: "response.completed", response: { usage: { input_tokens: 3, output_tokens: 2 } } },
      3,
      2,
    ],
    [
      "Anthropic, with what its cache held",
      {
        usage: {
          input_tokens: 3,
          cache_read_input_tokens: 10,
          cache_creation_input_tokens: 5,
          output_tokens: 2,
        },
      },
      18,
      2,
    ],
    [
      "Gemini, with its thoughts",
      { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, thoughtsTokenCount: 7 } },
      3,
      9,
    ],
    ["Bedrock converse", { usage: { inputTokens: 3, outputTokens: 2 } }, 3, 2],
    ["Bedrock converse stream", { metadata: { usage: { inputTokens: 3, outputTokens: 2 } } }, 3, 2],
    [
      "Cohere 2",
      { delta: { usage: { billed_units: {}, tokens: { input_tokens: 3, output_tokens: 2 } } } },
      3,
      2,
    ],
    ["Ollama", { model: "m", done: true, prompt_eval_count: 3, eval_count: 2 }, 3, 2],
    ["Groq's stream", { x_groq: { usage: { prompt_tokens: 3, completion_tokens: 2 } } }, 3, 2],
    [
      "an array of chunks",
      [{ usageMetadata: { promptTokenCount: 3 } }, { usageMetadata: { candidatesTokenCount: 2 } }],
      3,
      2,
    ],
    ["nothing", { usage: null }, undefined, undefined],
    ["zero, which is not nothing", { usage: { prompt_tokens: 0, completion_tokens: 0 } }, 0, 0],
    ["nonsense", { usage: { prompt_tokens: "3", completion_tokens: -2 } }, undefined, undefined],
    ["text", "usage", undefined, undefined],
  ])("%s", (_, answer, inputTokens, outputTokens) => {
    const facts = readAnswer(answer);
    expect([facts.inputTokens, facts.outputTokens]).toEqual([inputTokens, outputTokens]);
  });

  it("is found in a piece that is cut at both sides, and never in its texts", () => {
    const text = JSON.stringify({
      text: '"usage":{"prompt_tokens":9}',
      model: "m",
      usage: { prompt_tokens: 3, details: { a: 1 } },
      after: "x",
    });
    expect(scanAnswer(text.slice(5, -4))).toEqual({ servedModel: "m", inputTokens: 3 });
    expect(scanAnswer('"usage":{"prompt_tokens":3')).toEqual({});
  });

  it("is plain in two majors of the AI SDK, divided in the third", () => {
    const counts = { inputTokens: 3, outputTokens: 2 };
    expect(readModelUsage({ promptTokens: 3, completionTokens: 2 })).toEqual(counts);
    expect(readModelUsage(counts)).toEqual(counts);
    expect(readModelUsage({ inputTokens: { total: 3 }, outputTokens: { total: 2 } })).toEqual(counts);
    expect(readModelUsage({ promptTokens: Number.NaN })).toEqual({});
  });
});
