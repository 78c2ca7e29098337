import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll } from "vitest";

export interface Received {
  readonly url: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever was posted
  readonly body: any;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Never answers. */
  readonly hangs?: boolean;
  /** Takes the message and breaks the connection off. */
  readonly breaks?: boolean;
}

export interface Receiver {
  readonly port: number;
  readonly received: Received[];
  /** What is answered from now on. */
  reply: (received: Received) => Reply;
}

/** A server that behaves as it is told to, and notes what it was sent. */
export async function startReceiver(): Promise<Receiver> {
  const receiver: { port: number; received: Received[]; reply: (received: Received) => Reply } = {
    port: 0,
    received: [],
    reply: () => ({}),
  };
  const server = http.createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on("data", (part: Buffer) => parts.push(part));
    req.on("end", () => {
      const text = Buffer.concat(parts).toString();
      const received = {
        url: req.url ?? "",
        headers: req.headers,
        text,
        body: text === "" ? null : JSON.parse(text),
      };
      receiver.received.push(received);
      const {
        status = 200,
        headers = {},
        body = "",
        hangs = false,
        breaks = false,
      } = receiver.reply(received);
      if (breaks) req.socket.destroy();
      else if (!hangs)
        res.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  receiver.port = (server.address() as AddressInfo).port;
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}
