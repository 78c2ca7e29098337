import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { languageModel, observe, observeAiSdk } from "@busyhour/sdk";
import { generateText, streamText, wrapLanguageModel } from "ai";
import { describe, expect, it } from "vitest";
import { type AiSdkCalls, describeAiSdk } from "./support/ai-sdk-contract.ts";
import { describeLanguageModel } from "./support/language-model-contract.ts";
import { anObserver } from "./support/observer.ts";
import { json, startScriptedServer } from "./support/scripted-server.ts";

const prompt = "my secret prompt";
const settings = (url: string) => ({ apiKey: "sk-x", baseURL: `${url}/v1` });
const quiet = { onError() {} };

function calls6(model: Parameters<typeof generateText>[0]["model"]): AiSdkCalls {
  return {
    generate: async (more = {}) => (await generateText({ model, prompt, ...more })).text,
    stream: (more = {}) => streamText({ model, prompt, ...quiet, ...more }).textStream,
  };
}

describeAiSdk("6, provider's fetch", ({ options }, url) =>
  calls6(createOpenAI({ ...settings(url), fetch: observe(fetch, options) }).chat("gpt-x")),
);
describeAiSdk("6, middleware", ({ options }, url) => {
  const model = createOpenAI(settings(url)).chat("gpt-x");
  return calls6(wrapLanguageModel({ model, middleware: observeAiSdk(options) }));
});
describeAiSdk("6, both", ({ options }, url) => {
  const model = createOpenAI({ ...settings(url), fetch: observe(fetch, options) }).chat("gpt-x");
  return calls6(wrapLanguageModel({ model, middleware: observeAiSdk(options) }));
});
describe("the AI SDK's Anthropic provider, observed", () => {
  it("records an overload and its repetition", async () => {
    const server = await startScriptedServer();
    const observer = anObserver();
    const anthropic = createAnthropic({ ...settings(server.url), fetch: observe(fetch, observer.options) });
    server.script(
      json(
        529,
        { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
        { "retry-after-ms": "1" },
      ),
      json(200, {
        id: "m1",
        type: "message",
        role: "assistant",
        model: "claude-x-2026",
        content: [{ type: "text", text: "Hi" }],
        stop_reason: "end_turn",
        usage: { input_tokens: 10, output_tokens: 4 },
      }),
    );
    await generateText({ model: anthropic("claude-x"), prompt });
    await server.close();
    expect(observer.finish()).toMatchObject([
      {
        provider: "anthropic",
        model: "claude-x",
        outcome: "capacity",
        httpStatus: 529,
        attempt: 1,
        isFinal: false,
      },
      { outcome: "ok", attempt: 2, isFinal: true, inputTokens: 10, outputTokens: 4 },
    ]);
  });
});

describeLanguageModel("6", (one, two) =>
  calls6(languageModel([createOpenAI(settings(one)).chat("big"), createOpenAI(settings(two)).chat("small")])),
);
