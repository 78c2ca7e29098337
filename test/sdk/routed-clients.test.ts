import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import {
  type Call,
  createRouter,
  findRouterError,
  json,
  languageModel,
  type RouterError,
  wrapOpenAI,
} from "@busyhour/sdk";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { type ScriptedServer, startScriptedServer } from "./support/scripted-server.ts";
import { CHAT, MESSAGES, RESPONSES, type Wire } from "./support/wire.ts";

/** A chain of two providers, asked by real clients in one manner. */
interface Asked {
  /** The text, asked for at once. */
  run(): Promise<string>;
  /** The pieces of the text as they came; what is thrown is thrown after the last one. */
  stream(onText: (text: string) => void): Promise<void>;
}

interface Manner {
  readonly name: string;
  readonly wire: Wire;
  /** What the second provider speaks, where it is another one. */
  readonly second?: Wire;
  readonly ask: (one: string, two: string) => Asked;
}

beforeAll(() => vi.stubGlobal("AI_SDK_LOG_WARNINGS", false));
afterAll(() => vi.unstubAllGlobals());

const messages = [{ role: "user" as const, content: "Hi" }];
const chain = {
  targets: [
    { id: "flagship", provider: "one", model: "big" },
    { id: "light", provider: "two", model: "small" },
  ],
};
const aClient = (url: string) => new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0 });

const MANNERS: readonly Manner[] = [
  {
    name: "openai, by the router",
    wire: CHAT,
    ask(one, two) {
      const clients = { one: aClient(one), two: aClient(two) };
      const providerOf = (client: OpenAI) => ({
        run: async (_: string, { model, signal }: Call) =>
          client.chat.completions.create({ model, messages }, { signal }),
        stream: async (_: string, { model, signal }: Call) =>
          client.chat.completions.create({ model, messages, stream: true }, { signal }),
      });
      const router = createRouter<string, OpenAI.ChatCompletion, OpenAI.ChatCompletionChunk>({
        providers: { one: providerOf(clients.one), two: providerOf(clients.two) },
        chain,
      });
      return {
        run: async () => (await router.run("Hi")).value.choices[0]?.message.content ?? "",
        async stream(onText) {
          for await (const { choices } of await router.stream("Hi")) onText(choices[0]?.delta.content ?? "");
        },
      };
    },
  },
  {
    name: "@anthropic-ai/sdk, by the router",
    wire: MESSAGES,
    ask(one, two) {
      const providerOf = (baseURL: string) => {
        const client = new Anthropic({ apiKey: "k", baseURL, maxRetries: 0 });
        return {
          run: (_: string, { model, signal }: Call) =>
            client.messages.create({ model, max_tokens: 9, messages }, { signal }),
          stream: (_: string, { model, signal }: Call) =>
            client.messages.create({ model, max_tokens: 9, messages, stream: true }, { signal }),
        };
      };
      const router = createRouter<string, Anthropic.Message, Anthropic.RawMessageStreamEvent>({
        providers: { one: providerOf(one), two: providerOf(two) },
        chain,
      });
      return {
        run: async () => {
          const [block] = (await router.run("Hi")).value.content;
          return block?.type === "text" ? block.text : "";
        },
        async stream(onText) {
          for await (const event of await router.stream("Hi"))
            if (event.type === "content_block_delta" && event.delta.type === "text_delta")
              onText(event.delta.text);
        },
      };
    },
  },
  {
    name: "wrapOpenAI, Chat Completions",
    wire: CHAT,
    ask(one, two) {
      const openai = wrapOpenAI({ one: aClient(one), two: aClient(two) }, { chain });
      return {
        run: async () =>
          (await openai.chat.completions.create({ model: "big", messages })).choices[0]?.message.content ??
          "",
        async stream(onText) {
          const stream = await openai.chat.completions.create({ model: "auto", messages, stream: true });
          for await (const { choices } of stream) onText(choices[0]?.delta.content ?? "");
        },
      };
    },
  },
  {
    name: "wrapOpenAI, Responses",
    wire: RESPONSES,
    ask(one, two) {
      const openai = wrapOpenAI({ one: aClient(one), two: aClient(two) }, { chain });
      return {
        run: async () => (await openai.responses.create({ model: "big", input: "Hi" })).output_text,
        async stream(onText) {
          const stream = await openai.responses.create({ model: "auto", input: "Hi", stream: true });
          for await (const event of stream)
            if (event.type === "response.output_text.delta") onText(event.delta);
        },
      };
    },
  },
  {
    name: "the AI SDK, a model of two providers",
    wire: CHAT,
    second: MESSAGES,
    ask(one, two) {
      const model = languageModel([
        createOpenAI({ apiKey: "k", baseURL: `${one}/v1` }).chat("big"),
        createAnthropic({ apiKey: "k", baseURL: `${two}/v1` })("small"),
      ]);
      return {
        run: async () => (await generateText({ model, prompt: "Hi" })).text,
        async stream(onText) {
          let fault: unknown;
          const { textStream } = streamText({
            model,
            prompt: "Hi",
            onError({ error }) {
              fault = error;
            },
          });
          for await (const text of textStream) onText(text);
          if (fault !== undefined) throw fault;
        },
      };
    },
  },
];

for (const { name, wire, second = wire, ask } of MANNERS) {
  describe(`${name}`, () => {
    async function begin() {
      const servers: [ScriptedServer, ScriptedServer] = [
        await startScriptedServer(),
        await startScriptedServer(),
      ];
      const [one, two] = servers;
      onTestFinished(async () => {
        await Promise.all(servers.map((server) => server.close()));
      });
      const asked = ask(one.url, two.url);
      const counts = () => servers.map(({ received }) => received.length);
      const stream = async () => {
        const texts: string[] = [];
        const fault = await asked
          .stream((text) => text !== "" && texts.push(text))
          .then(
            () => null,
            (error: unknown) => findRouterError(error) ?? error,
          );
        return { text: texts.join(""), fault };
      };
      return { one, two, ...asked, stream, counts };
    }

    it("goes to the next target when the first is full", async () => {
      const { one, two, run, counts } = await begin();
      one.script(wire.full);
      two.script(second.ok("hello"));
      expect(await run()).toBe("hello");
      expect(counts()).toEqual([1, 1]);
      expect(JSON.parse(one.received[0]?.body ?? "{}").model).toBe("big");
      expect(JSON.parse(two.received[0]?.body ?? "{}").model).toBe("small");
    });

    it.each([
      ["an overload in the stream before anything was said", (w: Wire) => w.broken([], "overloaded")],
      ["a cut before anything was said", (w: Wire) => w.broken([], "cut")],
      ["a cut before the answer", (w: Wire) => w.cut],
      ["a refusal", (w: Wire) => w.full],
    ])("moves a stream on after %s, and shows nothing of it", async (_, step) => {
      const { one, two, stream, counts } = await begin();
      one.script(step(wire));
      two.script(second.streamed("hel", "lo"));
      expect(await stream()).toEqual({ text: "hello", fault: null });
      expect(counts()).toEqual([1, 1]);
    });

    it.each([
      ["an overload", "overloaded", "capacity"],
      ["a cut", "cut", "network"],
    ] as const)(
      "never begins a stream again after its first content: %s is told",
      async (_, how, outcome) => {
        const { one, stream, counts } = await begin();
        one.script(wire.broken(["hel"], how));
        const { text, fault } = await stream();
        expect(text).toBe("hel");
        expect(fault).toMatchObject({ kind: "interrupted", outcome, isRetryable: true });
        expect((fault as RouterError).delivered.length).toBeGreaterThan(0);
        expect(counts()).toEqual([1, 0]);
      },
    );

    it.each([
      ["Retry-After: 86400", (w: Wire) => w.limitedForADay],
      ["an empty balance", (w: Wire) => w.noMoney],
      ["a bad key", (w: Wire) => w.badKey],
    ])("leaves a provider alone after %s, and asks the other at once", async (_, step) => {
      const { one, two, run, counts } = await begin();
      one.script(step(wire));
      two.script(second.ok("hello"), second.ok("hello"), second.ok("hello"));
      for (let i = 0; i < 3; i++) expect(await run()).toBe("hello");
      expect(counts()).toEqual([1, 3]);
    });

    it("says at once when to come back, when every provider wants a day", async () => {
      const { one, two, run, counts } = await begin();
      one.script(wire.limitedForADay);
      two.script(second.limitedForADay);
      const error = findRouterError(await run().catch((error: unknown) => error));
      expect(error).toMatchObject({ kind: "busy", outcome: "rate_limit", isRetryable: true });
      expect(error?.retryAfterMs).toBeGreaterThan(86_000_000);
      expect(error?.attempts.map(({ target }) => target)).toHaveLength(2);
      expect(counts()).toEqual([1, 1]);
    });
  });
}

describe("JSON in fences", () => {
  const schema = z.object({ city: z.string() });

  it("is taken out of them; what does not fit goes to the next target", async () => {
    const [one, two] = [await startScriptedServer(), await startScriptedServer()];
    onTestFinished(async () => {
      await Promise.all([one.close(), two.close()]);
    });
    const providerOf =
      (client: OpenAI) =>
      async (_: string, { model, signal }: Call) =>
        client.chat.completions.create({ model, messages }, { signal });
    const router = createRouter<string, OpenAI.ChatCompletion>({
      providers: { one: providerOf(aClient(one.url)), two: providerOf(aClient(two.url)) },
      chain,
    });
    one.script(CHAT.ok('Sure!\n```json\n{"city": "Oslo"}\n```\nAnything else?'), CHAT.ok("I do not know."));
    two.script(CHAT.ok('{"city": "Bergen"}'));
    const first = await router.run("Hi", { output: json(schema) });
    expect([first.value, first.target.id]).toEqual([{ city: "Oslo" }, "flagship"]);
    const second = await router.run("Hi", { output: json(schema) });
    expect(second).toMatchObject({
      value: { city: "Bergen" },
      isDegraded: true,
      attempts: [{ outcome: "bad_output" }, { outcome: "ok" }],
    });
  });
});
