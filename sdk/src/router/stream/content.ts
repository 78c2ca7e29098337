import { isErrorBody } from "../../observe/error-body.ts";

type Json = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Whether a piece of a stream brings something of the answer, and is no greeting: by the manners of OpenAI (chat and
 * Responses), Anthropic, Google, Bedrock and the AI SDK. What is not recognised is content, so that nothing is held back
 * for long; an empty text is none.
 */
export function isContent(chunk: unknown): boolean {
  if (chunk === null || chunk === undefined || chunk === "") return false;
  if (!isObject(chunk)) return true;
  const type = chunk["type"];
  if (typeof type === "string") return isContentType(type) && !isEmptyDelta(chunk);
  for (const key of ["choices", "candidates"]) {
    const list = chunk[key];
    if (Array.isArray(list))
      return list.some((one) => isObject(one) && holdsText(one["delta"] ?? one["content"] ?? one["text"]));
  }
  if ("messageStart" in chunk || "contentBlockStart" in chunk || "metadata" in chunk) return false;
  return true;
}

/** `response.created`, `message_start`, `ping`, `stream-start` and the like come before anything is said. */
function isContentType(type: string): boolean {
  if (/^(response\.|message|content_block|ping$)/.test(type))
    return /delta$/.test(type) && type !== "message_delta";
  return !/^(stream-start|response-metadata|start|start-step|step-start|raw|[\w-]+-start|error)$/.test(type);
}

/** A piece of text without any: clients make one of a greeting. */
function isEmptyDelta(chunk: Json): boolean {
  return ["delta", "textDelta", "text"].some((key) => chunk[key] === "");
}

/** Something other than a role and empty texts. */
function holdsText(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  if (Array.isArray(value)) return value.some(holdsText);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, inner]) => key !== "role" && (typeof inner === "number" ? false : holdsText(inner)),
  );
}

/** The error that a piece of a stream is, or `undefined`. */
export function findStreamError(chunk: unknown): unknown {
  return isObject(chunk) && isErrorBody(chunk) ? chunk : undefined;
}
