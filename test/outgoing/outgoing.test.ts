import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { ALLOW_NOTHING, parseAllowList } from "../../server/outgoing/allow-list.ts";
import { createOutgoing, type OutgoingOptions } from "../../server/outgoing/outgoing.ts";

/** Whoever is called: notes what it was asked, and answers by the path. */
const asked: { path: string; headers: http.IncomingHttpHeaders; body: string }[] = [];
const server = http.createServer((req, res) => {
  let body = "";
  req.on("data", (part) => {
    body += part;
  });
  req.on("end", () => {
    asked.push({ path: req.url ?? "", headers: req.headers, body });
    if (req.url === "/away") res.writeHead(302, { location: "http://169.254.169.254/" }).end("moved");
    else if (req.url === "/endless") write(res);
    else if (req.url === "/packed")
      res.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(1024 * 1024)));
    else if (req.url === "/silent") res.writeHead(200).write("a");
    else
      res
        .writeHead(200, [
          ["set-cookie", "a=1"],
          ["set-cookie", "b=2"],
        ] as never)
        .end("hello");
  });
});
function write(res: http.ServerResponse): void {
  while (!res.destroyed && res.write("x".repeat(65_536)));
  if (!res.destroyed) res.once("drain", () => write(res));
}
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const allowing = (text: string) => {
  const list = parseAllowList(text);
  if ("fault" in list) throw new Error(list.fault);
  return list;
};
const resolved: string[] = [];
const outgoing = (parts: Partial<OutgoingOptions> = {}) =>
  createOutgoing({
    allow: allowing("hooks.corp"),
    resolve: async (host) => {
      resolved.push(host);
      return ["127.0.0.1"];
    },
    ...parts,
  });
const at = (path: string, host = "hooks.corp") => `http://${host}:${port}${path}`;

describe("a call to elsewhere", () => {
  it("sends what it is given and answers as fetch does", async () => {
    const response = await outgoing()(at("/hook"), {
      method: "POST",
      headers: { "content-type": "application/json", host: "inner", connection: "upgrade" },
      body: '{"text":"busy"}',
    });
    expect([response.status, await response.text(), response.headers.getSetCookie()]).toEqual([
      200,
      "hello",
      ["a=1", "b=2"],
    ]);
    expect(asked.at(-1)).toMatchObject({
      path: "/hook",
      body: '{"text":"busy"}',
      headers: { host: `hooks.corp:${port}`, "user-agent": "busyhour", "content-length": "15" },
    });
  });

  it("looks the name up once and connects to what was found then: a name that changes its mind gains nothing", async () => {
    let times = 0;
    const call = outgoing({ resolve: async () => (times++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]) });
    expect(await (await call(at("/once"))).text()).toBe("hello");
    expect(times).toBe(1);
  });

  it("goes nowhere when one of the addresses is not allowed", async () => {
    const before = asked.length;
    for (const addresses of [["127.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["::1"], ["::ffff:7f00:1"], []]) {
      const call = outgoing({ allow: ALLOW_NOTHING, resolve: async () => addresses });
      await expect(call(`https://rebound.example:${port}/`)).rejects.toMatchObject({
        code: addresses.length === 0 ? "outgoing_not_found" : "outgoing_refused",
      });
    }
    await expect(outgoing({ allow: ALLOW_NOTHING })(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({
      code: "outgoing_refused",
    });
    expect(asked).toHaveLength(before);
  });

  it("is refused the host's own name as the system resolves it", async () => {
    const call = createOutgoing({ allow: ALLOW_NOTHING });
    await expect(call(`https://localhost:${port}/`)).rejects.toMatchObject({ code: "outgoing_refused" });
    await expect(call("https://no-such-host.invalid/")).rejects.toMatchObject({
      code: expect.stringMatching(/^outgoing_(?:not_found|failed)$/),
    });
  });

  it("does not follow to where an answer points", async () => {
    const before = asked.length;
    const response = await outgoing()(at("/away"));
    expect([response.status, response.headers.get("location")]).toEqual([302, "http://169.254.169.254/"]);
    expect(asked).toHaveLength(before + 1);
  });

  it("takes so many bytes of an answer and no more, and unpacks none", async () => {
    await expect(outgoing({ maxAnswerBytes: 100_000 })(at("/endless"))).rejects.toMatchObject({
      code: "outgoing_too_large",
    });
    const packed = await outgoing({ maxAnswerBytes: 5_000 })(at("/packed"));
    expect((await packed.arrayBuffer()).byteLength).toBeLessThan(5_000);
  });

  it("ends in time: while connecting, before an answer and amid one", async () => {
    const mute = net.createServer();
    await new Promise<void>((resolve) => mute.listen(0, "127.0.0.1", resolve));
    const nobody = (mute.address() as AddressInfo).port;
    const call = outgoing({ timeoutMs: 100 });
    await expect(call(`http://hooks.corp:${nobody}/`)).rejects.toMatchObject({ code: "outgoing_timeout" });
    await expect(call(at("/silent"))).rejects.toMatchObject({ code: "outgoing_timeout" });
    await expect(
      outgoing({ timeoutMs: 100, resolve: () => new Promise(() => {}) })(at("/")),
    ).rejects.toMatchObject({ code: "outgoing_timeout" });
    mute.close();
  });

  it("is given up by whoever made it, with his reason", async () => {
    const mine = new AbortController();
    const waiting = outgoing()(at("/silent"), { signal: mine.signal });
    mine.abort(new Error("never mind"));
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
  });

  it("says what failed without a word of where it leads", async () => {
    server.closeIdleConnections();
    const closed = net.createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const gone = (closed.address() as AddressInfo).port;
    await new Promise((resolve) => closed.close(resolve));
    const error = await outgoing()(`http://hooks.corp:${gone}/`).catch((caught: Error) => caught);
    expect(error).toMatchObject({
      code: "outgoing_failed",
      message: "hooks.corp could not be asked (ECONNREFUSED)",
    });
  });
});
