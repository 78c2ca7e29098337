import { fork } from "node:child_process";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers like a model, in a process of its own, so that its work is not counted. */
export interface ModelServer {
  readonly url: string;
  stop(): void;
}

/** A chat completion of a usual size. */
export const ANSWER = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1_796_000_000,
  model: "gpt-x-2026",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: "The walrus answers at length. ".repeat(40) },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 420, completion_tokens: 280, total_tokens: 700 },
});

const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_796_000_000, model: "gpt-x-2026", choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

const END = `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [], usage: { prompt_tokens: 420, completion_tokens: 280 } })}\n\ndata: [DONE]\n\n`;

export async function startModelServer(): Promise<ModelServer> {
  const child = fork(import.meta.filename, ["serve"]);
  const port = await new Promise<number>((resolve) =>
    child.once("message", (message) => resolve(message as number)),
  );
  return { url: `http://127.0.0.1:${port}`, stop: () => void child.kill() };
}

function serve(): void {
  const held: ServerResponse[] = [];
  const burst = Buffer.from(chunk("walrus ").repeat(330)).subarray(0, 65_536);
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://localhost");
      const way = url.searchParams.get("way");
      if (way === "hold") held.push(response);
      else if (way === "release") {
        for (const waiting of held.splice(0)) answer(waiting);
        response.end();
      } else if (way === "count") response.end(String(held.length));
      else if (way === "stream") void stream(response, Number(url.searchParams.get("bursts")), burst);
      else if (url.pathname === "/v1/chat/completions") answer(response);
      // Reports and spans: taken, and nothing done with them.
      else
        response
          .writeHead(202, { "content-type": "application/json" })
          .end('{"accepted":1,"duplicates":0,"rejected":[]}');
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
  process.once("disconnect", () => process.exit());
}

function answer(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" }).end(ANSWER);
}

async function stream(response: ServerResponse, bursts: number, burst: Buffer): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(chunk("walrus"));
  for (let i = 0; i < bursts; i++) {
    if (!response.write(burst)) await new Promise((resolve) => response.once("drain", resolve));
  }
  response.end(END);
}

if (process.argv[2] === "serve" && process.send !== undefined) serve();
