import { isUtf8 } from "node:buffer";
import { z } from "zod";
import { MAX_EVENTS_PER_REQUEST, type ReporterNote, reporterNote } from "../contract/attempt-event.ts";
import { AppError } from "../http/app-error.ts";
import { decodeBody, findBadByte } from "../http/body.ts";
import { readBodyType } from "../http/media-type.ts";
import { parse } from "../http/parse.ts";
import type { Way } from "../sources/way.ts";

/** The events of one request body, still unchecked. What could not be made an event of is one that says so. */
export interface ReceivedEvents {
  readonly format: "json" | "ndjson" | "otlp" | "litellm";
  readonly events: readonly unknown[];
  /** What the sender lost; `null` when it does not say. */
  readonly note: ReporterNote | null;
  /** Place of each event in what was sent, where not all of that are events; absent: the same as here. */
  readonly places?: readonly number[];
  /** How each event came, in their order; absent: as events of our own. */
  readonly ways?: readonly Way[];
  /** What the sender calls the fields of an event, where it is not our own name. */
  readonly pointers?: Readonly<Record<string, string>>;
}

/** Stands for something that was sent in an event's place. */
export class BadEvent {
  readonly detail: string;
  /** JSON Pointer into what was sent. */
  readonly pointer: string;
  constructor(detail: string, pointer = "") {
    this.detail = detail;
    this.pointer = pointer;
  }
}

/**
 * The events in a body of `{"attempts":[…]}` or of NDJSON, told apart by the content type.
 *
 * @throws AppError 400 for a body that is no JSON, 422 for the wrong envelope or none, 413 for too many events
 */
export function readEvents(body: Buffer, contentType: string | undefined): ReceivedEvents {
  const isNdjson = readBodyType(contentType) === "application/x-ndjson";
  const received = isNdjson ? readLines(body) : readDocument(decodeBody(body));
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
  const { attempts, reporter } = (
    typeof document === "object" && document !== null ? document : {}
  ) as Record<string, unknown>;
  if (!Array.isArray(attempts)) {
    throw new AppError({
      status: 422,
      code: "invalid_body",
      title: "The body has the wrong shape",
      errors: [{ pointer: "/attempts", detail: 'must be an array of events: {"attempts":[…]}' }],
    });
  }
  const note =
    reporter == null ? null : parse(z.object({ reporter: reporterNote }), { reporter }, "/").reporter;
  return { format: "json", events: attempts, note };
}

function readLines(body: Buffer): ReceivedEvents {
  const lines = isUtf8(body) ? decodeBody(body).split("\n") : decodeLines(body);
  const events: unknown[] = [];
  for (const line of lines) {
    if (typeof line !== "string") events.push(line);
    else if (line.trim() !== "") events.push(readLine(line));
  }
  if (events.length > 0) return { format: "ndjson", events, note: null };
  throw new AppError({
    status: 422,
    code: "invalid_body",
    title: "The body holds no event",
    detail: "It is empty, or its lines are. Send one event per line.",
  });
}

function readLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return new BadEvent("the line is not JSON");
  }
}

/** Of a body that is not UTF-8 throughout: the good lines are read all the same. */
function decodeLines(body: Buffer): (string | BadEvent)[] {
  const lines: (string | BadEvent)[] = [];
  for (let from = 0; from < body.length; ) {
    const end = body.indexOf("\n", from);
    const bytes = body.subarray(from, end < 0 ? body.length : end);
    if (isUtf8(bytes)) lines.push(decodeBody(bytes));
    else {
      const place = `byte ${findBadByte(bytes)}, counted from 0`;
      lines.push(new BadEvent(`the line is not UTF-8 at ${place}: encode it as UTF-8`));
    }
    from += bytes.length + 1;
  }
  return lines;
}

/** Where the JSON breaks, without a word of what it holds: engines quote the text in their messages. */
function describeJsonFault(error: unknown, text: string): string {
  if (text.trim() === "") return "It is empty.";
  const at = error instanceof Error ? /at position (\d+)/.exec(error.message)?.[1] : undefined;
  return at === undefined
    ? "It breaks off or holds something that is no JSON."
    : `It breaks at character ${at}.`;
}
