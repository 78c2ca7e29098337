import { parseRetryAfterMs } from "../report/retry-delay.ts";
import { quoteProblem } from "../router/sync/judge-answer.ts";
import { describeFault, sendWithin } from "../router/sync/send-within.ts";
import type { SyncAnswer, Transport } from "../router/sync/transport.ts";
import type { RouterSystem } from "../router/system.ts";
import type { WorkProblem } from "./types.ts";

/** What became of a request. */
export type QueueAnswer =
  | { readonly is: "ok"; readonly body: Readonly<Record<string, unknown>> }
  /** It was understood, and is not done: asked again, it would be the same. */
  | { readonly is: "refused"; readonly code: string; readonly status: number; readonly words: string }
  /** Not now. `isLasting`: it is not likely to pass by itself. */
  | {
      readonly is: "later";
      readonly problem: Pick<WorkProblem, "code" | "message">;
      readonly askedMs: number | null;
      readonly isLasting: boolean;
    };

/** Talks to the server that keeps the queue; never rejects. */
export interface QueueClient {
  /** @param timeoutMs for all of it */
  post(path: string, body: unknown, timeoutMs: number, signal?: AbortSignal): Promise<QueueAnswer>;
}

interface QueueClientParts {
  /** The address below which the routes are. */
  readonly base: string;
  readonly key: string;
  readonly transport: Transport;
  readonly system: RouterSystem;
}

export function createQueueClient({ base, key, transport, system }: QueueClientParts): QueueClient {
  return {
    async post(path, body, timeoutMs, signal) {
      const request = {
        method: "POST" as const,
        url: base + path,
        headers: { authorization: `Bearer ${key.trim()}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      };
      try {
        return judgeAnswer(await sendWithin(transport, system, request, timeoutMs, signal), system.now());
      } catch (error) {
        return later("unreachable", `the server cannot be reached (${describeFault(error)})`, false);
      }
    },
  };
}

/** What an answer of the queue's routes means. */
export function judgeAnswer({ status, body, retryAfter }: SyncAnswer, nowMs: number): QueueAnswer {
  const json = readJson(body);
  const words = quoteProblem(body);
  if (status >= 200 && status < 300) {
    if (json !== null) return { is: "ok", body: json };
    return later("not_busyhour", "the address answered with something that is no answer of a queue");
  }
  if (status === 401 || status === 403)
    return later("unauthorized", `the key was not accepted (${status}${words})`);
  if (status >= 500 || status === 408 || status === 429)
    return later(
      "unreachable",
      `the server answered ${status}${words}`,
      false,
      parseRetryAfterMs(retryAfter, nowMs),
    );
  const code = json?.["code"];
  if (typeof code === "string" && code !== "not_found") return { is: "refused", code, status, words };
  return later("not_busyhour", `the address answered ${status}${words}, so there is no queue`);
}

function later(
  code: WorkProblem["code"],
  message: string,
  isLasting = true,
  askedMs: number | null = null,
): QueueAnswer {
  return { is: "later", problem: { code, message }, askedMs, isLasting };
}

function readJson(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
