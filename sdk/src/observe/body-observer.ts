import { BodyWindow } from "./body-window.ts";
import { EventStreamReader } from "./event-stream.ts";
import { readJson, readJsonText, readJsonWindow } from "./json-body.ts";
import { type BodyFacts, readLines } from "./sse.ts";

/** How a body is written, by its content type. */
export type BodyFormat = "lines" | "frames" | "json" | "other";

export function findBodyFormat(contentType: string | null): BodyFormat {
  const type = (contentType ?? "").toLowerCase();
  if (type.includes("amazon.eventstream")) return "frames";
  if (type.includes("event-stream")) return "lines";
  if (/ndjson|jsonl|json-seq|stream\+json/.test(type)) return "lines";
  return type.includes("json") || type === "" ? "json" : "other";
}

/** Watches one body and keeps little of it; what it says is worked out once, at its end. */
export interface BodyObserver<Chunk = Uint8Array> {
  /** @param at when the chunk came */
  push(chunk: Chunk, at: number): void;
  finish(): BodyFacts;
}

const NOTHING: BodyObserver = { push() {}, finish: () => ({}) };

export function createBodyObserver(format: BodyFormat): BodyObserver {
  if (format === "other") return NOTHING;
  if (format === "frames") return new EventStreamReader();
  const window = new BodyWindow();
  return {
    push: (chunk, at) => window.push(chunk, at),
    finish: () => (format === "lines" ? readLines(window) : readJsonWindow(window)),
  };
}

/** What a body says that was taken in one piece: text, parsed JSON or bytes. @param at when it came */
export function readBody(body: unknown, format: BodyFormat, at: number): BodyFacts {
  if (typeof body === "string")
    return format === "json" ? readJsonText(body) : readBytes(encoder.encode(body), format, at);
  if (body instanceof ArrayBuffer) return readBytes(new Uint8Array(body), format, at);
  if (body instanceof Uint8Array) return readBytes(body, format, at);
  return format === "json" ? readJson(body) : {};
}

const encoder = new TextEncoder();

function readBytes(bytes: Uint8Array, format: BodyFormat, at: number): BodyFacts {
  const observer = createBodyObserver(format);
  observer.push(bytes, at);
  return observer.finish();
}
