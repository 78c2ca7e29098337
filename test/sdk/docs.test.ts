import fs from "node:fs";
import path from "node:path";
import * as aiSdkOpenAi from "@ai-sdk/openai";
import * as anthropicSdk from "@anthropic-ai/sdk";
import * as awsSdk from "@aws-sdk/client-bedrock-runtime";
import * as busyhour from "@busyhour/sdk";
import * as googleSdk from "@google/genai";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import * as aiSdk from "ai";
import { transform } from "esbuild";
import * as openaiSdk from "openai";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { anObserver, type TestObserver } from "./support/observer.ts";
import { json, type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";

/** Each block of TypeScript of the page's chapter on recording, by the heading that it stands under. */
function listSnippets(): { heading: string; code: string }[] {
  const page = fs.readFileSync(path.join(import.meta.dirname, "../../docs/sdk.md"), "utf8");
  const chapter = /^## Recording calls$([\s\S]*?)^## /m.exec(page)?.[1] ?? "";
  let heading = "Recording calls";
  const snippets: { heading: string; code: string }[] = [];
  for (const match of chapter.matchAll(/^### (.+)$|^```ts\n([\s\S]*?)^```$/gm)) {
    if (match[1] !== undefined) heading = match[1];
    else snippets.push({ heading, code: match[2] ?? "" });
  }
  return snippets;
}

let server: ScriptedServer;
let observer: TestObserver;
beforeEach(async () => {
  server = await startScriptedServer();
  observer = anObserver();
  const realFetch = globalThis.fetch;
  // Whatever host a client asks, the scripted server answers.
  vi.stubGlobal("fetch", (input: string | URL, init?: RequestInit) => {
    const { pathname, search } = new URL(input);
    return realFetch(`${server.url}${pathname}${search}`, init);
  });
  for (const name of ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"]) vi.stubEnv(name, "key");
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  return server.close();
});

/** Runs a snippet, and then the call that the test makes with what it has made. */
async function run(code: string, call: string, more: Record<string, unknown> = {}): Promise<unknown> {
  const modules: Record<string, object> = {
    "@ai-sdk/openai": aiSdkOpenAi,
    "@anthropic-ai/sdk": anthropicSdk,
    "@aws-sdk/client-bedrock-runtime": {
      ...awsSdk,
      BedrockRuntimeClient: class extends awsSdk.BedrockRuntimeClient {
        constructor(config: awsSdk.BedrockRuntimeClientConfig) {
          const credentials = { accessKeyId: "AKIAX", secretAccessKey: "x" };
          super({ ...config, endpoint: server.url, credentials, requestHandler: new NodeHttpHandler() });
        }
      },
    },
    "@busyhour/sdk": { ...busyhour, createReporter: () => ({ report: observer.options.report }) },
    "@google/genai": googleSdk,
    ai: aiSdk,
    openai: openaiSdk,
  };
  const body = code
    .replace(/^import \{(.+)\} from "(.+)";$/gm, 'const {$1} = modules["$2"];')
    .replace(/^import (\w+) from "(.+)";$/gm, 'const $1 = modules["$2"].default;');
  expect(body).not.toMatch(/^import /m);
  const { code: script } = await transform(`async () => {\n${body}\n${call}\n}`, { loader: "ts" });
  const names = Object.keys(more);
  return new Function("modules", ...names, `return (${script.replace(/;\s*$/, "")})()`)(
    modules,
    ...Object.values(more),
  );
}

const chat = {
  model: "gpt-5",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 3, completion_tokens: 1 },
};
const response = {
  id: "r1",
  object: "response",
  created_at: 1,
  status: "completed",
  model: "gpt-5",
  output: [
    {
      type: "message",
      id: "m1",
      role: "assistant",
      content: [{ type: "output_text", text: "Hi", annotations: [] }],
    },
  ],
  usage: { input_tokens: 3, output_tokens: 1 },
};
const message = {
  type: "message",
  role: "assistant",
  model: "claude-x",
  content: [],
  usage: { input_tokens: 3, output_tokens: 1 },
};
const candidates = { candidates: [], usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 1 } };
const converse = { output: {}, usage: { inputTokens: 3, outputTokens: 1 } };

/** The call that shows that a snippet works, what the provider answers, and what is recorded. */
const CALLS: Record<string, { call: string; answer: object; event: object }[]> = {
  "Recording calls": [
    {
      call: 'await openai.chat.completions.create({ model: "gpt-5", messages: [] });',
      answer: chat,
      event: { provider: "openai", model: "gpt-5", endpoint: "api.openai.com" },
    },
  ],
  Anthropic: [
    {
      call: 'await anthropic.messages.create({ model: "claude-x", max_tokens: 1, messages: [] });',
      answer: message,
      event: { provider: "anthropic", model: "claude-x", endpoint: "api.anthropic.com" },
    },
  ],
  Google: [
    {
      call: 'await google.models.generateContent({ model: "gemini-x", contents: "Hi" });',
      answer: candidates,
      event: { provider: "google", model: "gemini-x", endpoint: "generativelanguage.googleapis.com" },
    },
  ],
  "AI SDK 4, 5 and 6": [
    {
      call: 'await modules.ai.generateText({ model: provider("gpt-5"), prompt: "Hi" });',
      answer: response,
      event: { provider: "openai", model: "gpt-5", endpoint: "api.openai.com" },
    },
    {
      call: 'await modules.ai.generateText({ model, prompt: "Hi" });',
      answer: response,
      event: { provider: "openai", model: "gpt-5" },
    },
  ],
  Bedrock: [
    {
      call: 'await bedrock.send(new modules["@aws-sdk/client-bedrock-runtime"].ConverseCommand({ modelId: "m", messages: [] }));',
      answer: converse,
      event: { provider: "bedrock", model: "m" },
    },
  ],
  "Anything else": [
    { call: "", answer: {}, event: { provider: "acme", model: "acme-large", endpoint: "eu" } },
  ],
};

describe("docs/sdk.md, Recording calls", () => {
  const snippets = listSnippets();

  it("has a call to try for every snippet", () => {
    const count = Object.values(CALLS).flat().length;
    expect(snippets.filter(({ heading }) => heading in CALLS)).toHaveLength(count);
    expect(snippets).toHaveLength(count + 1);
  });

  for (const [heading, calls] of Object.entries(CALLS)) {
    for (const [at, { call, answer, event }] of calls.entries()) {
      it(`${heading}, snippet ${at + 1}, records a call`, async () => {
        const snippet = snippets.filter((snippet) => snippet.heading === heading)[at];
        server.script(json(200, answer));
        const askAcme = async () => ({ read: 3, written: 1 });
        await run(snippet?.code ?? "", call, { askAcme });
        expect(observer.finish()).toMatchObject([
          { ...event, outcome: "ok", inputTokens: 3, outputTokens: 1 },
        ]);
      });
    }
  }

  it("Retries: takes a fallback for the same request", async () => {
    const { code = "" } = snippets.find(({ heading }) => heading === "Retries") ?? {};
    server.script(json(400, { error: { message: "no" } }), json(200, chat));
    const observed = busyhour.observe(fetch, observer.options);
    const ask = async (model: string) => {
      const answer = await observed("https://api.openai.com/v1/chat/completions", {
        method: "POST",
        body: JSON.stringify({ model }),
      });
      if (!answer.ok) throw new Error("failed");
      return answer.json();
    };
    expect(await run(code, "return answer;", { ask })).toEqual(chat);
    expect(observer.events).toMatchObject([
      { model: "big-model", attempt: 1, isFinal: false },
      { model: "small-model", attempt: 2, isFinal: true, requestId: observer.events[0]?.requestId },
    ]);
  });
});
