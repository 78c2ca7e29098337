import type { Failure, HeadersLike } from "@busyhour/sdk";

/** One failure to name, with the id that its line gave. */
export interface ClassifyInput {
  readonly id: unknown;
  readonly failure: Failure;
}

/** A line that cannot be read as a failure; the message says what is wrong with it. */
export class InputError extends Error {}

const FIELDS = ["id", "provider", "model", "status", "headers", "body", "exception", "surface"] as const;

/**
 * Whether a line is one failure as we take it, and not a provider's own JSON, pasted: that has fields of the same
 * names, but its error is in it, not beneath one of ours.
 */
export function isJsonLine(line: string): boolean {
  const value = tryParse(line);
  if (!isObject(value) || "error" in value) return false;
  if ("body" in value || "exception" in value || "headers" in value) return true;
  return "status" in value && Object.keys(value).every((key) => (FIELDS as readonly string[]).includes(key));
}

/** The failure of one line, or throws an `InputError`. */
export function parseLine(line: string): ClassifyInput {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new InputError(`is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(value))
    throw new InputError('is no object. Each line is one, such as {"id":1,"status":429,"body":…}.');
  const { id, provider, model, status, headers, body, exception } = value;
  const isStatus = typeof status === "number" && Number.isInteger(status) && status >= 100 && status <= 599;
  if (status !== undefined && status !== null && !isStatus) {
    throw new InputError(
      `"status" is ${JSON.stringify(status)}; it is a number from 100 to 599, or left out.`,
    );
  }
  for (const [name, text] of Object.entries({ provider, model })) {
    if (text !== undefined && text !== null && typeof text !== "string") {
      throw new InputError(`"${name}" is ${JSON.stringify(text)}; it is a text, or left out.`);
    }
  }
  if (headers !== undefined && headers !== null && typeof headers !== "object") {
    throw new InputError('"headers" is no object; it is one such as {"retry-after":"3"}, or left out.');
  }
  return {
    id: id ?? null,
    failure: {
      status: isStatus ? status : undefined,
      headers: (headers ?? undefined) as HeadersLike | undefined,
      body: body ?? undefined,
      exception: exception ?? undefined,
      provider: typeof provider === "string" ? provider : undefined,
      model: typeof model === "string" ? model : undefined,
    },
  };
}

/** The failure of an error that was pasted: JSON is a body, anything else what a client printed. */
export function parsePasted(text: string): ClassifyInput {
  const value = tryParse(text);
  const failure = value !== null && typeof value === "object" ? { body: value } : { exception: text.trim() };
  return { id: null, failure };
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
