import type { Failure, HeadersLike } from "./classification.ts";

/** One failure to name, with the id that its line gave. */
export interface FailureInput {
  readonly id: unknown;
  readonly failure: Failure;
}

/** What of a line cannot be read: all of it, for it is no JSON or no object, or one of its fields. */
export type FailureInputFault = "json" | "object" | "status" | "provider" | "model" | "headers";

/** A line that cannot be read as a failure; the message says what is wrong with it. */
export class FailureInputError extends Error {
  readonly fault: FailureInputFault;

  constructor(fault: FailureInputFault, message: string) {
    super(message);
    this.name = "FailureInputError";
    this.fault = fault;
  }
}

const FIELDS = ["id", "provider", "model", "status", "headers", "body", "exception", "surface"] as const;

/**
 * Whether a text is one failure as we take it, and not a provider's own JSON, pasted: that has fields of the same
 * names, but its error is in it, not beneath one of ours.
 */
export function isFailureLine(line: string): boolean {
  const value = tryParse(line);
  if (!isObject(value) || "error" in value) return false;
  if ("body" in value || "exception" in value || "headers" in value) return true;
  return "status" in value && Object.keys(value).every((key) => (FIELDS as readonly string[]).includes(key));
}

/**
 * The failure of one line `{id, provider, model, status, headers, body, exception}`, all of them optional.
 *
 * @throws FailureInputError
 */
export function parseFailureLine(line: string): FailureInput {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new FailureInputError("json", `is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!isObject(value)) {
    throw new FailureInputError(
      "object",
      'is no object. Each line is one, such as {"id":1,"status":429,"body":…}.',
    );
  }
  const { id, status, headers, body, exception } = value;
  const isStatus = typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599;
  if (status !== undefined && status !== null && !isStatus) {
    throw new FailureInputError(
      "status",
      `"status" is ${JSON.stringify(status)}; it is a number from 100 to 599, or left out.`,
    );
  }
  if (headers !== undefined && headers !== null && typeof headers !== "object") {
    throw new FailureInputError(
      "headers",
      '"headers" is no object; it is one such as {"retry-after":"3"}, or left out.',
    );
  }
  return {
    id: id ?? null,
    failure: {
      status: isStatus ? status : undefined,
      headers: (headers ?? undefined) as HeadersLike | undefined,
      body: body ?? undefined,
      exception: exception ?? undefined,
      provider: readText(value, "provider"),
      model: readText(value, "model"),
    },
  };
}

function readText(value: Record<string, unknown>, name: "provider" | "model"): string | undefined {
  const text = value[name];
  if (text === undefined || text === null) return undefined;
  if (typeof text === "string") return text;
  throw new FailureInputError(name, `"${name}" is ${JSON.stringify(text)}; it is a text, or left out.`);
}

/**
 * The failure of an error that was pasted: one of ours over many lines, an answer as `curl -i` prints it, a body of
 * JSON, or else what a client printed.
 *
 * @throws FailureInputError for one of ours that has a fault
 */
export function parsePastedFailure(text: string): FailureInput {
  const pasted = text.trim();
  if (isFailureLine(pasted)) return parseFailureLine(pasted);
  const answer = parseAnswer(pasted);
  if (answer !== null) return { id: null, failure: answer };
  const value = tryParse(pasted);
  return {
    id: null,
    failure: value !== null && typeof value === "object" ? { body: value } : { exception: pasted },
  };
}

/** Status, headers and body of an answer as it goes over the wire, the last one where several follow each other. */
function parseAnswer(text: string): Failure | null {
  let [head = "", ...rest] = text.split(/\r?\n\r?\n/);
  while (/^HTTP\//.test(rest[0] ?? "")) [head = "", ...rest] = rest;
  const [first = "", ...fields] = head.split(/\r?\n/);
  const status = /^HTTP\/[\d.]+ (\d{3})\b/.exec(first)?.[1];
  if (status === undefined) return null;
  const headers: Record<string, string> = {};
  for (const field of fields) {
    const colon = field.indexOf(":");
    if (colon > 0) headers[field.slice(0, colon).trim().toLowerCase()] = field.slice(colon + 1).trim();
  }
  const body = rest.join("\n\n");
  return { status: Number(status), headers, body: body === "" ? undefined : body };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
