import { isAscii } from "node:buffer";
import { MAX_EVENTS_PER_REQUEST } from "../contract/attempt-event.ts";
import { AppError } from "../http/app-error.ts";

/** The events of one request body, still unchecked. A line that is no JSON is an event that says so. */
export interface ReceivedEvents {
  readonly format: "json" | "ndjson";
  readonly events: readonly unknown[];
}

/** Stands for a line of NDJSON that could not be read. */
export class UnreadableLine {
  readonly detail: string;
  constructor(detail: string) {
    this.detail = detail;
  }
}

const NDJSON_TYPES = /^application\/(?:x-)?(?:ndjson|jsonl|json-?lines)\b/i;

/**
 * The events in a body of `{"attempts":[…]}` or of NDJSON, told apart by the content type; where that says
 * neither, by whether the whole body is one JSON document.
 *
 * @throws AppError 400 for a body that is no JSON, 422 for the wrong envelope, 413 for too many events
 */
export function readEvents(body: Buffer, contentType: string): ReceivedEvents {
  const text = readText(body);
  const received = NDJSON_TYPES.test(contentType) ? readLines(text) : readDocument(text);
  if (received.events.length > MAX_EVENTS_PER_REQUEST) {
    throw new AppError({
      status: 413,
      code: "too_many_events",
      title: "Too many events",
      detail: `${received.events.length} events in one request; at most ${MAX_EVENTS_PER_REQUEST} are taken. Send them in several requests.`,
    });
  }
  return received;
}

/** Bytes that are all ASCII, as nearly all are, need no decoding: that is several times faster. */
function readText(body: Buffer): string {
  return isAscii(body) ? body.toString("latin1") : body.toString("utf8").replace(/^\uFEFF/, "");
}

function readDocument(text: string): ReceivedEvents {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new AppError({
      status: 400,
      code: "invalid_json",
      title: "The body is not JSON",
      detail: `${describeJsonFault(error, text)} Send {"attempts":[…]}, or one event per line with Content-Type: application/x-ndjson.`,
    });
  }
  const attempts =
    typeof document === "object" && document !== null && "attempts" in document
      ? document.attempts
      : undefined;
  if (!Array.isArray(attempts)) {
    throw new AppError({
      status: 422,
      code: "invalid_body",
      title: "The body has the wrong shape",
      errors: [{ pointer: "/attempts", detail: 'must be an array of events: {"attempts":[…]}' }],
    });
  }
  return { format: "json", events: attempts };
}

function readLines(text: string): ReceivedEvents {
  const events: unknown[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    try {
      events.push(JSON.parse(line));
    } catch {
      events.push(new UnreadableLine("the line is not JSON"));
    }
  }
  return { format: "ndjson", events };
}

/** Where the JSON breaks, without a word of what it holds: engines quote the text in their messages. */
function describeJsonFault(error: unknown, text: string): string {
  if (text.trim() === "") return "It is empty.";
  const at = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return at === undefined
    ? "It breaks off or holds something that is no JSON."
    : `It breaks at character ${at}.`;
}
