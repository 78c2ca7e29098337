import { findRouterError } from "@busyhour/sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AiSdkCalls } from "./ai-sdk-contract.ts";
import { startScriptedServer } from "./scripted-server.ts";
import { CHAT } from "./wire.ts";

/** What holds for a model made of several, in every major of the AI SDK. @param make gets the addresses of both */
export function describeLanguageModel(way: string, make: (one: string, two: string) => AiSdkCalls): void {
  describe(`languageModel in the AI SDK ${way}`, () => {
    async function begin() {
      const [one, two] = [await startScriptedServer(), await startScriptedServer()];
      onTestFinished(async () => {
        await Promise.all([one.close(), two.close()]);
      });
      const { generate, stream } = make(one.url, two.url);
      return {
        one,
        two,
        generate,
        /** What is thrown, or told, after the last piece is thrown. */
        async stream(onText: (text: string) => void) {
          let fault: unknown;
          const onError = ({ error }: { error: unknown }) => {
            fault = error;
          };
          for await (const text of stream({ onError })) onText(text);
          if (fault !== undefined) throw fault;
        },
        counts: () => [one.received.length, two.received.length],
      };
    }

    it("asks the next model where the first is full, without retries of the SDK's own", async () => {
      const { one, two, generate, counts } = await begin();
      one.script(CHAT.full);
      two.script(CHAT.ok("hello"));
      expect(await generate({ maxRetries: 5 })).toBe("hello");
      expect(counts()).toEqual([1, 1]);
    });

    it("throws the router's error when no model answers", async () => {
      const { one, two, generate, counts } = await begin();
      one.script(CHAT.badKey);
      two.script(CHAT.badKey);
      const error = await generate({ maxRetries: 5 }).catch((fault: unknown) => fault);
      expect(findRouterError(error)).toMatchObject({ kind: "refused", outcome: "auth" });
      expect(counts()).toEqual([1, 1]);
    });

    it("moves a stream on before its first content, and tells what comes after", async () => {
      const { one, two, stream, counts } = await begin();
      one.script(CHAT.broken([], "overloaded"));
      two.script(CHAT.streamed("hel", "lo"), CHAT.broken(["hel"], "cut"));
      const got: string[] = [];
      await stream((text) => got.push(text));
      expect([got.join(""), counts()]).toEqual(["hello", [1, 1]]);
      one.script(CHAT.full);
      const error = await stream((text) => got.push(text)).catch((fault: unknown) => fault);
      expect(got.join("")).toBe("hellohel");
      expect(findRouterError(error)).toMatchObject({ kind: "interrupted", outcome: "network" });
    });

    it("ends with the caller's own reason when that aborts", async () => {
      const { generate, counts } = await begin();
      const abortSignal = AbortSignal.abort(new DOMException("enough", "AbortError"));
      await expect(generate({ abortSignal })).rejects.toThrow("enough");
      expect(counts()).toEqual([0, 0]);
    });
  });
}
