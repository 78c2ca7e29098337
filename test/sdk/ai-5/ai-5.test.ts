import { createOpenAI } from "@ai-sdk/openai";
import { languageModel, observe, observeAiSdk } from "@busyhour/sdk";
import { generateText, streamText, wrapLanguageModel } from "ai";
import { type AiSdkCalls, describeAiSdk } from "../support/ai-sdk-contract.ts";
import { describeLanguageModel } from "../support/language-model-contract.ts";

const prompt = "my secret prompt";
const settings = (url: string) => ({ apiKey: "sk-x", baseURL: `${url}/v1` });
const quiet = { onError() {} };

function calls5(model: Parameters<typeof generateText>[0]["model"]): AiSdkCalls {
  return {
    generate: async (more = {}) => (await generateText({ model, prompt, ...more })).text,
    stream: (more = {}) => streamText({ model, prompt, ...quiet, ...more }).textStream,
  };
}

describeAiSdk("5, provider's fetch", ({ options }, url) =>
  calls5(createOpenAI({ ...settings(url), fetch: observe(fetch, options) }).chat("gpt-x")),
);
describeAiSdk("5, middleware", ({ options }, url) => {
  const model = createOpenAI(settings(url)).chat("gpt-x");
  return calls5(wrapLanguageModel({ model, middleware: observeAiSdk(options) }));
});

describeLanguageModel("5", (one, two) =>
  calls5(languageModel([createOpenAI(settings(one)).chat("big"), createOpenAI(settings(two)).chat("small")])),
);
