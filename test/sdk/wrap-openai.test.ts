import { findRouterError, type RouterSystem, text, wrapOpenAI } from "@busyhour/sdk";
import OpenAI, {
  APIUserAbortError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from "openai";
import { zodResponseFormat } from "openai/helpers/zod";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { anObserver } from "./support/observer.ts";
import { json, type ScriptedServer, signal, startScriptedServer } from "./support/scripted-server.ts";
import { CHAT, RESPONSES } from "./support/wire.ts";

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const messages = [{ role: "user" as const, content: "Hi" }];
const targets = [
  { id: "flagship", provider: "openai", model: "big", tier: "best" },
  { id: "standard", provider: "openai", model: "middle" },
  { id: "light", provider: "openai", model: "small" },
];
const wrap = (more: Partial<Parameters<typeof wrapOpenAI>[1]> = {}) =>
  wrapOpenAI(new OpenAI({ apiKey: "k", baseURL: `${server.url}/v1` }), { chain: { targets }, ...more });
const asked = () => server.received.map(({ body }) => JSON.parse(body).model);
const faultOf = (work: Promise<unknown>) => work.then(() => null).catch((error: unknown) => error);

describe("the model that a call names", () => {
  it.each([
    ["flagship", ["big", "middle", "small"]],
    ["best", ["big", "middle", "small"]],
    ["big", ["big", "middle", "small"]],
    ["auto", ["big", "middle", "small"]],
    ["standard", ["middle", "small"]],
    ["small", ["small"]],
  ])("%s: is where the chain begins", async (model, models) => {
    server.script(...models.map((_, at) => (at < models.length - 1 ? CHAT.full : CHAT.ok("hello"))));
    expect((await wrap().chat.completions.create({ model, messages })).choices[0]?.message.content).toBe(
      "hello",
    );
    expect(asked()).toEqual(models);
  });

  it("is asked alone when it is to be pinned", async () => {
    server.script(CHAT.badKey);
    const error = await faultOf(
      wrap({ named: "pin" }).chat.completions.create({ model: "middle", messages }),
    );
    expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(asked()).toEqual(["middle"]);
  });

  it("that the chain does not have is refused, with those that it has", async () => {
    const error = await faultOf(wrap().chat.completions.create({ model: "huge", messages }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(String(error)).toContain(
      'The chain has no target "huge"; it has flagship, standard, light. “auto” asks',
    );
    expect(asked()).toEqual([]);
  });

  it("gives way to what withRoute says", async () => {
    const openai = wrap();
    server.script(CHAT.ok("hello"), CHAT.ok("hello"), CHAT.ok(""), CHAT.ok("hello"));
    await openai.withRoute({ pin: "light" }).chat.completions.create({ model: "big", messages });
    await openai.withRoute({ exclude: ["best"] }).chat.completions.create({ model: "auto", messages });
    await openai
      .withRoute({ output: text({ nonEmpty: true }) })
      .chat.completions.create({ model: "auto", messages });
    expect(asked()).toEqual(["small", "middle", "big", "middle"]);
  });
});

describe("a routed client", () => {
  it("keeps what it gives beside the answer, and tells which target served", async () => {
    server.script(CHAT.full, json(200, { id: "c1", choices: [] }, { "x-request-id": "req-1" }));
    const { data, response, request_id } = await wrap()
      .chat.completions.create({ model: "big", messages })
      .withResponse();
    expect([data.id, request_id, response.status]).toEqual(["c1", "req-1", 200]);
    expect(response.headers.get("x-busyhour-target")).toBe("standard");
    expect(response.headers.get("x-busyhour-degraded")).toBe("true");
  });

  it("keeps its helpers: parse, stream, and those of Responses", async () => {
    const openai = wrap();
    server.script(CHAT.full, CHAT.ok('{"city":"Oslo"}'));
    const response_format = zodResponseFormat(z.object({ city: z.string() }), "place");
    const parsed = await openai.chat.completions.parse({ model: "big", messages, response_format });
    expect(parsed.choices[0]?.message.parsed).toEqual({ city: "Oslo" });
    server.script(CHAT.full, CHAT.streamed("hel", "lo"));
    const stream = openai.chat.completions.stream({ model: "big", messages });
    expect(await stream.finalContent()).toBe("hello");
    server.script(RESPONSES.full, RESPONSES.streamed("hel", "lo"));
    const responses = openai.responses.stream({ model: "big", input: "Hi" });
    expect((await responses.finalResponse()).output_text).toBe("hello");
  });

  it("throws its own errors, with the router's behind them", async () => {
    server.script(CHAT.full, CHAT.limitedForADay, CHAT.limitedForADay);
    const error = await faultOf(
      wrap({ chain: { targets, retry: { maxAttempts: 3 } } }).chat.completions.create(
        { model: "auto", messages },
        { maxRetries: 5 },
      ),
    );
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      status: 429,
      code: "rate_limit_exceeded",
      message: expect.stringContaining("requests per day"),
    });
    const routed = findRouterError(error);
    expect(routed).toMatchObject({ kind: "busy" });
    expect(routed?.attempts.map(({ target, outcome }) => `${target} ${outcome}`)).toEqual([
      "flagship capacity",
      "standard rate_limit",
      "light rate_limit",
    ]);
    // Its own retries would come on top of that.
    expect(asked()).toEqual(["big", "middle", "small"]);
    expect(findRouterError(new Error("another"))).toBeNull();
  });

  it("passes on at once what the caller did wrong", async () => {
    server.script(
      json(400, {
        error: { message: "Invalid value", type: "invalid_request_error", code: "invalid_value" },
      }),
    );
    const error = await faultOf(wrap().chat.completions.create({ model: "auto", messages }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(asked()).toEqual(["big"]);
  });

  it("has words of the router's where no answer is to be shown", async () => {
    server.script(CHAT.ok(""), CHAT.ok(""), CHAT.ok(""));
    const picky = wrap().withRoute({ output: text({ nonEmpty: true }) });
    const error = await faultOf(picky.chat.completions.create({ model: "auto", messages }));
    expect(error).toBeInstanceOf(InternalServerError);
    expect(String(error)).toContain("No model answered as asked");
    expect(findRouterError(error)).toMatchObject({ kind: "bad_output" });
  });

  it("ends as it always does when its caller aborts, before and after the first content", async () => {
    const openai = wrap();
    const controller = new AbortController();
    const arrived = signal();
    server.script(async (_, { hungUp }) => {
      arrived.give();
      await hungUp;
    });
    const call = openai.chat.completions.create({ model: "auto", messages }, { signal: controller.signal });
    const ended = faultOf(call);
    await arrived.given;
    controller.abort();
    expect(await ended).toBeInstanceOf(APIUserAbortError);
    server.script(CHAT.streamed("a", "b", "c"));
    const stream = await openai.chat.completions.create({ model: "auto", messages, stream: true });
    for await (const _ of stream) break;
    expect(stream.controller.signal.aborted).toBe(true);
    expect(openai.router.health()[0]).toMatchObject({ target: "flagship", inFlight: 0 });
    expect(asked()).toEqual(["big", "big"]);
  });

  it.each([
    ["before anything was said", [], { text: "hello", fault: null }],
    [
      "in the middle",
      ["hel"],
      { text: "hel", fault: expect.objectContaining({ kind: "interrupted", outcome: "network" }) },
    ],
  ])("takes a stream that ends politely %s for cut", async (_, pieces, expected) => {
    server.script(CHAT.broken(pieces, "ends"), CHAT.streamed("hello"));
    const got: string[] = [];
    const read = async () => {
      const stream = await wrap().chat.completions.create({ model: "auto", messages, stream: true });
      for await (const { choices } of stream) got.push(choices[0]?.delta.content ?? "");
    };
    const fault = await faultOf(read());
    expect({ text: got.join(""), fault: findRouterError(fault) ?? fault }).toEqual(expected);
  });

  it("passes what asks no model, as it is", async () => {
    server.script(
      json(200, { object: "list", data: [] }),
      json(200, { id: "c1" }),
      json(200, { id: "resp_1" }),
    );
    const openai = wrap();
    await openai.models.list();
    await openai.chat.completions.retrieve("c1");
    await openai.responses.retrieve("resp_1");
    expect(server.received.map(({ path }) => path)).toEqual([
      "/v1/models",
      "/v1/chat/completions/c1",
      "/v1/responses/resp_1",
    ]);
  });

  it("sends the headers of a call, and the key of each client", async () => {
    const clients = {
      openai: new OpenAI({ apiKey: "key-1", baseURL: `${server.url}/one` }),
      other: new OpenAI({ apiKey: "key-2", baseURL: `${server.url}/two` }),
    };
    const chain = {
      targets: [
        { id: "a", provider: "openai", model: "m" },
        { id: "b", provider: "other", model: "n" },
      ],
    };
    const openai = wrapOpenAI(clients, { chain });
    server.script(CHAT.full, CHAT.ok("hello"));
    await openai.chat.completions.create({ model: "m", messages }, { headers: { "x-trace": "t-1" } });
    expect(
      server.received.map(({ path, headers }) => [path, headers.authorization, headers["x-trace"]]),
    ).toEqual([
      ["/one/chat/completions", "Bearer key-1", "t-1"],
      ["/two/chat/completions", "Bearer key-2", "t-1"],
    ]);
  });

  it("goes on with a stored response where it is stored, and nowhere else", async () => {
    const aClient = (path: string) => new OpenAI({ apiKey: "k", baseURL: `${server.url}/${path}` });
    const chain = {
      targets: [
        { id: "a", provider: "one", model: "m" },
        { id: "b", provider: "two", model: "n" },
      ],
    };
    const openai = wrapOpenAI({ one: aClient("one"), two: aClient("two") }, { chain });
    server.script(RESPONSES.full, RESPONSES.ok("hello"), RESPONSES.ok("again"));
    const { id } = await openai.responses.create({ model: "auto", input: "Hi" });
    await openai.responses.create({ model: "auto", input: "And?", previous_response_id: id });
    expect(server.received.map(({ path }) => path)).toEqual([
      "/one/responses",
      "/two/responses",
      "/two/responses",
    ]);
  });

  it("reports each attempt once, also where its client is observed too", async () => {
    const observer = anObserver();
    server.script(CHAT.full, CHAT.ok("hello"));
    await wrap({ report: observer.options.report }).chat.completions.create({ model: "auto", messages });
    expect(observer.finish()).toMatchObject([
      { provider: "openai", model: "big", outcome: "capacity", attempt: 1, isFinal: false },
      {
        provider: "openai",
        model: "middle",
        outcome: "ok",
        attempt: 2,
        isFinal: true,
        inputTokens: 3,
        outputTokens: 1,
      },
    ]);
  });

  it("gives a call the time that the client gives it, unless told otherwise", async () => {
    const timers: number[] = [];
    const system = {
      ...anObserver().options.system,
      now: Date.now,
      elapsed: () => performance.now(),
      random: Math.random,
      setTimer(_: () => void, delayMs: number) {
        timers.push(delayMs);
        return () => {};
      },
    } as RouterSystem;
    server.script(CHAT.ok("hello"), CHAT.ok("hello"));
    await wrap({ system }).chat.completions.create({ model: "auto", messages });
    await wrap({ system, deadlineMs: 20_000 }).chat.completions.create({ model: "auto", messages });
    // Half of it is an attempt's, as long as nobody knows how long answers take.
    expect(timers.map((ms) => Math.round(ms / 1_000))).toEqual([300, 10]);
  });

  it("says what it cannot wrap", () => {
    expect(() => wrapOpenAI({ one: {} as never }, { chain: { targets } })).toThrow(
      "one is no client of openai 5 or newer",
    );
    expect(() => wrapOpenAI({}, { chain: { targets } })).toThrow("there is no client");
  });
});
