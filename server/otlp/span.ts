import { AppError } from "../http/app-error.ts";

/** The values that are read of an attribute; lists and maps are never read. */
export type Scalar = string | number | boolean;

export interface ReceivedException {
  readonly type: string;
  readonly message: string;
}

/** What is kept of a span once its request was decoded: what the mapping reads, and nothing else. */
export interface ReceivedSpan {
  /** Hexadecimal, lower case; 32 digits when it is valid. */
  readonly traceId: string;
  /** Hexadecimal, lower case; 16 digits when it is valid. */
  readonly spanId: string;
  /** Empty at the root of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly isClient: boolean;
  /** Epoch nanoseconds; 0 when not said. */
  readonly startNs: bigint;
  readonly endNs: bigint;
  /** Only names of `READ_ATTRIBUTES`. */
  readonly attributes: ReadonlyMap<string, Scalar>;
  /** The last one that was recorded. */
  readonly exception: ReceivedException | null;
  /** When the first piece of a streamed answer came, epoch nanoseconds, where an event says so. */
  readonly firstTokenNs: bigint | null;
  readonly isError: boolean;
  readonly statusMessage: string;
  readonly scope: { readonly name: string; readonly version: string };
  /** `service.name` of the resource; empty when unknown. */
  readonly service: string;
}

/** A span while it is decoded. */
export type SpanDraft = { -readonly [K in keyof ReceivedSpan]: ReceivedSpan[K] } & {
  attributes: Map<string, Scalar>;
};

export function draftSpan(scope: ReceivedSpan["scope"], service: string): SpanDraft {
  return {
    traceId: "",
    spanId: "",
    parentSpanId: "",
    name: "",
    isClient: false,
    startNs: 0n,
    endNs: 0n,
    attributes: new Map(),
    exception: null,
    firstTokenNs: null,
    isError: false,
    statusMessage: "",
    scope,
    service,
  };
}

const FIRST_TOKEN_EVENTS: ReadonlySet<string> = new Set([
  "First Token Stream Event",
  "llm.content.completion.chunk",
  "gen_ai.content.completion.chunk",
]);

/** What a span's event says: an exception, or that the first piece of the answer came. */
export function noteEvent(
  span: SpanDraft,
  event: { readonly name: string; readonly timeNs: bigint; readonly attributes: ReadonlyMap<string, Scalar> },
): void {
  const { name, timeNs, attributes } = event;
  if (name === "exception" || name.endsWith(".exception")) {
    const [type, message] = [attributes.get("exception.type"), attributes.get("exception.message")];
    span.exception = {
      type: typeof type === "string" ? type : "",
      message: typeof message === "string" ? message : "",
    };
  } else if (name === "ai.stream.firstChunk") {
    const ms = attributes.get("ai.response.msToFirstChunk");
    if (typeof ms === "number" && !span.attributes.has("ai.response.msToFirstChunk")) {
      span.attributes.set("ai.response.msToFirstChunk", ms);
    }
  } else if (FIRST_TOKEN_EVENTS.has(name) && (span.firstTokenNs === null || timeNs < span.firstTokenNs)) {
    span.firstTokenNs = timeNs;
  }
}

/** More spans than this in one request are refused, so that a small packed body cannot fill the memory. */
export const MAX_SPANS_PER_REQUEST = 100_000;

/** @throws AppError 413 */
export function assertSpanCount(count: number): void {
  if (count <= MAX_SPANS_PER_REQUEST) return;
  throw new AppError({
    status: 413,
    code: "too_many_events",
    title: "Too many events",
    detail: `More than ${MAX_SPANS_PER_REQUEST} spans in one request. Send smaller batches (send_batch_max_size of the collector).`,
  });
}
