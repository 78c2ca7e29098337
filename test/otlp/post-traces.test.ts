import { gzipSync } from "node:zlib";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { describe, expect, it } from "vitest";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
const T0 = Date.parse("2026-11-29T11:00:00Z");

describe("a span that turns out to be around a model call after it was stored", () => {
  const attributes = (model: string) => [
    { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
    { key: "gen_ai.provider.name", value: { stringValue: "openai" } },
    { key: "gen_ai.request.model", value: { stringValue: model } },
  ];
  const aSpan = (spanId: string, parentSpanId: string, model: string, minute: number) => ({
    traceId: "0af7651916cd43dd8448eb211c80319c",
    spanId,
    parentSpanId,
    name: "chat",
    kind: 3,
    startTimeUnixNano: `${T0 - 3_600_000 + minute * 60_000}000000`,
    endTimeUnixNano: `${T0 - 3_600_000 + minute * 60_000 + 30_000}000000`,
    attributes: attributes(model),
  });
  const send = (service: string, spans: unknown[]) =>
    api.fetch("/v1/traces", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        resourceSpans: [
          {
            resource: { attributes: [{ key: "service.name", value: { stringValue: service } }] },
            scopeSpans: [{ scope: { name: "x" }, spans }],
          },
        ],
      }),
    });

  it("is taken back, and its figures with it", async () => {
    await send("outer", [aSpan("00000000000000a1", "", "around", 0)]);
    await api.catchUp();
    const from = T0 - 2 * 3_600_000;
    expect((await api.get(`/api/overview?source=outer&from=${from}`)).total.attempts).toBe(1);
    await send("inner", [aSpan("00000000000000a2", "00000000000000a1", "within", 1)]);
    await api.catchUp();
    expect((await api.get(`/api/attempts?source=outer&from=${from}`)).attempts).toEqual([]);
    expect((await api.get(`/api/attempts?source=inner&from=${from}`)).attempts).toHaveLength(1);
    expect((await api.get(`/api/overview?source=outer&from=${from}`)).total.attempts).toBe(0);
    await send("outer", [aSpan("00000000000000a1", "", "around", 0)]);
    expect((await api.get(`/api/attempts?source=outer&from=${from}`)).attempts).toEqual([]);
  });

  it("is found also when both come at the same moment", async () => {
    for (let round = 0; round < 20; round++) {
      const [outer, inner] = [`00000000000b${round + 1000}`, `00000000000c${round + 1000}`];
      await Promise.all([
        send("race-outer", [aSpan(outer, "", "around", 2)]),
        send("race-inner", [aSpan(inner, outer, "within", 3)]),
      ]);
    }
    const from = T0 - 2 * 3_600_000;
    expect((await api.get(`/api/attempts?source=race-inner&from=${from}`)).attempts).toHaveLength(20);
    expect((await api.get(`/api/attempts?source=race-outer&from=${from}`)).attempts).toEqual([]);
  });
});

/** Fields of a protobuf message, texts as texts. */
function readMessage(bytes: Uint8Array): [field: number, value: unknown][] {
  const reader = new BinaryReader(bytes);
  const fields: [number, unknown][] = [];
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    fields.push([field, type === 0 ? Number(reader.int64()) : reader.bytes()]);
  }
  return fields;
}
const textOf = (value: unknown) => Buffer.from(value as Uint8Array).toString("utf8");

describe("POST /v1/traces", () => {
  const send = (body: string | Uint8Array, more: Record<string, string> = {}) =>
    api.fetch("/v1/traces", {
      method: "POST",
      headers: { "content-type": "application/x-protobuf", ...more },
      body: body as BodyInit,
    });
  const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

  it("answers an empty request with an empty answer, in its encoding", async () => {
    for (const [body, more, type, answer] of [
      ["", {}, "application/x-protobuf", ""],
      [gzipSync(Buffer.alloc(0)), { "content-encoding": "gzip" }, "application/x-protobuf", ""],
      ["", JSON_TYPE, "application/json", "{}"],
      ["{}", JSON_TYPE, "application/json", "{}"],
      ['{"resourceSpans":[]}', JSON_TYPE, "application/json", "{}"],
      ['{"resourceSpans":[{"scopeSpans":[{"spans":[{}]}]}],"later":1}', JSON_TYPE, "application/json", "{}"],
    ] as const) {
      const response = await send(body, more);
      expect([response.status, response.headers.get("content-type")?.split(";")[0]]).toEqual([200, type]);
      expect(await response.text()).toBe(answer);
    }
  });

  it("says in the request's own encoding what was not stored of it", async () => {
    const spans = ["1", "2", "3"].map((digit, i) => ({
      traceId: digit.repeat(32),
      spanId: digit.repeat(16),
      startTimeUnixNano: `${i === 0 ? Date.parse("2020-01-01T00:00:00Z") : T0}000000`,
      attributes: [
        { key: "gen_ai.operation.name", value: { stringValue: "chat" } },
        ...(i === 1 ? [] : [{ key: "gen_ai.request.model", value: { stringValue: "m" } }]),
        { key: "gen_ai.provider.name", value: { stringValue: "p" } },
      ],
    }));
    const response = await send(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }), JSON_TYPE);
    expect(response.status).toBe(200);
    const { partialSuccess } = await response.json();
    expect(partialSuccess.rejectedSpans).toBe("2");
    expect(partialSuccess.errorMessage).toContain("/startTimeUnixNano is older than the 400 days");
    expect(partialSuccess.errorMessage).toContain("/attributes names no model");

    // A span (field 2 of ScopeSpans) of nothing but its name for an operation.
    const text = (field: number, bytes: Uint8Array) => [field * 8 + 2, bytes.length, ...bytes];
    const utf8 = (value: string) => Buffer.from(value);
    const attribute = text(
      9,
      Uint8Array.from([
        ...text(1, utf8("gen_ai.operation.name")),
        ...text(2, Uint8Array.from(text(1, utf8("chat")))),
      ]),
    );
    const request = text(1, Uint8Array.from(text(2, Uint8Array.from(text(2, Uint8Array.from(attribute))))));
    const binary = await send(Uint8Array.from(request));
    expect(binary.headers.get("content-type")).toBe("application/x-protobuf");
    const [[field, partial] = [], ...rest] = readMessage(new Uint8Array(await binary.arrayBuffer()));
    expect([field, rest]).toEqual([1, []]);
    const [rejected, message] = readMessage(partial as Uint8Array);
    expect(rejected).toEqual([1, 1]);
    expect(textOf(message?.[1])).toContain("/traceId must be 16 bytes");
  });

  it("refuses bad requests with a status in their own encoding", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    for (const [body, more, status, code, words] of [
      ["not protobuf", {}, 400, 3, "no OTLP trace request"],
      ["{", JSON_TYPE, 400, 3, "no OTLP trace request"],
      ["[]", JSON_TYPE, 400, 3, "no OTLP trace request"],
      ['{"resourceSpans":{}}', JSON_TYPE, 400, 3, "no OTLP trace request"],
      ["x", { "content-type": "text/plain" }, 415, 3, "It came as text/plain"],
      ["x", { "content-encoding": "zstd" }, 415, 3, "content encoding"],
      ["x", { "content-encoding": "gzip" }, 400, 3, "could not be unpacked"],
      [bomb, { "content-encoding": "gzip" }, 413, 8, "too large"],
      ["", { authorization: "Bearer wrong" }, 401, 16, "Sign in first"],
    ] as const) {
      const response = await send(body, more);
      const type = response.headers.get("content-type")?.split(";")[0];
      const sent = { "content-type": "application/x-protobuf", ...more }["content-type"].split(";")[0];
      expect([words, response.status, type]).toEqual([
        words,
        status,
        sent === "application/x-protobuf" ? sent : "application/json",
      ]);
      const answer =
        type === "application/json"
          ? await response.json()
          : Object.fromEntries(
              readMessage(new Uint8Array(await response.arrayBuffer())).map(([field, value]) =>
                field === 1 ? ["code", value] : ["message", textOf(value)],
              ),
            );
      expect(answer).toEqual({ code, message: expect.stringContaining(words) });
    }
  });

  it("refuses a small packed body of more spans than can be", async () => {
    const spans = Buffer.alloc(2 * 100_001);
    for (let i = 0; i < spans.length; i += 2) spans[i] = 2 * 8 + 2;
    const varint = (value: number) => [(value & 127) | 128, ((value >> 7) & 127) | 128, value >> 14];
    const scope = Buffer.concat([Buffer.from([18, ...varint(spans.length)]), spans]);
    const request = Buffer.concat([Buffer.from([10, ...varint(scope.length)]), scope]);
    expect((await send(gzipSync(request), { "content-encoding": "gzip" })).status).toBe(413);
  });
});
