import type { HeadersLike } from "../classification.ts";
import type { FactCollector } from "../facts.ts";
import { createHeaderReader, type HeaderReader } from "./headers.ts";
import { readJson } from "./json.ts";
import { readText } from "./text.ts";

const MAX_CAUSES = 6;

/** What an exception carries besides its words. */
export interface Carried {
  status: number | null;
  headers: HeaderReader | null;
}

/**
 * Notes what an exception of any client says: its class and code, its message, the answer that it carries under
 * the names that SDKs use, and its chain of causes, each deeper than the one before. Nothing is imported to
 * recognise a class, and a getter that throws is passed over.
 */
export function readException(exception: unknown, collector: FactCollector): Carried {
  const carried: Carried = { status: null, headers: null };
  read(exception, 0, collector, carried, new Set());
  return carried;
}

function read(
  thrown: unknown,
  level: number,
  collector: FactCollector,
  carried: Carried,
  seen: Set<unknown>,
): void {
  if (typeof thrown === "string") {
    readText(thrown, level, collector);
    return;
  }
  if (thrown === null || (typeof thrown !== "object" && typeof thrown !== "function")) return;
  if (seen.has(thrown) || seen.size >= MAX_CAUSES) return;
  seen.add(thrown);
  const field = (name: string) => peek(thrown, name);
  for (const name of ["name", "code", "type", "errorCode", "reason", "param"]) {
    const value = field(name);
    if (typeof value === "string" || typeof value === "number")
      collector.addCode(name.toLowerCase(), value, level);
  }
  const className = peek(field("constructor"), "name");
  if (typeof className === "string" && className !== "Object" && className !== "Error") {
    collector.addCode("name", className, level);
  }
  readAnswer(thrown, level, collector, carried);
  const message = field("message");
  if (typeof message === "string") readText(message, level, collector);
  const errors = field("errors");
  const beneath = [field("cause"), field("lastError"), ...(Array.isArray(errors) ? errors.slice(-2) : [])];
  for (const cause of beneath) read(cause, level + 1, collector, carried, seen);
}

/** Status, headers and body, where openai, Anthropic, Google, AWS, the AI SDK, axios, got and others put them. */
function readAnswer(thrown: object, level: number, collector: FactCollector, carried: Carried): void {
  const response = peek(thrown, "response");
  const statuses = [
    peek(thrown, "status"),
    peek(thrown, "statusCode"),
    peek(peek(thrown, "$metadata"), "httpStatusCode"),
    peek(response, "status"),
    peek(response, "statusCode"),
  ];
  const status = statuses.find((one) => typeof one === "number" && one >= 100 && one <= 599);
  if (typeof status === "number") {
    carried.status ??= status;
    collector.addStatus(status, level);
  }
  const headers = [peek(thrown, "headers"), peek(thrown, "responseHeaders"), peek(response, "headers")];
  const first = headers.find((one) => one !== null && typeof one === "object");
  if (first !== undefined) carried.headers ??= createHeaderReader(first as HeadersLike);
  for (const body of ["error", "responseBody", "body", "data", "details"].map((name) => peek(thrown, name))) {
    readBody(body, level + 1, collector);
  }
  readBody(peek(response, "data"), level + 1, collector);
}

/** Notes what a body says, whether it is parsed or still text. */
export function readBody(body: unknown, level: number, collector: FactCollector): void {
  if (typeof body === "string") readText(body, level, collector);
  else if (typeof body === "object" && body !== null && !isOpaque(body)) readJson(body, level, collector);
}

/** Streams, requests and the like: nothing in them is an answer. */
function isOpaque(value: object): boolean {
  return typeof peek(value, "pipe") === "function" || typeof peek(value, "getReader") === "function";
}

function peek(value: unknown, name: string): unknown {
  if (value === null || value === undefined) return undefined;
  try {
    return (value as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
