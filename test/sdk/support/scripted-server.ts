import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request as it arrived. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Resolves when the client has closed the connection before the answer was complete. */
  readonly hungUp: Promise<void>;
}

/** What the server does with one request. It never sleeps: what is to come later waits for a promise of the test. */
export type Step = (response: ServerResponse, request: Received) => void | Promise<void>;

export interface ScriptedServer {
  readonly url: string;
  /** In the order of arrival. */
  readonly received: readonly Received[];
  /** What to do with the requests to come, one after the other. */
  script(...steps: Step[]): void;
  close(): Promise<void>;
}

/** Answers each request with the next step of its script; an unscripted one is a 599 that no client repeats. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const steps: Step[] = [];
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void receive(request, response).then((arrived) => {
      received.push(arrived);
      const step = steps.shift() ?? json(599, { error: "not in the script" }, { "x-should-retry": "false" });
      return step(response, arrived);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    script: (...more) => void steps.push(...more),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<Received> {
  const hungUp = new Promise<void>((resolve) => {
    response.on("close", () => {
      if (!response.writableFinished) resolve();
    });
  });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return {
    path: request.url ?? "",
    headers: request.headers,
    body: Buffer.concat(chunks).toString(),
    hungUp,
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

export function html(status: number, page: string, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { "content-type": "text/html", ...headers }).end(page);
  };
}

/** Closes the connection without a word. */
export const cut: Step = (response) => {
  response.socket?.destroy();
};

/** A pause in a stream until the promise is kept. */
export type Pause = Promise<unknown> | (() => Promise<unknown>);

/** Server-sent events in one chunk each, with pauses between them; `"cut"` breaks the connection off. */
export function sse(parts: readonly (string | Pause | "cut")[], headers: Record<string, string> = {}): Step {
  return stream("text/event-stream", parts, headers);
}

export function stream(
  contentType: string,
  parts: readonly (string | Uint8Array | Pause | "cut")[],
  headers: Record<string, string> = {},
): Step {
  return async (response) => {
    response.writeHead(200, { "content-type": contentType, ...headers });
    response.flushHeaders();
    for (const part of parts) {
      if (part === "cut") {
        response.socket?.destroy();
        return;
      }
      if (typeof part === "string" || part instanceof Uint8Array) {
        await new Promise<void>((resolve) => response.write(part, () => resolve()));
      } else await (typeof part === "function" ? part() : part);
    }
    response.end();
  };
}

/** A promise and the way to keep it. */
export function signal(): { readonly given: Promise<void>; give(): void } {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
