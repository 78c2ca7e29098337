import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anObserver, type TestObserver } from "./observer.ts";
import { cut, html, json, type ScriptedServer, signal, sse, startScriptedServer } from "./scripted-server.ts";

const now = { "retry-after-ms": "1" };
const completion = {
  id: "c1",
  object: "chat.completion",
  created: 1,
  model: "gpt-x-2026",
  choices: [
    { index: 0, message: { role: "assistant", content: "the secret answer" }, finish_reason: "stop" },
  ],
  usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
};
const rateLimited = {
  error: { message: "Rate limit reached", type: "requests", code: "rate_limit_exceeded" },
};
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", created: 1, model: "gpt-x-2026", choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`;
const ending = [
  chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  chunk({}, { choices: [], usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 } }),
  "data: [DONE]\n\n",
];
/** Calls of one major, observed in one way. */
export interface AiSdkCalls {
  generate(more?: object): Promise<string>;
  stream(more?: object): AsyncIterable<string>;
}

/** What holds for every major of the AI SDK, however it is observed. @param url of the scripted server */
export function describeAiSdk(
  way: string,
  observed: (observer: TestObserver, url: string) => AiSdkCalls,
): void {
  describe(`the AI SDK (${way})`, () => {
    let server: ScriptedServer;
    beforeEach(async () => {
      server = await startScriptedServer();
    });
    afterEach(() => server.close());

    const isMiddleware = way.includes("middleware") || way.includes("both");

    it("records each attempt as the script has it", async () => {
      const observer = anObserver();
      const { generate } = observed(observer, server.url);
      server.script(
        json(429, rateLimited, now),
        html(502, "<title>Bad Gateway</title>", now),
        json(200, completion),
      );
      expect(await generate()).toBe("the secret answer");
      expect(observer.finish()).toMatchObject([
        {
          provider: "openai",
          model: "gpt-x",
          attempt: 1,
          outcome: "rate_limit",
          httpStatus: 429,
          isFinal: false,
          retryAfterMs: 1,
        },
        { attempt: 2, outcome: "server_error", httpStatus: 502, isFinal: false },
        {
          attempt: 3,
          outcome: "ok",
          isFinal: true,
          inputTokens: 11,
          outputTokens: 3,
          servedModel: "gpt-x-2026",
        },
      ]);
      expect(new Set(observer.events.map(({ requestId }) => requestId)).size).toBe(1);
      expect(JSON.stringify(observer.events)).not.toContain("secret");
    });

    it("times a stream and counts its tokens", async () => {
      const observer = anObserver();
      const { stream } = observed(observer, server.url);
      const go = signal();
      server.script((response, request) => {
        observer.advance(40);
        const greeting = chunk({ role: "assistant", content: "" });
        return sse([greeting, chunk({ content: "the secret answer" }), go.given, ...ending])(
          response,
          request,
        );
      });
      for await (const text of stream()) {
        expect(text).toBe("the secret answer");
        observer.advance(200);
        go.give();
      }
      await observer.until(1);
      expect(observer.events).toMatchObject([
        { outcome: "ok", isStream: true, firstTokenMs: 40, latencyMs: 240, inputTokens: 11, outputTokens: 2 },
      ]);
      expect(JSON.stringify(observer.events)).not.toContain("secret");
    });

    it("names an error and a break inside of a stream", async () => {
      const observer = anObserver();
      const { stream } = observed(observer, server.url);
      const overloaded = {
        error: { message: "The server is overloaded", type: "server_error", code: "overloaded" },
      };
      server.script(
        sse([chunk({ content: "Hi" }), `data: ${JSON.stringify(overloaded)}\n\n`]),
        sse([chunk({ content: "Hi" }), "cut"]),
      );
      for (let i = 0; i < 2; i++) {
        try {
          for await (const _ of stream());
        } catch {
          // One major throws what another hands to onError.
        }
      }
      expect(observer.finish()).toMatchObject([
        { outcome: "capacity", isStream: true, isFinal: true },
        { outcome: "network", isStream: true },
      ]);
    });

    it("tells a broken connection and the caller's abort apart", async () => {
      const observer = anObserver();
      const { generate } = observed(observer, server.url);
      server.script(cut);
      await expect(generate({ maxRetries: 0 })).rejects.toThrow();
      const controller = new AbortController();
      const arrived = signal();
      server.script(async (_, { hungUp }) => {
        arrived.give();
        await hungUp;
      });
      observer.finish();
      const call = generate({ abortSignal: controller.signal });
      await arrived.given;
      controller.abort();
      await expect(call).rejects.toThrow("aborted");
      expect(observer.finish()).toMatchObject([
        { outcome: "network", isFinal: true },
        { outcome: "cancelled", isFinal: true },
      ]);
      expect(observer.events[1]?.endpoint === undefined).toBe(isMiddleware);
    });
  });
}
