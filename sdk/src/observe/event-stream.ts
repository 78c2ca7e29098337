import type { BodyFacts } from "./sse.ts";
import { parse } from "./sse.ts";
import { type AnswerFacts, mergeFacts, readAnswer } from "./usage.ts";

const PRELUDE_BYTES = 12;
const CRC_BYTES = 4;
/** Larger frames are passed over: what is sought here stands in small ones. */
const MAX_FRAME_BYTES = 32_768;
const STRING_TYPE = 7;
/** Lengths of the values of the header types that have a fixed one. */
const VALUE_BYTES: Readonly<Record<number, number>> = { 0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 8: 8, 9: 16 };

/**
 * Reads `application/vnd.amazon.eventstream` as it passes: frames of length, headers and JSON. Bedrock's failures are
 * frames whose headers name an exception; counts come in the last ones. Keeps at most one frame of 32 kB.
 */
export class EventStreamReader {
  #frame = new Uint8Array(0);
  /** Bytes of a large frame that are still to be passed over. */
  #skip = 0;
  #facts: AnswerFacts = {};
  #error: unknown;
  #firstTokenAt: number | undefined;
  #isComplete = false;

  push(chunk: Uint8Array, at: number): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#skip > 0) {
        const passed = Math.min(this.#skip, rest.length);
        this.#skip -= passed;
        rest = rest.subarray(passed);
        continue;
      }
      const joined = this.#frame.length === 0 ? rest : concat(this.#frame, rest);
      const total = joined.length < 4 ? PRELUDE_BYTES : viewOf(joined).getUint32(0);
      if (total > MAX_FRAME_BYTES || total < PRELUDE_BYTES + CRC_BYTES) {
        // A frame shorter than its own frame is none: whatever this is, it is not understood, and left alone.
        this.#skip = total > MAX_FRAME_BYTES ? total : Number.MAX_SAFE_INTEGER;
        this.#frame = new Uint8Array(0);
        rest = joined;
        continue;
      }
      if (joined.length < total) {
        this.#frame = joined.slice();
        return;
      }
      this.#readFrame(joined.subarray(0, total), at);
      this.#frame = new Uint8Array(0);
      rest = joined.subarray(total);
    }
  }

  #readFrame(frame: Uint8Array, at: number): void {
    const headersLength = viewOf(frame).getUint32(4);
    const payloadFrom = PRELUDE_BYTES + headersLength;
    if (payloadFrom > frame.length - CRC_BYTES) return;
    const headers = readHeaders(frame.subarray(PRELUDE_BYTES, payloadFrom));
    const payload = parse(decoder.decode(frame.subarray(payloadFrom, frame.length - CRC_BYTES)));
    const kind = headers[":message-type"];
    if (kind === "exception" || kind === "error") {
      const type = headers[":exception-type"] ?? headers[":error-code"] ?? "exception";
      const message = (payload as { message?: unknown } | undefined)?.message ?? headers[":error-message"];
      this.#error = { error: { type, message } };
      return;
    }
    this.readEvent(headers[":event-type"] ?? "", payload, at);
  }

  /** One event, by its name and its parsed payload. */
  readEvent(type: string, payload: unknown, at: number): void {
    if (type === "chunk") this.readInner(readChunk(payload), at);
    else this.#read(type, payload, at);
  }

  /** One event of the model's own manner, as invoke streams carry them. */
  readInner(event: unknown, at: number): void {
    this.#read(String((event as { type?: unknown } | undefined)?.type ?? ""), event, at);
  }

  #read(type: string, event: unknown, at: number): void {
    this.#facts = mergeFacts(this.#facts, readAnswer(event));
    if (this.#firstTokenAt === undefined && isToken(type, event)) this.#firstTokenAt = at;
    if (/^(messageStop|message_stop|metadata)$/.test(type) || hasReason(event)) this.#isComplete = true;
  }

  finish(): BodyFacts {
    return {
      ...this.#facts,
      ...(this.#error === undefined ? {} : { error: this.#error }),
      ...(this.#firstTokenAt === undefined ? {} : { firstTokenAt: this.#firstTokenAt }),
      isComplete: this.#isComplete ? true : null,
    };
  }
}

/** The answer's own event, which Bedrock's invoke streams carry in Base64. */
function readChunk(payload: unknown): unknown {
  const bytes = (payload as { bytes?: unknown } | undefined)?.bytes;
  if (typeof bytes !== "string") return payload;
  try {
    return parse(decoder.decode(Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

const TOKEN_KEYS = ["generation", "outputText", "outputs", "choices"];

function isToken(type: string, event: unknown): boolean {
  if (type !== "") return /^content_?block_?delta$/i.test(type);
  return typeof event === "object" && event !== null && TOKEN_KEYS.some((key) => key in event);
}

function hasReason(event: unknown): boolean {
  const { stop_reason, completionReason } = (event ?? {}) as Record<string, unknown>;
  return typeof (stop_reason ?? completionReason) === "string";
}

function readHeaders(bytes: Uint8Array): Record<string, string> {
  const headers: Record<string, string> = {};
  const view = viewOf(bytes);
  for (let at = 0; at < bytes.length; ) {
    const nameLength = view.getUint8(at);
    const name = decoder.decode(bytes.subarray(at + 1, at + 1 + nameLength));
    at += 1 + nameLength;
    if (at >= bytes.length) break;
    const type = view.getUint8(at++);
    const fixed = VALUE_BYTES[type];
    const length = fixed ?? (at + 2 <= bytes.length ? view.getUint16(at) : 0);
    if (fixed === undefined) at += 2;
    if (type === STRING_TYPE) headers[name] = decoder.decode(bytes.subarray(at, at + length));
    at += length;
  }
  return headers;
}

const decoder = new TextDecoder();

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
