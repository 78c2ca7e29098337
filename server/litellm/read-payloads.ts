import { MAX_EVENTS_PER_REQUEST } from "../contract/attempt-event.ts";
import { AppError } from "../http/app-error.ts";
import { decodeBody } from "../http/body.ts";
import { BadEvent } from "../ingest/read-events.ts";

/**
 * The payloads in a body of LiteLLM's generic callback: an array, one payload per line, or one alone. Its content
 * type is always JSON, so the body itself is asked.
 *
 * @throws AppError 400 for a body that is neither, 413 for too many payloads
 */
export function readPayloads(body: Buffer): unknown[] {
  const text = decodeBody(body);
  const payloads = parseDocument(text) ?? parseLines(text);
  if (payloads.length > MAX_EVENTS_PER_REQUEST) {
    throw new AppError({
      status: 413,
      code: "too_many_events",
      title: "Too many events",
      detail: `${payloads.length} payloads in one request; at most ${MAX_EVENTS_PER_REQUEST} are taken. Lower batch_size of the callback.`,
    });
  }
  return payloads;
}

/** `null` when the text as a whole is no JSON. */
function parseDocument(text: string): unknown[] | null {
  try {
    const document: unknown = JSON.parse(text);
    return Array.isArray(document) ? document : [document];
  } catch {
    return null;
  }
}

function parseLines(text: string): unknown[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const payloads = lines.map((line) => {
    try {
      return JSON.parse(line) as unknown;
    } catch {
      return new BadEvent("the line is not JSON");
    }
  });
  if (payloads.every((payload) => payload instanceof BadEvent)) {
    throw new AppError({
      status: 400,
      code: "invalid_json",
      title: "The body is not JSON",
      detail: "Send what LiteLLM's generic callback sends: an array of payloads, or one payload per line.",
    });
  }
  return payloads;
}
