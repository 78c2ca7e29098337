import { describe, expect, it } from "vitest";
import { createRouter } from "../router.ts";
import { isRouterError, type RouterError } from "../router-error.ts";
import { CHAIN, FULL, toClientError } from "../scripted-providers.ts";
import type { Call, StreamResult } from "../types.ts";
import { createVirtualTime } from "../virtual-time.ts";
import { isContent } from "./content.ts";

const chat = (content: string, role?: string) => ({
  choices: [{ delta: { content, ...(role === undefined ? {} : { role }) } }],
});
const HELLO = chat("", "assistant");
const OVERLOADED = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

/** A piece, an error to throw, or a silence. */
type Step = object | Error | "silence";

function streaming(script: Readonly<Record<string, readonly Step[] | Error>>) {
  const time = createVirtualTime();
  const asked: string[] = [];
  const closed: string[] = [];
  async function* pieces(id: string, steps: readonly Step[], signal: AbortSignal) {
    try {
      for (const step of steps) {
        await time.sleep(100);
        if (step === "silence")
          await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        else if (step instanceof Error) throw step;
        else yield step;
      }
    } finally {
      closed.push(id);
    }
  }
  const stream = async (_: string, { target, signal, isStream }: Call) => {
    expect(isStream).toBe(true);
    asked.push(target.id);
    const steps = script[target.id] ?? [HELLO, chat("fine")];
    if (steps instanceof Error) throw steps;
    return pieces(target.id, steps, signal);
  };
  const router = createRouter<string, unknown, unknown>({
    providers: { one: { stream }, two: { stream } },
    chain: CHAIN,
    system: time,
  });
  return { router, time, asked, closed };
}

async function collect(result: StreamResult<unknown>, most = Number.POSITIVE_INFINITY) {
  const pieces: unknown[] = [];
  for await (const piece of result) {
    pieces.push(piece);
    if (pieces.length >= most) break;
  }
  return pieces;
}

const texts = (pieces: readonly unknown[]) =>
  pieces.map((piece) => (piece as ReturnType<typeof chat>).choices[0]?.delta.content).join("");

/** The pieces, or the error and what came before it. */
async function read({ router, time }: ReturnType<typeof streaming>, options = {}) {
  const got: unknown[] = [];
  const reading = (async () => {
    const result = await router.stream("hi", options);
    for await (const piece of result) got.push(piece);
    return result;
  })().catch((error: unknown) => {
    if (isRouterError(error)) return error;
    throw error;
  });
  await time.run();
  return { end: await reading, got };
}

describe("a stream", () => {
  it("brings every piece once, greetings included", async () => {
    const world = streaming({ flagship: [HELLO, chat("he"), chat("llo")] });
    const { end, got } = await read(world);
    expect(got).toEqual([HELLO, chat("he"), chat("llo")]);
    expect(end).toMatchObject({
      target: { id: "flagship" },
      isDegraded: false,
      attempts: [{ outcome: "ok", latencyMs: 200 }],
    });
    expect(world.router.health()[0]).toMatchObject({ inFlight: 0 });
  });

  it.each([
    ["a failure before anything", toClientError(FULL as { status: number })],
    ["an error in its first piece", [OVERLOADED]],
    ["an error after a greeting", [HELLO, OVERLOADED]],
    [
      "a connection cut after a greeting",
      [HELLO, Object.assign(new TypeError("terminated"), { cause: { code: "ECONNRESET" } })],
    ],
    ["an end before anything", []],
    ["silence", [HELLO, "silence" as const]],
  ])("moves on to the next target after %s, and shows nothing of it", async (_, steps) => {
    const world = streaming({ flagship: steps });
    const { end, got } = await read(world);
    expect(texts(got)).toBe("fine");
    expect(got).toHaveLength(2);
    expect(end).toMatchObject({ target: { id: "standard" }, isDegraded: true });
    expect(world.asked).toEqual(["flagship", "standard"]);
    expect(world.router.health()[0]).toMatchObject({ inFlight: 0 });
  });

  it.each([
    ["an error", OVERLOADED, "capacity"],
    ["a cut", Object.assign(new TypeError("terminated"), { cause: { code: "ECONNRESET" } }), "network"],
    ["silence", "silence" as const, "timeout"],
  ])(
    "is not begun again after its first content: %s is told, with what was delivered",
    async (_, step, outcome) => {
      const world = streaming({ flagship: [HELLO, chat("he"), step] });
      const { end, got } = await read(world);
      expect(end).toMatchObject({ kind: "interrupted", isRetryable: true, delivered: [HELLO, chat("he")] });
      expect((end as RouterError).attempts).toMatchObject([{ outcome }]);
      expect(texts(got)).toBe("he");
      expect(world.asked).toEqual(["flagship"]);
      expect(world.router.health()[0]).toMatchObject({ inFlight: 0 });
      expect(world.closed).toEqual(["flagship"]);
    },
  );

  it("that its reader leaves is closed and counts as neither success nor failure", async () => {
    const world = streaming({ flagship: [chat("a"), chat("b"), chat("c")] });
    const reading = world.router.stream("hi").then((result) => collect(result, 1));
    await world.time.run();
    expect(await reading).toHaveLength(1);
    expect(world.closed).toEqual(["flagship"]);
    expect(world.router.health()[0]).toMatchObject({ inFlight: 0, score: 0.95 });
  });

  it("that its caller cancels ends so, before and after its first content", async () => {
    for (const [atMs, attempts] of [
      [150, 1],
      [250, 1],
    ] as const) {
      const world = streaming({ flagship: [HELLO, chat("a"), "silence"] });
      const controller = new AbortController();
      world.time.at(atMs, () => controller.abort());
      const { end } = await read(world, { signal: controller.signal });
      expect(end).toMatchObject({ kind: "cancelled", outcome: "cancelled" });
      expect((end as RouterError).attempts).toHaveLength(attempts);
      expect(world.router.health()[0]).toMatchObject({ inFlight: 0, score: 0.95 });
    }
  });

  it("that nobody reads gives its room back after ten minutes", async () => {
    const world = streaming({ flagship: [chat("a"), chat("b")] });
    const begun = world.router.stream("hi");
    await world.time.run(1_000);
    await begun;
    expect(world.router.health()[0]).toMatchObject({ inFlight: 1 });
    await world.time.run();
    expect(world.router.health()[0]).toMatchObject({ inFlight: 0 });
  });

  it("has its deadline for the first content, not for the last", async () => {
    const long = [chat("a"), ...Array.from({ length: 300 }, () => chat("b"))];
    const { got, end } = await read(streaming({ flagship: long }), { deadlineMs: 5_000 });
    expect(end).not.toBeInstanceOf(Error);
    expect(got).toHaveLength(301);
  });
});

describe("content", () => {
  it.each([
    ["a role", HELLO, false],
    ["text", chat("x"), true],
    [
      "a tool call",
      { choices: [{ delta: { tool_calls: [{ index: 0, function: { name: "f", arguments: "" } }] } }] },
      true,
    ],
    ["usage alone", { choices: [], usage: { total_tokens: 3 } }, false],
    ["response.created", { type: "response.created", response: { id: "r" } }, false],
    ["response.output_text.delta", { type: "response.output_text.delta", delta: "x" }, true],
    ["message_start", { type: "message_start", message: {} }, false],
    ["ping", { type: "ping" }, false],
    ["content_block_delta", { type: "content_block_delta", delta: { type: "text_delta", text: "x" } }, true],
    ["message_delta", { type: "message_delta", delta: {} }, false],
    ["Google's parts", { candidates: [{ content: { role: "model", parts: [{ text: "x" }] } }] }, true],
    ["stream-start", { type: "stream-start", warnings: [] }, false],
    ["text-delta", { type: "text-delta", delta: "x" }, true],
    ["text-delta without text", { type: "text-delta", id: "1", delta: "" }, false],
    ["the same of the AI SDK 4", { type: "text-delta", textDelta: "" }, false],
    ["an empty response.output_text.delta", { type: "response.output_text.delta", delta: "" }, false],
    ["plain text", "x", true],
    ["an empty text", "", false],
    ["what nobody knows", { anything: 1 }, true],
  ])("%s", (_, chunk, expected) => {
    expect(isContent(chunk)).toBe(expected);
  });
});
