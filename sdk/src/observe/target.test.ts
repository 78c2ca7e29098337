import { describe, expect, it } from "vitest";
import { readAddress } from "./target.ts";

const find = (url: string, body: string | null = null) =>
  readAddress(new URL(url), undefined)?.findTarget(body) ?? null;
const named = (model: string) =>
  JSON.stringify({ model, messages: [{ role: "user", content: '{"model":"no"}' }] });

describe("whom a request asks", () => {
  it.each([
    ["https://api.openai.com/v1/chat/completions", named("gpt-x"), "openai", "gpt-x"],
    ["https://api.openai.com/v1/responses", named("gpt-x"), "openai", "gpt-x"],
    ["https://eu.api.openai.com/v1/embeddings", named("e-1"), "openai", "e-1"],
    [
      "https://res.openai.azure.com/openai/deployments/my-gpt/chat/completions?api-version=1",
      named("gpt-x"),
      "azure",
      "my-gpt",
    ],
    ["https://res.services.ai.azure.com/openai/v1/responses", named("gpt-x"), "azure", "gpt-x"],
    ["https://api.anthropic.com/v1/messages?beta=true", named("claude-x"), "anthropic", "claude-x"],
    [
      "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:generateContent",
      null,
      "google",
      "gemini-x",
    ],
    [
      "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
      named("models/gemini-x"),
      "google",
      "gemini-x",
    ],
    [
      "https://us-east5-aiplatform.googleapis.com/v1/projects/p/locations/us-east5/publishers/anthropic/models/claude-x@1:streamRawPredict",
      null,
      "vertex",
      "claude-x@1",
    ],
    [
      "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/google/models/gemini-x:streamGenerateContent?alt=sse",
      null,
      "vertex",
      "gemini-x",
    ],
    [
      "https://bedrock-runtime.eu-west-1.amazonaws.com/model/anthropic.claude-x-v1%3A0/converse-stream",
      null,
      "bedrock",
      "anthropic.claude-x-v1:0",
    ],
    ["https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model/m/invoke", null, "bedrock", "m"],
    ["https://openrouter.ai/api/v1/chat/completions", named("meta/llama"), "openrouter", "meta/llama"],
    ["https://api.deepseek.com/chat/completions", named("deepseek-chat"), "deepseek", "deepseek-chat"],
    ["https://ark.cn-beijing.volces.com/api/v3/chat/completions", named("doubao"), "volcengine", "doubao"],
    [
      "https://dashscope.aliyuncs.com/api/v1/services/aigc/text-generation/generation",
      named("qwen"),
      "dashscope",
      "qwen",
    ],
    [
      "https://api.cloudflare.com/client/v4/accounts/a/ai/run/@cf/meta/llama",
      "{}",
      "cloudflare",
      "@cf/meta/llama",
    ],
    ["https://api.cohere.com/v2/chat", named("command"), "cohere", "command"],
    ["http://localhost:11434/api/chat", named("llama"), "ollama", "llama"],
    ["http://localhost:8000/v1/chat/completions", named("local"), "openai", "local"],
    ["https://llm.example.com/proxy/v1/messages/", named("claude-x"), "anthropic", "claude-x"],
    ["https://llm.example.com/model/m/converse", null, "bedrock", "m"],
    ["https://llm.example.com/v1/chat/completions", null, "openai", null],
  ])("%s", (url, body, provider, model) => {
    expect(find(url, body)).toMatchObject({ provider, model, endpoint: new URL(url).host });
  });

  it.each([
    "https://api.openai.com/v1/files",
    "https://api.openai.com/v1/batches",
    "https://api.anthropic.com/v1/messages/count_tokens",
    "https://api.anthropic.com/v1/messages/batches",
    "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:countTokens",
    "https://example.com/login",
    "https://openrouter.ai.example.com/login",
  ])("nobody: %s", (url) => {
    expect(find(url, named("m"))).toBeNull();
  });

  it("knows from some addresses alone that a stream is asked for", () => {
    const isStream = (url: string) => readAddress(new URL(url), undefined)?.isStream;
    expect(isStream("https://aiplatform.googleapis.com/v1/models/m:streamGenerateContent")).toBe(true);
    expect(isStream("https://bedrock-runtime.us-east-1.amazonaws.com/model/m/converse-stream")).toBe(true);
    expect(isStream("https://api.openai.com/v1/responses")).toBeNull();
  });

  it("lets the owner of an address name its provider", () => {
    const address = readAddress(new URL("https://llm.example.com/v1/responses"), "vllm");
    expect(address?.findTarget(named("m"))).toMatchObject({ provider: "vllm", model: "m" });
  });
});
