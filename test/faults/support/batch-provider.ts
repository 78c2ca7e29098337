import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A provider that speaks OpenAI's manner, and counts what it is asked. */
export interface BatchProvider {
  readonly url: string;
  /** How often it was asked for each prompt, without those that it had no room for. */
  readonly calls: ReadonlyMap<string, number>;
  readonly requests: number;
  /** Resolves when it has been asked so many times more. */
  asked(times: number): Promise<void>;
  /** Resolves when nobody is connected any more: nothing of a process that was killed can still arrive. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export interface ProviderManners {
  /** How long an answer takes, in milliseconds. */
  readonly latencyMs: () => number;
  /** Whether there is no room for a prompt that it is asked for the so-many-th time. */
  readonly isFull?: (prompt: string, time: number) => boolean;
}

export async function startBatchProvider({
  latencyMs,
  isFull = () => false,
}: ProviderManners): Promise<BatchProvider> {
  const calls = new Map<string, number>();
  const refused = new Map<string, number>();
  let requests = 0;
  let onRequest = () => {};
  const add = (counts: Map<string, number>, prompt: string) => {
    const count = (counts.get(prompt) ?? 0) + 1;
    counts.set(prompt, count);
    return count;
  };
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    // A process that is killed leaves its requests half-way.
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      return;
    }
    requests++;
    onRequest();
    const { messages } = JSON.parse(String(Buffer.concat(chunks))) as { messages: { content: string }[] };
    const prompt = messages.at(-1)?.content ?? "";
    if (isFull(prompt, (refused.get(prompt) ?? 0) + 1)) {
      add(refused, prompt);
      const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
      response.writeHead(529, { "content-type": "application/json" }).end(JSON.stringify(error));
      return;
    }
    add(calls, prompt);
    await sleep(latencyMs());
    const message = { role: "assistant", content: `answer to ${prompt}` };
    const answer = {
      model: "m-1",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage: { total_tokens: 7 },
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    get requests() {
      return requests;
    },
    asked(times) {
      const until = requests + times;
      return new Promise((resolve) => {
        onRequest = () => {
          if (requests >= until) resolve();
        };
      });
    },
    async idle() {
      while ((await connections()) > 0) await sleep(1);
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
