import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { anEvent } from "../support/events.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
const { sql } = api.database;

const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
  api.fetch("/v1/attempts", {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: body as BodyInit,
  });

const countStored = async () =>
  (await sql<{ n: number }[]>`select count(*)::int as n from attempt`)[0]?.n ?? 0;

describe("POST /v1/attempts", () => {
  it("stores every field and gives it back", async () => {
    const event = anEvent({
      eventId: "01997f0e-0000-7000-8000-000000000001",
      occurredAt: "2026-11-29T10:00:00.123Z",
      provider: "acme",
      model: "acme-large",
      outcome: "capacity",
      httpStatus: 529,
      error: { type: "overloaded_error", code: "overloaded", message: "Overloaded, key sk-abcdefgh12345678" },
      latencyMs: 812.6,
      firstTokenMs: 220,
      inputTokens: 1200,
      outputTokens: 0,
      requestId: "01997f0e-0000-7000-8000-00000000000a",
      attempt: 2,
      isFinal: false,
      chain: "default",
      position: 1,
      source: "checkout",
      endpoint: "eu-west-1",
      inFlight: 3,
      retryAfterMs: 1500,
      servedModel: "acme-large-2026",
      isStream: true,
      account: "team-a",
    });
    expect(await api.post([event])).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: [],
      withoutEventId: 0,
      unknownFields: {},
    });
    const { attempts } = await api.get("/api/attempts?provider=acme&source=checkout");
    expect(attempts).toEqual([
      {
        ...event,
        error: { type: "overloaded_error", code: "overloaded", message: "Overloaded, key [key]" },
        rule: null,
        latencyMs: 813,
      },
    ]);
  });

  it("counts an event that comes again as a duplicate, also within one batch", async () => {
    const event = anEvent();
    const before = await countStored();
    expect(await api.post([event, event])).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await api.post([anEvent(), event])).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await countStored()).toBe(before + 2);
  });

  it("stores each event once when the same batch comes many times at the same moment", async () => {
    const batch = Array.from({ length: 700 }, () => anEvent({ source: "race" }));
    const halves = [batch.slice(0, 400), batch.slice(300), batch, [...batch].reverse()];
    const answers = await Promise.all([...halves, ...halves].map((events) => api.post(events)));
    const accepted = answers.reduce((sum, answer) => sum + answer.accepted, 0);
    const taken = answers.reduce((sum, answer) => sum + answer.accepted + answer.duplicates, 0);
    expect([accepted, taken]).toEqual([700, 2 * (400 + 400 + 700 + 700)]);
  });

  it("takes the same id at another time, or in another project, as another event", async () => {
    const event = anEvent({ eventId: "my own id 17" });
    const later = { ...event, occurredAt: "2026-11-29T11:00:00.001Z" };
    expect(await api.post([event, later])).toMatchObject({ accepted: 2, duplicates: 0 });
    const { attempts } = await api.get("/api/attempts?eventId=my own id 17");
    expect(attempts).toHaveLength(2);
  });

  it("says how many events came without an id, and stores them each time", async () => {
    const { eventId: _, ...event } = anEvent({ source: "no-ids" });
    expect(await api.post([event])).toMatchObject({ accepted: 1, withoutEventId: 1 });
    expect(await api.post([event])).toMatchObject({ accepted: 1, duplicates: 0 });
  });

  it("keeps the good events of a bad batch and names each fault by its pointer", async () => {
    const answer = await api.post([
      anEvent(),
      { ...anEvent(), latencyMs: "fast" },
      { ...anEvent(), model: undefined },
      { ...anEvent(), outcome: "full" },
      anEvent({ occurredAt: "2026-11-29T11:00:00" }),
      anEvent({ occurredAt: "2026-11-29T12:06:00Z" }),
      anEvent({ occurredAt: "2020-01-01T00:00:00Z" }),
      "text",
      { ...anEvent(), error: { code: { deep: true } } },
      anEvent({ occurredAt: 1_764_414_000 }),
    ]);
    expect(answer.accepted).toBe(1);
    expect(answer.rejected.map(({ index, pointer }) => [index, pointer])).toEqual([
      [1, "/attempts/1/latencyMs"],
      [2, "/attempts/2/model"],
      [3, "/attempts/3/outcome"],
      [4, "/attempts/4/occurredAt"],
      [5, "/attempts/5/occurredAt"],
      [6, "/attempts/6/occurredAt"],
      [7, "/attempts/7"],
      [8, "/attempts/8/error"],
      [9, "/attempts/9/occurredAt"],
    ]);
    expect(answer.rejected.map(({ detail }) => detail)).toEqual([
      "must be a number",
      "is missing",
      expect.stringContaining("must be one of ok, capacity"),
      expect.stringContaining("no offset"),
      expect.stringContaining("360 s in the future"),
      expect.stringContaining("BUSYHOUR_RAW_RETENTION_DAYS"),
      "must be an object: one attempt",
      expect.stringContaining("must be an object with type, code and message"),
      expect.stringContaining("milliseconds, not seconds"),
    ]);
  });

  it("ignores unknown fields, and counts them", async () => {
    const answer = await api.post([
      { ...anEvent(), prompt: "never stored", error: { message: "no", stack: "x" } },
      { ...anEvent(), prompt: "never stored" },
    ]);
    expect(answer).toMatchObject({ accepted: 2, unknownFields: { prompt: 2, "error.stack": 1 } });
  });

  it("names the outcome where the sender does not, and says by which rule", async () => {
    const { outcome: _, ...event } = anEvent({ source: "bare" });
    const events = [
      { httpStatus: 200 },
      { httpStatus: 529 },
      {},
      { outcome: "unknown", error: "The engine is currently overloaded, please try again later" },
      { httpStatus: 206, error: { type: "overloaded_error" } },
      { httpStatus: 429, error: { code: "insufficient_quota", message: "You exceeded your current quota" } },
      { outcome: "cancelled", httpStatus: 529 },
    ];
    await api.post(
      events.map((parts, i) => ({
        ...event,
        eventId: `bare ${i}`,
        occurredAt: `2026-11-29T11:00:0${i}Z`,
        ...parts,
      })),
    );
    const { attempts } = await api.get("/api/attempts?source=bare");
    const named = attempts
      .reverse()
      .map((a: { outcome: string; rule: string | null }) => [a.outcome, a.rule]);
    const aRule = expect.stringMatching(/^[\w-]+\/[\w:-]+$/);
    expect(named).toEqual([
      ["ok", null],
      ["capacity", aRule],
      ["unknown", null],
      ["capacity", aRule],
      ["capacity", aRule],
      ["quota", aRule],
      ["cancelled", null],
    ]);
  });

  it("reads NDJSON and points into the line", async () => {
    const lines = [
      JSON.stringify(anEvent()),
      "",
      "{broken",
      JSON.stringify({ ...anEvent(), attempt: 0 }),
    ].join("\r\n");
    const response = await send(lines, { "content-type": "application/x-ndjson" });
    expect(response.status).toBe(202);
    expect(await response.json()).toMatchObject({
      accepted: 1,
      rejected: [
        { index: 1, pointer: "", detail: "the line is not JSON" },
        { index: 2, pointer: "/attempt" },
      ],
    });
  });

  for (const [encoding, compress] of [
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
  ] as const) {
    it(`reads ${encoding}`, async () => {
      const body = compress(Buffer.from(JSON.stringify({ attempts: [anEvent()] })));
      const response = await send(body, { "content-encoding": encoding });
      expect(await response.json()).toMatchObject({ accepted: 1 });
    });
  }

  it("takes a body without a type for JSON, and refuses one that says it is something else", async () => {
    const body = JSON.stringify({ attempts: [anEvent()] });
    expect((await send(body, { "content-type": "" })).status).toBe(202);
    for (const [type, words] of [
      ["application/x-www-form-urlencoded", /curl -d .* add -H "Content-Type: application\/json"/],
      ["text/plain;charset=UTF-8", /came as text\/plain\. .*application\/json.*application\/x-ndjson/],
    ] as const) {
      const response = await send(body, { "content-type": type });
      expect([response.status, response.headers.get("accept")]).toEqual([
        415,
        "application/json, application/x-ndjson",
      ]);
      expect(await response.json()).toMatchObject({
        code: "unsupported_media_type",
        detail: expect.stringMatching(words),
      });
    }
  });

  it("refuses what is not UTF-8: a JSON body as a whole, NDJSON by the line", async () => {
    const latin1 = (text: string) => Buffer.from(text, "latin1");
    const response = await send(latin1('{"attempts":[{"model":"caf\u00e9"}]}'));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "invalid_json",
      title: "The body is not UTF-8",
      detail: expect.stringContaining("Byte 26,"),
    });
    const lines = [anEvent({ model: "modèle" }), anEvent()].map((event) => JSON.stringify(event));
    const body = Buffer.concat([latin1(`${lines[0]}\n`), Buffer.from(`${lines[0]}\n${lines[1]}`)]);
    const answer = await (await send(body, { "content-type": "application/x-ndjson" })).json();
    expect(answer).toMatchObject({
      accepted: 2,
      rejected: [
        { index: 0, pointer: "", detail: expect.stringMatching(/^the line is not UTF-8 at byte \d+/) },
      ],
    });
  });

  it("stops a decompression bomb early", async () => {
    const bomb = gzipSync(Buffer.alloc(128 * 1024 * 1024, " "));
    const before = process.memoryUsage().rss;
    const response = await send(bomb, { "content-encoding": "gzip" });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ code: "body_too_large" });
    expect(process.memoryUsage().rss - before).toBeLessThan(80 * 1024 * 1024);
  });

  it("says what is wrong with a body as a whole", async () => {
    const problems = [
      [await send("{"), 400, "invalid_json"],
      [await send(""), 400, "invalid_json"],
      [await send("[]"), 422, "invalid_body"],
      [await send('{"events":[]}'), 422, "invalid_body"],
      [await send("{}", { "content-encoding": "zstd" }), 415, "unsupported_encoding"],
      [await send("not gzip", { "content-encoding": "gzip" }), 400, "invalid_body"],
      [await send("", { "content-type": "application/x-ndjson" }), 422, "invalid_body"],
      [await send("\n \r\n", { "content-type": "application/x-ndjson" }), 422, "invalid_body"],
      [await send(JSON.stringify({ attempts: new Array(10_001).fill(1) })), 413, "too_many_events"],
      [await send(JSON.stringify({ attempts: [{ x: "y".repeat(9_000_000) }] })), 413, "body_too_large"],
    ] as const;
    for (const [response, status, code] of problems) {
      expect(response.headers.get("content-type")).toContain("application/problem+json");
      expect([response.status, (await response.json()).code]).toEqual([status, code]);
    }
  });

  it("says how a packed body is broken", async () => {
    const body = Buffer.from(JSON.stringify({ attempts: [anEvent()] }));
    const packed = gzipSync(body);
    const withWrongSum = Buffer.concat([packed.subarray(0, -8), Buffer.alloc(4), packed.subarray(-4)]);
    for (const [bytes, encoding, words] of [
      [packed.subarray(0, -9), "gzip", "The gzip data breaks off before its end"],
      [withWrongSum, "gzip", "The gzip data is damaged: its checksum is wrong"],
      [body, "gzip", "What should be gzip data does not begin as such"],
      [body, "br", "The br data is damaged"],
    ] as const) {
      const response = await send(bytes, { "content-encoding": encoding });
      const problem = await response.json();
      expect([response.status, problem.code]).toEqual([400, "invalid_body"]);
      expect(problem.detail).toContain(words);
    }
  });

  it("refuses names that cannot be stored as they are, and mends the words of a provider", async () => {
    const answer = await api.post([
      anEvent({ model: "a\nb", error: { message: "x\u0000y \ud800 z" }, source: "odd" }),
      anEvent({ model: "a\u0000b" }),
      anEvent({ account: "\ud800" }),
    ]);
    expect(answer).toMatchObject({
      accepted: 1,
      rejected: [
        { index: 1, pointer: "/attempts/1/model", detail: expect.stringContaining("U+0000") },
        { index: 2, pointer: "/attempts/2/account", detail: expect.stringContaining("surrogate") },
      ],
    });
    const { attempts } = await api.get("/api/attempts?source=odd");
    expect(attempts[0]).toMatchObject({ model: "a b", error: { message: "x y � z" } });
  });

  it("takes the largest allowed batch", async () => {
    const events = Array.from({ length: 10_000 }, (_, i) =>
      anEvent({ occurredAt: Date.parse("2026-11-28T00:00:00Z") + i * 1000, source: "large" }),
    );
    expect(await api.post(events)).toMatchObject({ accepted: 10_000, duplicates: 0 });
    expect(await api.post(events)).toMatchObject({ accepted: 0, duplicates: 10_000 });
  });

  it("refuses a project that keeps making new series, and keeps the others", async () => {
    const events = Array.from({ length: 10_000 }, (_, i) =>
      anEvent({ account: `unique ${i}`, source: "flood" }),
    );
    const first = await api.post(events);
    const second = await api.post([anEvent({ account: "one more", source: "flood" }), anEvent()]);
    expect(first.accepted + first.rejected.length).toBe(10_000);
    expect(second).toMatchObject({ accepted: 1, rejected: [{ index: 0 }] });
    expect(second.rejected[0]?.detail).toContain("different combinations");
  });
});
