import net from "node:net";

/** One way to misuse a connection: what is written, and how the connection is treated then. */
export interface Misuse {
  readonly name: string;
  readonly parts: readonly (string | Buffer)[];
  /** `read`: waits for the end; `leave`: closes at once, with the answer unread. */
  readonly end: "read" | "leave";
}

const HEAD = "GET /healthz HTTP/1.1\r\nHost: x\r\n";
const POST = "POST /v1/attempts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
const CLOSE = "Connection: close\r\n\r\n";

const read = (name: string, ...parts: (string | Buffer)[]): Misuse => ({ name, parts, end: "read" });
const leave = (name: string, ...parts: (string | Buffer)[]): Misuse => ({ name, parts, end: "leave" });

/** What no client of HTTP sends, and what only hostile ones do. `authorization` is a key that may write. */
export function listMisuses(authorization: string): Misuse[] {
  const auth = `Authorization: ${authorization}\r\n`;
  const chunked = `${POST}${auth}Transfer-Encoding: chunked\r\n`;
  return [
    read("noise", Buffer.from(Array.from({ length: 512 }, (_, i) => (i * 73 + 41) % 256)), "\r\n\r\n"),
    read("a TLS hello", Buffer.from("16030100c8010000c40303", "hex"), Buffer.alloc(200, 7)),
    read("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    read("HTTP/0.9", "GET /\r\n\r\n"),
    read("HTTP/9.9", "GET / HTTP/9.9\r\n\r\n"),
    read("no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"),
    read("two hosts", `${HEAD}Host: y\r\n${CLOSE}`),
    read("a huge header", `${HEAD}X-Huge: ${"a".repeat(200_000)}\r\n${CLOSE}`),
    read("many headers", HEAD + "X-Many: a\r\n".repeat(20_000) + CLOSE),
    read("a huge path", `GET /${"a".repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n${CLOSE}`),
    read("a header without a name", `${HEAD}: x\r\n${CLOSE}`),
    read("a folded header", `${HEAD}X-A: b\r\n c\r\n${CLOSE}`),
    read("bare line feeds", "GET /healthz HTTP/1.1\nHost: x\nConnection: close\n\n"),
    read("a NUL in a header", `${HEAD}X-A: a\0b\r\n${CLOSE}`),
    read("a NUL in the path", `GET /a\0b HTTP/1.1\r\nHost: x\r\n${CLOSE}`),
    read("a path of bytes", Buffer.from(`GET /\xff\xfe\x80 HTTP/1.1\r\nHost: x\r\n${CLOSE}`, "latin1")),
    read("an absolute path", `GET http://evil.example/healthz HTTP/1.1\r\nHost: evil.example\r\n${CLOSE}`),
    read("a path of another scheme", `GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\n${CLOSE}`),
    read("OPTIONS *", `OPTIONS * HTTP/1.1\r\nHost: x\r\n${CLOSE}`),
    read("CONNECT", `CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: x\r\n${CLOSE}`),
    read("an unknown method", `BREW /healthz HTTP/1.1\r\nHost: x\r\n${CLOSE}`),
    read("an upgrade", `${HEAD}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`),
    read("an upgrade to h2c", `${HEAD}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n`),
    read("an unknown expectation", `${POST}${auth}Expect: a miracle\r\nContent-Length: 2\r\n${CLOSE}{}`),
    read("a length and chunks", `${chunked}Content-Length: 4\r\n${CLOSE}0\r\n\r\nGET /x HTTP/1.1\r\n\r\n`),
    read("two lengths", `${POST}${auth}Content-Length: 2\r\nContent-Length: 3\r\n${CLOSE}{}`),
    read("a negative length", `${POST}${auth}Content-Length: -2\r\n${CLOSE}{}`),
    read("a length beyond numbers", `${POST}${auth}Content-Length: 99999999999999999999\r\n${CLOSE}{}`),
    read("a length of words", `${POST}${auth}Content-Length: two\r\n${CLOSE}{}`),
    read("chunks that are none", `${chunked}${CLOSE}zz\r\n{}\r\n0\r\n\r\n`),
    read("a chunk beyond numbers", `${chunked}${CLOSE}ffffffffffffffffff\r\n{}\r\n0\r\n\r\n`),
    read("a negative chunk", `${chunked}${CLOSE}-2\r\n{}\r\n0\r\n\r\n`),
    read("chunk extensions", `${chunked}${CLOSE}2;${"x=y;".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`),
    read("trailers", `${chunked}${CLOSE}2\r\n{}\r\n0\r\nContent-Length: 5\r\n\r\n`),
    read("many small chunks", `${chunked}${CLOSE}${"1\r\n \r\n".repeat(50_000)}2\r\n{}\r\n0\r\n\r\n`),
    read("chunks of another name", `${POST}${auth}Transfer-Encoding: xchunked\r\n${CLOSE}0\r\n\r\n`),
    read("chunks twice", `${POST}${auth}Transfer-Encoding: chunked, chunked\r\n${CLOSE}0\r\n\r\n`),
    read("an empty body", `${POST}${auth}Content-Length: 0\r\n${CLOSE}`),
    leave("half a head", "GET /healthz HTTP/1.1\r\nHo"),
    leave("half a body", `${POST}${auth}Content-Length: 5000\r\n\r\n{"attempts":[`),
    leave("half a chunk", `${chunked}\r\nfff\r\n{"attempts":`),
    leave("a promise of much", `${POST}${auth}Content-Length: 8000000\r\n\r\n`),
    leave("a pipeline that is not read", `${HEAD}\r\n`.repeat(300)),
    leave("a pipeline of posts", `${POST}${auth}Content-Length: 15\r\n\r\n{"attempts":[]}`.repeat(100)),
    leave(
      "an expectation without a body",
      `${POST}${auth}Expect: 100-continue\r\nContent-Length: 99\r\n\r\n`,
    ),
    leave("heads in a body", `${POST}${auth}Content-Length: 3\r\n\r\n{}GET /x HTTP/1.1\r\nHost: x\r\n\r\n`),
    leave("nothing at all", ""),
  ];
}

/** A connection that waits for more may do so: how long is tested elsewhere. */
const WATCH_MS = 2_000;

/** Misuses one connection. @returns what came back until the server closed it, or until it was watched long enough */
export function misuse(url: string, { parts, end }: Misuse): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const received: Buffer[] = [];
    const socket = net.connect(Number(port), hostname);
    const timer = setTimeout(finish, WATCH_MS);
    function finish(): void {
      clearTimeout(timer);
      socket.destroy();
      resolve(Buffer.concat(received).toString("latin1"));
    }
    socket.on("data", (part: Buffer) => received.push(part));
    socket.once("error", finish);
    socket.once("close", finish);
    socket.once("connect", () => {
      for (const part of parts) socket.write(part);
      if (end === "leave") setImmediate(finish);
    });
  });
}

/** Status of the answers in what a connection gave. */
export function readStatuses(received: string): number[] {
  return [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map((match) => Number(match[1]));
}
