/** Run as a process of its own: makes bodies, waits for the word, and posts them with several senders at once. */
import http from "node:http";
import { type EventSet, inGroups } from "./events.ts";

export interface SendOrder {
  readonly url: string;
  readonly token: string;
  readonly set: EventSet;
  readonly senders: number;
  readonly eventsPerBatch: number;
}

export type SenderMessage =
  | { readonly type: "ready" }
  | { readonly type: "sent"; readonly accepted: number; readonly elapsedMs: number };

const tell = (message: SenderMessage) => process.send?.(message);

let send = async () => {};

process.on("message", (message: { order: SendOrder } | "go") => {
  if (message === "go") return void send();
  send = prepare(message.order);
  tell({ type: "ready" });
});
process.on("disconnect", () => process.exit(0));

function prepare({ url, token, set, senders, eventsPerBatch }: SendOrder): () => Promise<void> {
  const bodies = inGroups(set, eventsPerBatch, (attempts) => Buffer.from(JSON.stringify({ attempts })));
  const agent = new http.Agent({ keepAlive: true, maxSockets: senders });
  return async () => {
    const startedAt = performance.now();
    let accepted = 0;
    let next = 0;
    const sendAll = async () => {
      for (let body = bodies[next++]; body !== undefined; body = bodies[next++]) {
        const taken = await post(`${url}/v1/attempts`, token, body, agent);
        accepted += taken;
      }
    };
    await Promise.all(Array.from({ length: senders }, sendAll));
    tell({ type: "sent", accepted, elapsedMs: performance.now() - startedAt });
    agent.destroy();
  };
}

/** @returns how many events were newly stored */
function post(url: string, token: string, body: Buffer, agent: http.Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "content-length": body.length,
    };
    const request = http.request(url, { method: "POST", agent, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part) => parts.push(part));
      response.on("end", () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 202) resolve(JSON.parse(text).accepted);
        else reject(new Error(`status ${response.statusCode}: ${text}`));
      });
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}
