import { createServer } from "node:http";
import net, { type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { createBodyBudget } from "../../server/http/body-budget.ts";
import { createHttpServer } from "../../server/http/http-server.ts";
import { watchSlowReaders } from "../../server/http/slow-readers.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
const proxied = await startTestServer({
  network: { publicUrl: "https://busyhour.example.com", trustedProxies: ["127.0.0.1"] },
});
const believing = await startTestServer({ network: { trustedProxies: ["10.0.0.0/8"] } });

async function signIn({ url }: { url: string }, link: string, headers: Record<string, string> = {}) {
  const response = await fetch(url + new URL(link).pathname + new URL(link).search, {
    redirect: "manual",
    headers,
  });
  return response.headers.get("set-cookie") ?? "";
}
const linkOf = async (server: typeof api) =>
  (await (await server.fetch("/api/sign-in-links", { method: "POST" })).json()).url as string;

/** What a server answers to bytes, until it closes the connection. */
function talk(url: string, ...parts: (string | Buffer)[]): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = net.connect(Number(port), hostname, () => {
      for (const part of parts) socket.write(part);
    });
    socket.setEncoding("latin1").on("data", (text) => {
      received += text;
    });
    socket.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "ECONNRESET" || error.code === "EPIPE" ? resolve(received) : reject(error),
    );
    socket.once("close", () => resolve(received));
  });
}

describe("headers", () => {
  it("let a browser run our own files and nothing else, in no frame", async () => {
    const { headers } = await fetch(`${api.url}/healthz`);
    const policy = headers.get("content-security-policy") ?? "";
    const directives = Object.fromEntries(
      policy.split(";").map((part) => {
        const [name = "", ...values] = part.trim().split(/\s+/);
        return [name, values.join(" ")];
      }),
    );
    expect(directives).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self'",
      "connect-src": "'self'",
      "font-src": "'self'",
      "img-src": "'self' data:",
      "manifest-src": "'self'",
      "base-uri": "'none'",
      "frame-ancestors": "'none'",
      "form-action": "'self'",
    });
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(Object.fromEntries(headers)).toMatchObject({
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "cache-control": "no-store",
    });
    expect(headers.get("strict-transport-security")).toBeNull();
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("server")).toBeNull();
  });

  it("tell browsers to insist on TLS where people reach the server by it", async () => {
    const { headers } = await fetch(`${proxied.url}/healthz`);
    expect(headers.get("strict-transport-security")).toBe("max-age=63072000");
  });
});

describe("behind a proxy", () => {
  it("links name the public address, and the cookie goes over TLS alone", async () => {
    const link = await linkOf(proxied);
    expect(link).toMatch(/^https:\/\/busyhour\.example\.com\/sign-in\?token=/);
    expect(await signIn(proxied, link)).toMatch(/HttpOnly; Secure; SameSite=Lax$/);
  });

  it("what it says of TLS is believed when it is trusted, and of nobody else", async () => {
    const https = { "x-forwarded-proto": "https" };
    const trusting = await startTestServer({ network: { trustedProxies: ["127.0.0.0/8"] } });
    expect(await signIn(trusting, await linkOf(trusting), https)).toContain("Secure");
    expect(await signIn(trusting, await linkOf(trusting))).not.toContain("Secure");
    expect(await signIn(api, await linkOf(api), https)).not.toContain("Secure");
    expect(await signIn(believing, await linkOf(believing), https)).not.toContain("Secure");
  });

  it("changes are taken from pages of the public address, and of no other", async () => {
    const cookie = (await signIn(proxied, await linkOf(proxied))).split(";")[0] ?? "";
    const post = async (headers: Record<string, string>) =>
      (
        await fetch(`${proxied.url}/api/rebuilds`, {
          method: "POST",
          headers: { cookie, "content-type": "application/json", ...headers },
          body: "{}",
        })
      ).status;
    expect(await post({ origin: "https://busyhour.example.com" })).toBe(202);
    expect(await post({ origin: "http://busyhour.example.com" })).toBe(403);
    expect(await post({ origin: "https://busyhour.example.com.evil.example" })).toBe(403);
    expect(await post({ origin: "null" })).toBe(403);
    expect(await post({ origin: "https://busyhour.example.com", "sec-fetch-site": "same-site" })).toBe(403);
  });
});

describe("a failure of ours", () => {
  it("is told without a word of where and why", async () => {
    await api.database.sql`alter table series rename to series_gone`;
    const response = await api.fetch("/api/models");
    await api.database.sql`alter table series_gone rename to series`;
    expect(response.status).toBe(500);
    const { requestId, ...problem } = await response.json();
    expect(requestId).toBe(response.headers.get("x-request-id"));
    expect(problem).toEqual({
      type: "urn:busyhour:error:internal",
      title: "Something went wrong on our side",
      status: 500,
      code: "internal",
    });
  });
});

describe("what is no request", () => {
  const head = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
  const post = "POST /v1/attempts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
  it.each([
    ["noise", "\x16\x03\x01 noise\r\n\r\n", 400],
    ["a head beyond 16 KiB", `${head}X-A: ${"a".repeat(20_000)}\r\n\r\n`, 431],
    ["a length and chunks", `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    ["two lengths", `${post}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`, 400],
    ["a NUL in a header", `${head}X-A: a\0b\r\n\r\n`, 400],
    ["a header without a host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["a method that nobody knows", "BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400],
  ])("is refused, and the connection closed: %s", async (_, bytes, status) => {
    const received = await talk(api.url, bytes);
    expect(received).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received).not.toMatch(/\n\s+at /);
  });
});

describe("slow clients", () => {
  it("are given 20 s for the head of a request, 120 s for all of it, looked at every 5 s", () => {
    const server = createHttpServer(() => {});
    expect([server.headersTimeout, server.requestTimeout, server.maxConnections]).toEqual([
      20_000, 120_000, 2_000,
    ]);
    server.close();
  });

  it("are let go: a slow head, and a slow body", async () => {
    // The same limits as those of the product, a hundred times shorter.
    const server = createServer(
      { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 },
      (req, res) => {
        req.resume().once("end", () => res.end("done"));
      },
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await talk(url, "GET / HTTP/1.1\r\nHost: x\r\nX-Slow")).toMatch(/^HTTP\/1\.1 408 /);
    expect(await talk(url, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12")).toMatch(
      /^HTTP\/1\.1 408 /,
    );
    await new Promise((resolve) => server.close(resolve));
  });

  it("that do not take their answer are let go, those that do are not", async () => {
    const answer = Buffer.alloc(32 * 1024 * 1024, "x");
    const server = createServer((_req, res) => res.end(answer));
    const readers = watchSlowReaders(server, { graceMs: 1_000, minBytesPerSecond: answer.length });
    const accepted: net.Socket[] = [];
    server.on("connection", (socket) => accepted.push(socket));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    afterAll(() => server.close());
    const { port } = server.address() as AddressInfo;
    const ask = () => {
      const socket = net.connect(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      return socket;
    };
    const lazy = ask();
    lazy.pause();
    await expect.poll(() => accepted[0]?.writableLength).toBeGreaterThan(0);
    const eager = ask();
    const taken = new Promise<number>((resolve) => {
      let size = 0;
      eager.on("data", (part) => {
        size += part.length;
        if (size > answer.length) resolve(size);
      });
    });
    readers.check(0);
    expect(await taken).toBeGreaterThan(answer.length);
    await expect.poll(() => accepted[1]?.writableLength).toBe(0);
    // A second of grace, and a second for what waits.
    readers.check(1_900);
    expect(accepted.map((socket) => socket.destroyed)).toEqual([false, false]);
    readers.check(2_100);
    expect(accepted.map((socket) => socket.destroyed)).toEqual([true, false]);
    eager.destroy();
  });
});

describe("bodies", () => {
  it("together take no more memory than they may", () => {
    const budget = createBodyBudget(100);
    budget.take(60);
    budget.take(40);
    expect(() => budget.take(1)).toThrow(expect.objectContaining({ status: 503, code: "too_busy" }));
    budget.giveBack(40);
    budget.take(30);
  });

  it("of many senders at once are all taken, or refused with 503, and the room is given back", async () => {
    const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024, " "));
    const send = () =>
      api.fetch("/v1/litellm", {
        method: "POST",
        headers: { "content-type": "application/json", "content-encoding": "gzip" },
        body: bomb,
      });
    const statuses = (await Promise.all(Array.from({ length: 24 }, send))).map(({ status }) => status);
    expect([...new Set(statuses)].filter((status) => status !== 413 && status !== 503)).toEqual([]);
    // Were it not given back, the budget of eight such bodies would be gone by now.
    for (let round = 0; round < 3; round++) expect((await send()).status).toBe(413);
    const { accepted } = await api.post([
      { occurredAt: api.clock.nowMs - 1_000, provider: "p", model: "m", outcome: "ok" },
    ]);
    expect(accepted).toBe(1);
  });

  it("that break off leave nothing behind", async () => {
    const key = (await api.createKey("ingest")).key;
    const head = `POST /v1/attempts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    const { hostname, port } = new URL(api.url);
    for (let i = 0; i < 40; i++) {
      await new Promise<void>((resolve) => {
        const socket = net.connect(Number(port), hostname, () => {
          socket.write(`${head}Content-Length: 8000000\r\n\r\n`);
          socket.write(Buffer.alloc(7_900_000, " "), () => socket.destroy());
        });
        socket.on("error", () => {});
        socket.once("close", () => resolve());
      });
    }
    // 40 × 7.9 MB are more than the budget of all bodies.
    await expect
      .poll(
        async () =>
          (
            await api.fetch("/v1/attempts", {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: '{"attempts":[]}',
            })
          ).status,
      )
      .toBe(202);
  });
});
