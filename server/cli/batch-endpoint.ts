import type { BatchRequest } from "./batch-input.ts";

/** What of an answer is kept for a prompt. */
export interface ShortAnswer {
  readonly text: string | null;
  readonly finishReason: string | null;
  readonly model: string | null;
  readonly usage: unknown;
}

/** An endpoint that speaks OpenAI's manner. */
export interface Endpoint {
  readonly host: string;
  /** Asks once. @throws HttpFailure, or what `fetch` throws */
  ask(request: BatchRequest, signal: AbortSignal): Promise<unknown>;
}

/** An answer with a status that is none, as `classify` reads it. */
export class HttpFailure extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly responseBody: string;

  constructor(status: number, headers: Headers, responseBody: string) {
    super(`${status} ${findMessage(responseBody)}`.trim());
    this.name = "HttpFailure";
    this.status = status;
    this.headers = headers;
    this.responseBody = responseBody;
  }
}

/** @param url with or without `/v1` and `/chat/completions` */
export function createEndpoint(url: URL, key: string | null): Endpoint {
  const path = url.pathname.replace(/\/+$/, "").replace(/\/(chat\/completions|completions|responses)$/, "");
  const base = `${url.origin}${path === "" ? "/v1" : path}`;
  const headers = {
    "content-type": "application/json",
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
  };
  return {
    host: url.hostname,
    async ask({ path, body, isWhole }, signal) {
      const response = await fetch(base + path + url.search, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        signal,
      });
      const text = await response.text();
      if (!response.ok) throw new HttpFailure(response.status, response.headers, text);
      const answer = parseJson(text);
      if (answer === undefined) throw new Error(`the answer is no JSON: ${text.slice(0, 100)}`);
      return isWhole ? answer : shorten(answer);
    },
  };
}

type Json = Readonly<Record<string, unknown>>;

function shorten(answer: unknown): ShortAnswer | unknown {
  const { choices, model, usage } = (answer ?? {}) as Json;
  const choice = Array.isArray(choices) ? (choices[0] as Json | undefined) : undefined;
  // Without a choice it is an error with a good status: it is named as it came.
  if (choice === undefined) return answer;
  const { content } = (choice["message"] ?? {}) as Json;
  return {
    text: typeof content === "string" ? content : null,
    finishReason: typeof choice["finish_reason"] === "string" ? choice["finish_reason"] : null,
    model: typeof model === "string" ? model : null,
    usage: usage ?? null,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What the body says in words; pages for people say it in their title. */
function findMessage(body: string): string {
  const { error, message } = (parseJson(body) ?? {}) as { error?: unknown; message?: unknown };
  const said = typeof error === "string" ? error : ((error as Json | undefined)?.["message"] ?? message);
  if (typeof said === "string") return said;
  return (/<title[^>]*>([^<]*)/i.exec(body)?.[1] ?? body).slice(0, 200);
}
