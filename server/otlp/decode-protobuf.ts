import { BinaryReader } from "@bufbuild/protobuf/wire";
import { READ_ATTRIBUTES } from "./attributes.ts";
import {
  assertSpanCount,
  draftSpan,
  noteEvent,
  type ReceivedSpan,
  type Scalar,
  type SpanDraft,
} from "./span.ts";

/** Number and wire type of a field as they stand before its value: a field of another type is passed over. */
const varint = (field: number) => field * 8;
const fixed64 = (field: number) => field * 8 + 1;
const bytes = (field: number) => field * 8 + 2;

const REQUEST = { resourceSpans: bytes(1) };
const RESOURCE_SPANS = { resource: bytes(1), scopeSpans: bytes(2) };
const RESOURCE = { attributes: bytes(1) };
const SCOPE_SPANS = { scope: bytes(1), spans: bytes(2) };
const SCOPE = { name: bytes(1), version: bytes(2) };
const SPAN = {
  traceId: bytes(1),
  spanId: bytes(2),
  parentSpanId: bytes(4),
  name: bytes(5),
  kind: varint(6),
  start: fixed64(7),
  end: fixed64(8),
  attributes: bytes(9),
  events: bytes(11),
  status: bytes(15),
};
const EVENT = { time: fixed64(1), name: bytes(2), attributes: bytes(3) };
const STATUS = { message: bytes(2), code: varint(3) };
const KEY_VALUE = { key: bytes(1), value: bytes(2) };
const ANY_VALUE = { string: bytes(1), bool: varint(2), int: varint(3), double: fixed64(4) };

const KIND_CLIENT = 3;
const STATUS_ERROR = 2;

/**
 * The spans of an `ExportTraceServiceRequest`. Only fields that the mapping reads are decoded.
 *
 * @throws Error when the bytes are no protobuf message; AppError 413 for too many spans
 */
export function decodeProtobuf(body: Uint8Array): ReceivedSpan[] {
  const spans: ReceivedSpan[] = [];
  readFields(body, (tag, reader) => {
    if (tag !== REQUEST.resourceSpans) return false;
    readResourceSpans(reader.bytes(), spans);
    return true;
  });
  return spans;
}

/** Calls back before each value; what the callback does not read is skipped. */
function readFields(message: Uint8Array, read: (tag: number, reader: BinaryReader) => boolean): void {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (!read(field * 8 + type, reader)) reader.skip(type, field);
  }
}

/** The resource may stand after its spans, so it is looked for first. */
function readResourceSpans(message: Uint8Array, spans: ReceivedSpan[]): void {
  const attributes = new Map<string, Scalar>();
  const scopes: Uint8Array[] = [];
  readFields(message, (tag, reader) => {
    if (tag === RESOURCE_SPANS.scopeSpans) scopes.push(reader.bytes());
    else if (tag === RESOURCE_SPANS.resource) {
      readFields(reader.bytes(), (inner, resource) => {
        if (inner !== RESOURCE.attributes) return false;
        readAttribute(resource.bytes(), attributes);
        return true;
      });
    } else return false;
    return true;
  });
  const service = attributes.get("service.name");
  for (const scope of scopes) readScopeSpans(scope, typeof service === "string" ? service : "", spans);
}

function readScopeSpans(message: Uint8Array, service: string, spans: ReceivedSpan[]): void {
  const scope = { name: "", version: "" };
  const found: Uint8Array[] = [];
  readFields(message, (tag, reader) => {
    if (tag === SCOPE_SPANS.spans) found.push(reader.bytes());
    else if (tag === SCOPE_SPANS.scope) readScope(reader.bytes(), scope);
    else return false;
    return true;
  });
  assertSpanCount(spans.length + found.length);
  for (const span of found) spans.push(readSpan(span, draftSpan(scope, service)));
}

function readScope(message: Uint8Array, scope: { name: string; version: string }): void {
  readFields(message, (tag, reader) => {
    if (tag === SCOPE.name) scope.name = reader.string();
    else if (tag === SCOPE.version) scope.version = reader.string();
    else return false;
    return true;
  });
}

function readSpan(message: Uint8Array, span: SpanDraft): ReceivedSpan {
  const events: Uint8Array[] = [];
  readFields(message, (tag, reader) => {
    if (tag === SPAN.traceId) span.traceId = toHex(reader.bytes());
    else if (tag === SPAN.spanId) span.spanId = toHex(reader.bytes());
    else if (tag === SPAN.parentSpanId) span.parentSpanId = toHex(reader.bytes());
    else if (tag === SPAN.name) span.name = reader.string();
    else if (tag === SPAN.kind) span.isClient = reader.int32() === KIND_CLIENT;
    else if (tag === SPAN.start) span.startNs = BigInt(reader.fixed64());
    else if (tag === SPAN.end) span.endNs = BigInt(reader.fixed64());
    else if (tag === SPAN.attributes) readAttribute(reader.bytes(), span.attributes);
    else if (tag === SPAN.events) events.push(reader.bytes());
    else if (tag === SPAN.status) readStatus(reader.bytes(), span);
    else return false;
    return true;
  });
  for (const event of events) readEvent(event, span);
  return span;
}

function readStatus(message: Uint8Array, span: SpanDraft): void {
  readFields(message, (tag, reader) => {
    if (tag === STATUS.code) span.isError = reader.int32() === STATUS_ERROR;
    else if (tag === STATUS.message) span.statusMessage = reader.string();
    else return false;
    return true;
  });
}

function readEvent(message: Uint8Array, span: SpanDraft): void {
  const event = { name: "", timeNs: 0n, attributes: new Map<string, Scalar>() };
  readFields(message, (tag, reader) => {
    if (tag === EVENT.time) event.timeNs = BigInt(reader.fixed64());
    else if (tag === EVENT.name) event.name = reader.string();
    else if (tag === EVENT.attributes) readAttribute(reader.bytes(), event.attributes);
    else return false;
    return true;
  });
  noteEvent(span, event);
}

/** Looks at the key first: the value of an attribute that nobody reads stays undecoded. */
function readAttribute(message: Uint8Array, attributes: Map<string, Scalar>): void {
  let key = "";
  let value: Uint8Array | null = null;
  readFields(message, (tag, reader) => {
    if (tag === KEY_VALUE.key) key = reader.string();
    else if (tag === KEY_VALUE.value) value = reader.bytes();
    else return false;
    return true;
  });
  if (value === null || !READ_ATTRIBUTES.has(key)) return;
  const scalar = readScalar(value);
  if (scalar !== null) attributes.set(key, scalar);
}

/** `null` for lists, maps, bytes and for nothing. */
function readScalar(message: Uint8Array): Scalar | null {
  let scalar: Scalar | null = null;
  readFields(message, (tag, reader) => {
    if (tag === ANY_VALUE.string) scalar = reader.string();
    else if (tag === ANY_VALUE.bool) scalar = reader.bool();
    else if (tag === ANY_VALUE.int) scalar = Number(reader.int64());
    else if (tag === ANY_VALUE.double) scalar = reader.double();
    else return false;
    return true;
  });
  return scalar;
}

function toHex(id: Uint8Array): string {
  return Buffer.from(id.buffer, id.byteOffset, id.byteLength).toString("hex");
}
