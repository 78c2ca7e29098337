import { asOneRequest, observe, record } from "@busyhour/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anObserver } from "./support/observer.ts";
import {
  html,
  json,
  type ScriptedServer,
  signal,
  sse,
  startScriptedServer,
} from "./support/scripted-server.ts";

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const post = (more: object = {}) => ({
  method: "POST",
  body: JSON.stringify({ model: "gpt-x", messages: [], ...more }),
});
const completion = { model: "gpt-x-1", choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } };
const overloaded = { error: { message: "The model is overloaded", code: "overloaded" } };
const url = () => `${server.url}/v1/chat/completions`;
const chunk = (text: string) =>
  `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ delta: { content: text } }] })}\n\n`;

describe("a response of an observed fetch", () => {
  it("is what fetch gave: class, fields and headers", async () => {
    const observer = anObserver();
    server.script(
      (response) => void response.writeHead(307, { location: "/moved/v1/chat/completions" }).end(),
      json(200, completion, { "x-request-id": "r1" }),
    );
    const response = await observe(fetch, observer.options)(url(), post());
    expect(response).toBeInstanceOf(Response);
    expect(response.constructor).toBe(Response);
    expect(Object.keys(response)).toEqual(Object.keys(new Response()));
    expect(response).toMatchObject({
      url: `${server.url}/moved/v1/chat/completions`,
      redirected: true,
      status: 200,
      statusText: "OK",
      ok: true,
      type: "basic",
      bodyUsed: false,
    });
    expect(response.headers.get("x-request-id")).toBe("r1");
    expect(response.body).toBeInstanceOf(ReadableStream);
    expect(response.body).toBe(response.body);
    expect(await response.json()).toEqual(completion);
    expect(response.bodyUsed).toBe(true);
    await expect(response.text()).rejects.toThrow(TypeError);
    expect(observer.events).toMatchObject([{ outcome: "ok", httpStatus: 200 }]);
  });

  it("keeps the fields of a failed answer, whose body is read once more by its caller", async () => {
    const observer = anObserver();
    server.script(html(502, "<title>Bad Gateway</title>", { "x-request-id": "r1" }));
    const response = await observe(fetch, observer.options)(url(), post());
    expect(response).toBeInstanceOf(Response);
    expect(response).toMatchObject({
      url: url(),
      redirected: false,
      status: 502,
      statusText: "Bad Gateway",
      type: "basic",
    });
    expect(response.headers.get("x-request-id")).toBe("r1");
    const copy = response.clone();
    expect(copy).toMatchObject({ url: url(), type: "basic", status: 502 });
    expect(await response.text()).toBe("<title>Bad Gateway</title>");
    expect(await copy.text()).toBe("<title>Bad Gateway</title>");
    expect(observer.finish()).toMatchObject([{ outcome: "server_error", httpStatus: 502 }]);
  });

  const ways: Record<string, (response: Response) => Promise<string>> = {
    text: (response) => response.text(),
    json: async (response) => JSON.stringify(await response.json()),
    arrayBuffer: async (response) => Buffer.from(await response.arrayBuffer()).toString(),
    blob: async (response) => (await response.blob()).text(),
    reader: async (response) => {
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const chunks: Uint8Array[] = [];
      for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
      return Buffer.concat(chunks).toString();
    },
    "reader with a buffer of one's own": async (response) => {
      const reader = (response.body as ReadableStream<Uint8Array>).getReader({ mode: "byob" });
      const chunks: Uint8Array[] = [];
      for (;;) {
        const { done, value } = await reader.read(new Uint8Array(16));
        if (done) return Buffer.concat(chunks).toString();
        chunks.push(value);
      }
    },
    "for await": async (response) => {
      const chunks: Uint8Array[] = [];
      for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) chunks.push(part);
      return Buffer.concat(chunks).toString();
    },
    pipeThrough: (response) =>
      new Response((response.body as ReadableStream).pipeThrough(new TransformStream())).text(),
    pipeTo: async (response) => {
      const chunks: Uint8Array[] = [];
      await (response.body as ReadableStream).pipeTo(
        new WritableStream({ write: (part) => void chunks.push(part) }),
      );
      expect(response.body?.locked).toBe(false);
      return Buffer.concat(chunks).toString();
    },
    tee: async (response) => {
      const [one, two] = (response.body as ReadableStream).tee();
      const texts = await Promise.all([new Response(one).text(), new Response(two).text()]);
      expect(texts[0]).toBe(texts[1]);
      return texts[0] ?? "";
    },
    clone: async (response) => {
      const copy = response.clone();
      expect(copy).toBeInstanceOf(Response);
      expect(copy.url).toBe(response.url);
      const texts = await Promise.all([copy.text(), response.text()]);
      expect(texts[0]).toBe(texts[1]);
      return texts[0] ?? "";
    },
    "clone after a look at its body": async (response) => {
      expect(response.body?.locked).toBe(false);
      const copy = response.clone();
      void copy.body?.cancel();
      return response.text();
    },
    "a clone alone": (response) => response.clone().text(),
    "new Response": (response) => new Response(response.body, response).text(),
  };

  it.each(Object.keys(ways))("is read by %s as ever, and told of once", async (way) => {
    const observer = anObserver();
    const read = ways[way] as (response: Response) => Promise<string>;
    server.script(json(200, completion), json(503, overloaded));
    const call = observe(fetch, observer.options);
    expect(await read(await call(url(), post()))).toBe(JSON.stringify(completion));
    expect(await read(await call(url(), post()))).toBe(JSON.stringify(overloaded));
    expect(observer.finish()).toMatchObject([
      { outcome: "ok", ...(way === "blob" ? {} : { inputTokens: 3, outputTokens: 1 }) },
      { outcome: "capacity", httpStatus: 503 },
    ]);
    expect(observer.events).toHaveLength(2);
  });

  it("leaves errors as they are", async () => {
    const broken = new Error("no network");
    const observer = anObserver();
    const call = observe(() => Promise.reject(broken), observer.options) as typeof fetch;
    await expect(call("https://api.openai.com/v1/responses", post())).rejects.toBe(broken);
    const atOnce = observe(() => {
      throw broken;
    }, observer.options) as unknown as typeof fetch;
    expect(() => atOnce("https://api.openai.com/v1/responses", post())).toThrow(broken);
    expect(observer.finish()).toHaveLength(2);
  });

  it("tells of a failure whose body its caller throws away or never looks at", async () => {
    const observer = anObserver();
    const call = observe(fetch, observer.options);
    const rest = signal();
    server.script(json(503, overloaded), async (response) => {
      response.writeHead(429, { "content-type": "application/json" });
      response.write('{"error":{"code":"insufficient_quota",');
      await rest.given;
      response.end('"message":"You exceeded your current quota"}}');
    });
    expect((await call(url(), post())).status).toBe(503);
    const discarded = await call(url(), post({ seed: 1 }));
    await discarded.body?.cancel();
    rest.give();
    observer.finish();
    while (observer.finish().length < 2) await new Promise((resolve) => setImmediate(resolve));
    expect(observer.events).toMatchObject([{ outcome: "capacity" }, { outcome: "quota" }]);
  });
});

describe("a stream of an observed fetch", () => {
  const MiB = 1_048_576;

  it("is pulled no faster than it is read", async () => {
    const observer = anObserver();
    const block = new Uint8Array(MiB).fill(46);
    let written = 0;
    let drained = signal();
    server.script(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let i = 0; i < 64; i++) {
        written++;
        if (!response.write(block)) await new Promise((resolve) => response.once("drain", resolve));
        drained.give();
      }
      response.end();
    });
    const response = await observe(fetch, observer.options)(url(), post());
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    // Whatever was on its way has arrived once the server waits for the socket.
    let before = -1;
    while (before !== written) {
      before = written;
      for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(written).toBeLessThan(32);
    drained = signal();
    let total = 0;
    for (let read = await reader.read(); !read.done; read = await reader.read()) total += read.value.length;
    expect(total).toBeGreaterThan(60 * MiB);
    expect(observer.events).toMatchObject([{ outcome: "ok" }]);
  });

  it.each(["reader", "for await", "pipeThrough", "abort"])(
    "lets a cancel by %s reach the socket",
    async (way) => {
      const observer = anObserver();
      const hungUp = signal();
      server.script((response, request) => {
        void request.hungUp.then(hungUp.give);
        return sse([chunk("a"), request.hungUp])(response, request);
      });
      const controller = new AbortController();
      const response = await observe(fetch, observer.options)(url(), {
        ...post(),
        signal: controller.signal,
      });
      const body = response.body as ReadableStream<Uint8Array>;
      if (way === "reader") {
        const reader = body.getReader();
        await reader.read();
        await reader.cancel("enough");
      } else if (way === "for await") {
        for await (const _ of body as unknown as AsyncIterable<Uint8Array>) break;
      } else if (way === "pipeThrough") {
        const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair).getReader();
        await reader.read();
        await reader.cancel("enough");
      } else {
        const reader = body.getReader();
        await reader.read();
        controller.abort();
        await expect(reader.read()).rejects.toThrow("aborted");
      }
      await hungUp.given;
      expect(observer.finish()).toMatchObject([{ outcome: "cancelled", httpStatus: 200, isStream: true }]);
    },
  );

  it("is complete for a caller who stops reading at its end mark", async () => {
    const observer = anObserver();
    server.script((response, request) =>
      sse([chunk("a"), "data: [DONE]\n\n", request.hungUp])(response, request),
    );
    const response = await observe(fetch, observer.options)(url(), post());
    let text = "";
    for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString();
      if (text.includes("[DONE]")) break;
    }
    expect(observer.finish()).toMatchObject([{ outcome: "ok" }]);
  });
});

describe("an observed fetch", () => {
  it("leaves alone what asks no model", async () => {
    const observer = anObserver();
    const call = observe(fetch, observer.options);
    server.script(json(200, {}), json(200, {}), json(200, {}));
    await call(`${server.url}/v1/models`);
    await call(`${server.url}/v1/files`, { method: "POST", body: "{}" });
    await call(`${server.url}/login`, { method: "POST", body: "{}" });
    expect(observer.finish()).toEqual([]);
  });

  it("takes a Request, a URL and headers of every kind", async () => {
    const observer = anObserver();
    const call = observe(fetch, observer.options);
    server.script(json(200, completion), json(200, completion), json(200, completion));
    await (await call(new Request(url(), post()))).json();
    await (await call(new URL(url()), { ...post(), headers: [["x-stainless-retry-count", "0"]] })).json();
    await (await call(url(), { ...post(), body: Buffer.from(post().body), headers: new Headers() })).json();
    expect(observer.finish()).toMatchObject([{ model: "gpt-x-1" }, { model: "gpt-x" }, { model: "gpt-x" }]);
  });

  it("disturbs nobody when reporting or naming fails", async () => {
    const failing = () => {
      throw new Error("broken");
    };
    const call = observe(fetch, { report: failing, classify: failing });
    server.script(json(200, completion), json(401, overloaded));
    expect(await (await call(url(), post())).json()).toEqual(completion);
    expect(await (await call(url(), post())).json()).toEqual(overloaded);
  });

  it("groups a caller's own repetitions, and tells when none comes", async () => {
    const observer = anObserver();
    const call = observe(fetch, observer.options);
    server.script(json(503, overloaded), json(200, completion), json(503, overloaded));
    for (let i = 0; i < 3; i++) await (await call(url(), post())).json();
    expect(observer.events).toMatchObject([
      { attempt: 1, isFinal: false },
      { attempt: 2, isFinal: true },
    ]);
    observer.advance(3_499);
    expect(observer.events).toHaveLength(2);
    observer.advance(1);
    expect(observer.events[2]).toMatchObject({ attempt: 1, isFinal: true });
    expect(observer.events[2]?.requestId).not.toBe(observer.events[0]?.requestId);
  });

  it("takes all attempts of one request for one, however different they are", async () => {
    const observer = anObserver();
    const call = observe(fetch, observer.options);
    server.script(json(503, overloaded), json(400, overloaded), json(200, completion));
    await asOneRequest(async () => {
      for (const model of ["big", "middle", "small"]) await (await call(url(), post({ model }))).json();
    });
    server.script(json(503, overloaded));
    await asOneRequest(async () => (await call(url(), post())).text());
    expect(observer.events).toMatchObject([
      { model: "big", attempt: 1, isFinal: false },
      { model: "middle", attempt: 2, isFinal: false },
      { model: "small", attempt: 3, isFinal: true },
      { model: "gpt-x", attempt: 1, isFinal: true },
    ]);
    expect(new Set(observer.events.map(({ requestId }) => requestId)).size).toBe(2);
  });

  it("names the provider behind an address of one's own", async () => {
    const observer = anObserver({ provider: "vllm", source: "app", account: "team-a", chain: "default" });
    server.script(json(200, completion));
    await (await observe(fetch, observer.options)(url(), post())).json();
    expect(observer.events).toMatchObject([
      { provider: "vllm", source: "app", account: "team-a", chain: "default" },
    ]);
  });

  it("finds an error inside of a good answer", async () => {
    const observer = anObserver();
    server.script(
      json(200, { choices: [], error: { code: 429, message: "Provider returned error: overloaded" } }),
    );
    await (await observe(fetch, observer.options)(url(), post())).json();
    expect(observer.finish()).toMatchObject([{ httpStatus: 200, error: { code: 429 } }]);
    expect(observer.events[0]?.outcome).not.toBe("ok");
  });
});

describe("record", () => {
  it("records a call of any client", async () => {
    const observer = anObserver();
    const target = { provider: "acme", model: "m", endpoint: "eu" };
    const answer = await record(
      target,
      (notes) => {
        observer.advance(5);
        notes.firstToken();
        notes.usage({ inputTokens: 2, outputTokens: 1 });
        notes.status(200);
        return "the secret answer";
      },
      observer.options,
    );
    expect(answer).toBe("the secret answer");
    const fault = Object.assign(new Error("Overloaded"), { status: 529 });
    await expect(record(target, () => Promise.reject(fault), observer.options)).rejects.toBe(fault);
    expect(observer.finish()).toMatchObject([
      {
        provider: "acme",
        model: "m",
        endpoint: "eu",
        outcome: "ok",
        firstTokenMs: 5,
        inputTokens: 2,
        outputTokens: 1,
        httpStatus: 200,
      },
      { outcome: "capacity", httpStatus: 529 },
    ]);
    expect(JSON.stringify(observer.events)).not.toContain("secret");
  });

  it("is the one who records what it calls", async () => {
    const observer = anObserver();
    server.script(json(200, completion));
    const call = observe(fetch, observer.options);
    await record(
      { provider: "acme", model: "m" },
      async () => (await call(url(), post())).json(),
      observer.options,
    );
    expect(observer.finish()).toMatchObject([{ provider: "acme", inputTokens: 3, outputTokens: 1 }]);
  });
});
