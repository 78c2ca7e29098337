import { describe, expect, it } from "vitest";
import type { AttemptEvent } from "../attempt-event.ts";
import { observe } from "../observe/observe.ts";
import { createRouter } from "./router.ts";
import { CHAIN, FULL, fullFor, scripted, settle, toClientError } from "./scripted-providers.ts";
import { createVirtualTime } from "./virtual-time.ts";

function reporting() {
  const events: AttemptEvent[] = [];
  return { events, report: (event: AttemptEvent) => void events.push(event) };
}

describe("what a router reports", () => {
  it("is each attempt with its place, and the last one as final", async () => {
    const { events, report } = reporting();
    const { router, time } = scripted(
      { flagship: [FULL], standard: [fullFor(9)] },
      { report, source: "shop", chain: { ...CHAIN, name: "main" } },
    );
    await settle(time, router.run("hi", { requestId: "order 7" }));
    const common = { requestId: "order 7", source: "shop", chain: "main", latencyMs: 1_000, inFlight: 0 };
    expect(events).toMatchObject([
      {
        ...common,
        provider: "one",
        model: "big",
        position: 0,
        attempt: 1,
        outcome: "capacity",
        isFinal: false,
        httpStatus: 529,
      },
      {
        ...common,
        provider: "one",
        model: "middle",
        position: 1,
        attempt: 2,
        outcome: "capacity",
        isFinal: false,
        retryAfterMs: 9_000,
      },
      { ...common, provider: "two", model: "small", position: 2, attempt: 3, outcome: "ok", isFinal: true },
    ]);
    expect(events[0]?.error).toMatchObject({ type: "overloaded_error", message: "Overloaded" });
    expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(3);
  });

  it("makes an id where none is given, and ends requests that fail", async () => {
    const { events, report } = reporting();
    const { router, time } = scripted({ flagship: [FULL] }, { report });
    await settle(time, router.run("hi", { pin: "flagship", deadlineMs: 3_000 }));
    expect(events.length).toBeGreaterThan(0);
    expect(new Set(events.map(({ requestId }) => requestId)).size).toBe(1);
    expect(events.map(({ isFinal }) => isFinal)).toEqual([...events.slice(1).map(() => false), true]);
  });

  it("tells time-outs, callers who left and refused outputs as such", async () => {
    const { events, report } = reporting();
    const { router, time } = scripted({ flagship: ["nonsense"], standard: [{ hang: true }] }, { report });
    const controller = new AbortController();
    time.at(40_000, () => controller.abort());
    const check = (answer: unknown) => ({ ok: false as const, why: `not ${answer}` });
    await settle(
      time,
      router.run("hi", { output: check, exclude: ["light"], deadlineMs: 120_000, signal: controller.signal }),
    );
    expect(events.map(({ outcome }) => outcome)).toEqual(["bad_output", "cancelled"]);
  });

  it("holds usage and the served model of answers, and the first token of streams", async () => {
    const { events, report } = reporting();
    const time = createVirtualTime();
    const answer = {
      model: "big-2026",
      usage: { prompt_tokens: 5, completion_tokens: 7 },
      choices: [{ message: { content: "x" } }],
    };
    async function* stream() {
      await time.sleep(300);
      yield { choices: [{ delta: { content: "x" } }] };
      await time.sleep(300);
      yield { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } };
    }
    const router = createRouter<string, unknown, unknown>({
      providers: { one: { run: () => answer, stream }, two: () => answer },
      chain: CHAIN,
      system: time,
      report,
    });
    await settle(time, router.run("hi"));
    const reading = router.stream("hi").then(async (pieces) => {
      for await (const _ of pieces);
    });
    await settle(time, reading);
    expect(events).toMatchObject([
      { servedModel: "big-2026", inputTokens: 5, outputTokens: 7, isStream: false },
      { inputTokens: 1, outputTokens: 2, isStream: true, firstTokenMs: 300, isFinal: true },
    ]);
    // A stream is timed to its end on the server's side, to its first content in the router's own figures.
    expect(events[1]?.latencyMs).toBe(600);
  });

  it("counts once what an observed fetch below sees too", async () => {
    const { events, report } = reporting();
    const time = createVirtualTime();
    const answer = async () =>
      new Response(JSON.stringify({ model: "served" }), { headers: { "content-type": "application/json" } });
    const fetch = observe(answer as typeof globalThis.fetch, { report });
    const call = async () => {
      const response = await fetch("https://api.openai.com/v1/chat/completions", {
        method: "POST",
        body: '{"model":"big"}',
      });
      return response.json();
    };
    const router = createRouter<string, unknown>({
      providers: { one: call, two: call },
      chain: CHAIN,
      system: time,
      report,
    });
    await settle(time, router.run("hi"));
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ position: 0, model: "big", outcome: "ok" });
  });

  it("never disturbs a request, whatever reporting does", async () => {
    const report = () => {
      throw new Error("no");
    };
    const { router, time } = scripted({ flagship: [FULL] }, { report });
    expect(await settle(time, router.run("hi"))).toMatchObject({ value: "hello" });
  });

  it("holds no keys", async () => {
    const { events, report } = reporting();
    const secret = `sk-${"a1B2".repeat(12)}`;
    const bad = toClientError({
      status: 401,
      body: { error: { message: `Incorrect API key provided: ${secret}` } },
    });
    const { router, time } = scripted({ flagship: [{ thrown: bad }] }, { report });
    const result = await settle(time, router.run("hi"));
    expect(JSON.stringify([events, result.attempts])).not.toContain(secret);
  });
});
