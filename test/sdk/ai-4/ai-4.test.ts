import { createOpenAI } from "@ai-sdk/openai";
import { languageModel, observe, observeAiSdk } from "@busyhour/sdk";
import { generateText, streamText, wrapLanguageModel } from "ai";
import { type AiSdkCalls, describeAiSdk } from "../support/ai-sdk-contract.ts";
import { describeLanguageModel } from "../support/language-model-contract.ts";

const prompt = "my secret prompt";
const settings = (url: string) => ({
  apiKey: "sk-x",
  baseURL: `${url}/v1`,
  compatibility: "strict" as const,
});

function calls4(model: Parameters<typeof generateText>[0]["model"]): AiSdkCalls {
  return {
    generate: async (more = {}) => (await generateText({ model, prompt, ...more })).text,
    stream: (more = {}) => streamText({ model, prompt, onError() {}, ...more }).textStream,
  };
}

describeAiSdk("4, provider's fetch", ({ options }, url) =>
  calls4(createOpenAI({ ...settings(url), fetch: observe(fetch, options) }).chat("gpt-x")),
);
describeAiSdk("4, middleware", ({ options }, url) => {
  const model = createOpenAI(settings(url)).chat("gpt-x");
  return calls4(wrapLanguageModel({ model, middleware: observeAiSdk(options) }));
});

describeLanguageModel("4", (one, two) =>
  calls4(languageModel([createOpenAI(settings(one)).chat("big"), createOpenAI(settings(two)).chat("small")])),
);
