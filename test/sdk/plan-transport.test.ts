import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { createTransport } from "../../sdk/src/router/sync/transport.ts";

const seen: { method: string; url: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
/** Answers by what the path asks for. */
const server = http.createServer(async (req, res) => {
  let body = "";
  for await (const chunk of req) body += String(chunk);
  seen.push({ method: req.method ?? "", url: req.url ?? "", headers: req.headers, body });
  if (req.url === "/hang") return;
  if (req.url === "/broken") {
    res.writeHead(200, { "content-length": "100" }).write("half");
    setTimeout(() => res.destroy(), 20);
    return;
  }
  if (req.url === "/long") {
    res.writeHead(200).end("x".repeat(5_000_000));
    return;
  }
  res.writeHead(req.url === "/same" ? 304 : 200, { etag: '"v1"', "retry-after": "7" });
  res.end(req.url === "/same" ? undefined : '{"größe":1}');
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
afterEach(() => vi.unstubAllGlobals());

const ask = (path: string, parts: { signal?: AbortSignal; body?: string } = {}) => ({
  method: parts.body === undefined ? ("GET" as const) : ("POST" as const),
  url: url + path,
  headers: { authorization: "Bearer key" },
  signal: new AbortController().signal,
  ...parts,
});

describe("in Node", () => {
  it("requests may wait, and are none that an observed fetch would see", async () => {
    const fetch = vi.fn();
    vi.stubGlobal("fetch", fetch);
    const transport = createTransport(undefined);
    expect(transport.mayWait).toBe(true);
    expect(await transport.send(ask("/plan"))).toEqual({
      status: 200,
      etag: '"v1"',
      retryAfter: "7",
      body: '{"größe":1}',
    });
    expect(await transport.send(ask("/same"))).toMatchObject({ status: 304, body: "" });
    await transport.send(ask("/routers", { body: '{"a":"ö"}' }));
    expect(seen.at(-1)).toMatchObject({
      method: "POST",
      url: "/routers",
      headers: { authorization: "Bearer key" },
      body: '{"a":"ö"}',
    });
    expect(fetch).not.toHaveBeenCalled();
  });

  it("an answer that is too long, or breaks off, or does not come, is none", async () => {
    const transport = createTransport(undefined);
    await expect(transport.send(ask("/long"))).rejects.toThrow("too long");
    await expect(transport.send(ask("/broken"))).rejects.toThrow();
    const stop = new AbortController();
    const hanging = transport.send(ask("/hang", { signal: stop.signal }));
    hanging.catch(() => {});
    setTimeout(() => stop.abort(), 20);
    await expect(hanging).rejects.toThrow();
    await expect(transport.send({ ...ask("/"), url: "http://127.0.0.1:1/" })).rejects.toMatchObject({
      code: "ECONNREFUSED",
    });
  });
});

describe("elsewhere", () => {
  const stubProcess = (parts: object) => vi.stubGlobal("process", { ...process, ...parts });

  it("fetch is used; in a Node that gives its modules to nobody, without waiting", async () => {
    stubProcess({ versions: { node: "20.12.0" }, getBuiltinModule: undefined });
    const transport = createTransport(undefined);
    expect(transport.mayWait).toBe(false);
    expect(await transport.send(ask("/plan"))).toMatchObject({ status: 200, etag: '"v1"' });
    expect(seen.at(-1)?.headers).toMatchObject({ "x-busyhour-reporter": "1" });
    stubProcess({ versions: {} });
    expect(createTransport(undefined).mayWait).toBe(true);
    vi.stubGlobal("process", undefined);
    expect(createTransport(undefined).mayWait).toBe(true);
  });

  it("what only looks like Node is asked by its fetch", () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    const find = vi.fn();
    stubProcess({ versions: { node: "22.0.0" }, getBuiltinModule: find });
    expect(createTransport(undefined).mayWait).toBe(true);
    expect(find).not.toHaveBeenCalled();
  });
});
