import fs from "node:fs/promises";
import type { CountedItems } from "@busyhour/sdk";
import { readLines, readNdjson } from "@busyhour/sdk/files";
import { CommandError } from "./api-client.ts";

/** What one line of the input asks for. */
export interface BatchRequest {
  /** `null`: it is known by its place. */
  readonly id: string | number | null;
  /** Below the endpoint's `/v1`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether the answer is kept as it came: so it is for whole requests. */
  readonly isWhole: boolean;
}

export interface InputSettings {
  readonly model?: string | undefined;
  readonly system?: string | undefined;
  readonly maxTokens?: number | undefined;
  /** What the endpoint calls the most tokens of an answer. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
}

type Json = Readonly<Record<string, unknown>>;

const CHAT = "/chat/completions";
const EXAMPLE = '{"prompt": "…"} or {"messages": [{"role": "user", "content": "…"}]}';

/**
 * The requests of a file, of any size: a prompt a line, or JSON lines.
 *
 * @param format by the file's first line when it is not given: JSON begins with `{`
 * @throws CommandError when the file cannot be read
 */
export async function readBatchInput(
  file: string,
  format: "lines" | "ndjson" | undefined,
  settings: InputSettings,
): Promise<CountedItems<BatchRequest>> {
  const isJson = (format ?? (await guessFormat(file))) === "ndjson";
  if (isJson) return readNdjson(file, (value) => toRequest(value, settings));
  const lines = readLines(file);
  return {
    count: () => lines.count(),
    async *[Symbol.asyncIterator]() {
      for await (const line of lines) yield toRequest({ prompt: line }, settings);
    },
  };
}

async function guessFormat(file: string): Promise<"lines" | "ndjson"> {
  try {
    const handle = await fs.open(file, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4_096), 0, 4_096, 0);
      return /^[\uFEFF\s]*\{/.test(buffer.toString("utf8", 0, bytesRead)) ? "ndjson" : "lines";
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new CommandError(`Cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** @throws Error that ends the sentence “FILE, line N …” */
export function toRequest(value: unknown, settings: InputSettings): BatchRequest {
  if (!isObject(value)) throw new Error(`is no object; write ${EXAMPLE}`);
  const id = readId(value);
  if (isObject(value["body"]))
    return { id, path: readPath(value["url"]), body: complete(value["body"], settings), isWhole: true };
  const { id: _, custom_id: __, prompt, messages, ...rest } = value;
  if (typeof prompt === "string") {
    if (prompt.trim() === "") throw new Error("has an empty “prompt”");
    return {
      id,
      path: CHAT,
      body: toChat([{ role: "user", content: prompt }], rest, settings),
      isWhole: false,
    };
  }
  if (Array.isArray(messages)) {
    if (messages.length === 0) throw new Error(`has no message in “messages”; write ${EXAMPLE}`);
    return { id, path: CHAT, body: toChat(messages, rest, settings), isWhole: false };
  }
  if (prompt !== undefined) throw new Error("has a “prompt” that is no text; chats go into “messages”");
  throw new Error(`has neither “prompt” nor “messages” nor “body”; write ${EXAMPLE}`);
}

function toChat(messages: readonly unknown[], rest: Json, settings: InputSettings): Json {
  const hasSystem = messages.some(
    (one) => isObject(one) && (one["role"] === "system" || one["role"] === "developer"),
  );
  const { system, maxTokens, maxTokensField } = settings;
  const all =
    system === undefined || hasSystem ? messages : [{ role: "system", content: system }, ...messages];
  const isLimited = "max_tokens" in rest || "max_completion_tokens" in rest;
  const limit = maxTokens === undefined || isLimited ? {} : { [maxTokensField]: maxTokens };
  return complete({ ...limit, ...rest, messages: all }, settings);
}

function complete(body: Json, { model }: InputSettings): Json {
  if (body["stream"] === true)
    throw new Error("asks for a stream; take “stream” out: a batch keeps whole answers");
  if (body["model"] !== undefined) return body;
  if (model === undefined) throw new Error("names no “model”; add one, or --model for all");
  return { model, ...body };
}

function readPath(url: unknown): string {
  if (url === undefined) return CHAT;
  if (typeof url !== "string" || !url.startsWith("/"))
    throw new Error("has a “url” that is no path such as /v1/chat/completions; the host is --url's");
  return url.replace(/^\/v1(?=\/)/, "");
}

function readId({ custom_id: customId, id }: Json): string | number | null {
  const given = customId ?? id ?? null;
  if (given === null || typeof given === "string" || typeof given === "number") return given;
  throw new Error("has an id that is neither text nor number");
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
