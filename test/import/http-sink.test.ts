import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

import type { AttemptEvent } from "@busyhour/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createHttpSink, type HttpSinkOptions } from "../../server/import/http-sink.ts";
import { ImportError } from "../../server/import/import-error.ts";
import { unpack } from "./unpack.ts";

type Handler = (events: AttemptEvent[], request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let handle: Handler;
let url: string;
let waits: number[];
let said: string[];

beforeEach(async () => {
  waits = [];
  said = [];
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = parts.length === 0 ? "" : unpack(Buffer.concat(parts), request.headers["content-encoding"]);
    const events = body.split("\n").filter((line) => line !== "");
    handle(
      events.map((line) => JSON.parse(line) as AttemptEvent),
      request,
      response,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function createSink(options: Partial<HttpSinkOptions> = {}) {
  return createHttpSink({
    url,
    key: "bhi_test",
    say: (line) => said.push(line),
    signal: new AbortController().signal,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });
}

function answer(response: ServerResponse, status: number, body: unknown = {}, headers = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

function accept(response: ServerResponse, accepted: number, rejected: unknown[] = []): void {
  answer(response, 202, { accepted, duplicates: 0, rejected, withoutEventId: 0, unknownFields: {} });
}

const someEvents = (count: number): AttemptEvent[] =>
  Array.from({ length: count }, (_, at) => ({
    eventId: `event ${at}`,
    occurredAt: 1_783_173_548_000 + at,
    provider: "openai",
    model: "gpt-4o",
  }));

test("events travel as NDJSON with the key and the project, gzipped unless the server is on this machine", async () => {
  const seen: unknown[] = [];
  handle = (events, { url: path, method, headers }, response) => {
    seen.push(
      method,
      path,
      headers.authorization,
      headers["content-type"],
      headers["content-encoding"],
      events,
    );
    accept(response, events.length);
  };
  const sent = { accepted: 2, duplicates: 0, rejected: [] };
  expect(await createSink().send(someEvents(2))).toMatchObject(sent);
  const far: Partial<HttpSinkOptions> = {
    url: "http://busyhour.example",
    project: "my team",
    fetch: (address, init) => fetch(String(address).replace("http://busyhour.example", url), init),
  };
  expect(await createSink(far).send(someEvents(2))).toMatchObject(sent);
  const common = ["Bearer bhi_test", "application/x-ndjson"];
  expect(seen).toEqual([
    ...["POST", "/v1/attempts", ...common, undefined, someEvents(2)],
    ...["POST", "/v1/attempts?project=my%20team", ...common, "gzip", someEvents(2)],
  ]);
});

test("a busy server is tried again after the time it asks for, and a line says so", async () => {
  let calls = 0;
  handle = (events, _request, response) =>
    ++calls === 1 ? answer(response, 503, {}, { "retry-after": "7" }) : accept(response, events.length);
  expect(await createSink().send(someEvents(3))).toMatchObject({ accepted: 3 });
  expect(waits).toEqual([7_000]);
  expect(said).toEqual([`${url} is busy (503): trying again in 7 s`]);
});

test("after two minutes of waiting it gives up", async () => {
  handle = (_events, _request, response) => answer(response, 429);
  await expect(createSink().send(someEvents(1))).rejects.toThrow(
    /is busy \(429\); tried \d+ times in 1\d\d s/,
  );
  const waited = waits.reduce((sum, ms) => sum + ms, 0);
  expect(waited).toBeGreaterThan(100_000);
  expect(waited).toBeLessThanOrEqual(120_000);
});

test("a connection that breaks is tried again", async () => {
  let calls = 0;
  handle = (events, request, response) =>
    ++calls === 1 ? void request.socket.destroy() : accept(response, events.length);
  expect(await createSink().send(someEvents(1))).toMatchObject({ accepted: 1 });
  expect(said[0]).toContain("cannot be reached");
});

test.each([
  [401, "does not know this key (401). The key was revoked. (request r1)"],
  [403, "this key may not write to"],
  [400, "answered 400. The key was revoked."],
])("%i ends it at once with a clear message", async (status, message) => {
  let calls = 0;
  handle = (_events, _request, response) => {
    calls++;
    answer(response, status, { title: "No", detail: "The key was revoked.", requestId: "r1" });
  };
  const failure = createSink().send(someEvents(1));
  await expect(failure).rejects.toThrow(message);
  await expect(failure).rejects.toBeInstanceOf(ImportError);
  expect(calls).toBe(1);
});

test("a batch that is too large is halved, and rejects keep their place", async () => {
  handle = (events, _request, response) => {
    if (events.length > 2) return answer(response, 413);
    const at = events.findIndex(({ eventId }) => eventId === "event 4");
    const rejected = at < 0 ? [] : [{ index: at, pointer: "/model", detail: "is blank" }];
    return accept(response, events.length - rejected.length, rejected);
  };
  expect(await createSink().send(someEvents(6))).toEqual({
    accepted: 5,
    duplicates: 0,
    rejected: [{ index: 4, pointer: "/model", detail: "is blank" }],
  });
});

test("one event that is too large by itself is a reject", async () => {
  handle = (_events, _request, response) => answer(response, 413);
  expect(await createSink().send(someEvents(1))).toMatchObject({
    rejected: [{ index: 0, pointer: "", detail: "is too large for the server" }],
  });
});

test("limits come from the server; one that has no such route sets none", async () => {
  handle = (_events, { url: path }, response) =>
    answer(response, 200, { rawRetentionDays: path === "/v1/limits" ? 30 : 0 });
  expect(await createSink({ url: `${url}/v1/` }).limits()).toEqual({ rawRetentionDays: 30 });
  handle = (_events, _request, response) => answer(response, 404);
  expect(await createSink().limits()).toEqual({ rawRetentionDays: Number.POSITIVE_INFINITY });
});

test("what is no Busyhour server is not taken for one", async () => {
  handle = (_events, _request, response) => void response.writeHead(200).end("<html>");
  await expect(createSink().limits()).rejects.toThrow("Is --url right?");
  expect(() => createSink({ url: "localhost:4100" })).toThrow("must begin with http");
});

test("breaking off ends the waiting", async () => {
  handle = (_events, _request, response) => answer(response, 503);
  const interrupt = new AbortController();
  const sink = createSink({ signal: interrupt.signal, sleep: async () => interrupt.abort() });
  await expect(sink.send(someEvents(1))).rejects.toThrow("is busy (503)");
});
