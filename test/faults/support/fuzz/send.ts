import http from "node:http";
import type { FuzzedRequest } from "./request.ts";

export interface FuzzedAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly elapsedMs: number;
}

/** What came instead of an answer. */
export interface NoAnswer {
  readonly status: 0;
  readonly reason: string;
}

const ANSWER_WITHIN_MS = 40_000;
/** Of a stream that does not end, so much is looked at. */
const LOOK_AT_STREAM_MS = 200;

export interface Sender {
  send(request: FuzzedRequest): Promise<FuzzedAnswer | NoAnswer>;
  close(): void;
}

export function createSender(url: string, connections: number): Sender {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);

  function send({ method, target, caller, headers, body }: FuzzedRequest): Promise<FuzzedAnswer | NoAnswer> {
    return new Promise((resolve) => {
      const startedAt = performance.now();
      const own = { ...headers, ...caller.headers() };
      if (body !== null) Object.assign(own, { "content-length": String(body.length) });
      const request = http.request(
        { agent, host: hostname, port, method, path: target, headers: own, timeout: ANSWER_WITHIN_MS },
        (response) => {
          const parts: Buffer[] = [];
          const finish = () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: Buffer.concat(parts).toString("latin1"),
              elapsedMs: performance.now() - startedAt,
            });
          response.on("data", (part: Buffer) => parts.push(part));
          response.once("end", finish);
          response.once("error", finish);
          if (response.headers["content-type"]?.startsWith("text/event-stream") === true) {
            setTimeout(() => request.destroy(), LOOK_AT_STREAM_MS);
          }
        },
      );
      request.once("timeout", () => request.destroy(new Error("no answer in time")));
      request.once("error", (error: NodeJS.ErrnoException) =>
        resolve({ status: 0, reason: error.code ?? error.message }),
      );
      request.end(body ?? undefined);
    });
  }

  return { send, close: () => agent.destroy() };
}
