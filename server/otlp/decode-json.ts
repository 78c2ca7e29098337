import { READ_ATTRIBUTES } from "./attributes.ts";
import { assertSpanCount, draftSpan, noteEvent, type ReceivedSpan, type Scalar } from "./span.ts";

type Json = Readonly<Record<string, unknown>>;

const KIND_CLIENT = 3;
const STATUS_ERROR = 2;

/**
 * The spans of an `ExportTraceServiceRequest` in OTLP's JSON: ids in hexadecimal of any case, enumerations as
 * numbers, 64-bit integers as texts or numbers, unknown keys ignored. A part that has the wrong type counts as absent.
 *
 * @throws Error when the document is no such request; AppError 413 for too many spans
 */
export function decodeJson(document: unknown): ReceivedSpan[] {
  if (typeof document !== "object" || document === null || Array.isArray(document)) {
    throw new Error("must be an object with resourceSpans");
  }
  const { resourceSpans } = document as Json;
  if (resourceSpans != null && !Array.isArray(resourceSpans))
    throw new Error("resourceSpans must be an array");
  const spans: ReceivedSpan[] = [];
  for (const resource of listObjects(resourceSpans)) {
    const service = readAttributes(asObject(resource["resource"])["attributes"]).get("service.name");
    for (const scopeSpans of listObjects(resource["scopeSpans"])) {
      const { name, version } = asObject(scopeSpans["scope"]);
      const scope = { name: asText(name), version: asText(version) };
      const found = listObjects(scopeSpans["spans"]);
      assertSpanCount(spans.length + found.length);
      for (const span of found) spans.push(readSpan(span, scope, typeof service === "string" ? service : ""));
    }
  }
  return spans;
}

function readSpan(json: Json, scope: ReceivedSpan["scope"], service: string): ReceivedSpan {
  const status = asObject(json["status"]);
  const span = draftSpan(scope, service);
  span.traceId = asText(json["traceId"]).toLowerCase();
  span.spanId = asText(json["spanId"]).toLowerCase();
  span.parentSpanId = asText(json["parentSpanId"]).toLowerCase();
  span.name = asText(json["name"]);
  span.isClient = json["kind"] === KIND_CLIENT;
  span.startNs = asNanoseconds(json["startTimeUnixNano"]);
  span.endNs = asNanoseconds(json["endTimeUnixNano"]);
  span.attributes = readAttributes(json["attributes"]);
  span.isError = status["code"] === STATUS_ERROR;
  span.statusMessage = asText(status["message"]);
  for (const event of listObjects(json["events"])) {
    noteEvent(span, {
      name: asText(event["name"]),
      timeNs: asNanoseconds(event["timeUnixNano"]),
      attributes: readAttributes(event["attributes"]),
    });
  }
  return span;
}

function readAttributes(list: unknown): Map<string, Scalar> {
  const attributes = new Map<string, Scalar>();
  for (const { key, value } of listObjects(list)) {
    if (typeof key !== "string" || !READ_ATTRIBUTES.has(key)) continue;
    const scalar = readScalar(asObject(value));
    if (scalar !== null) attributes.set(key, scalar);
  }
  return attributes;
}

/** `null` for lists, maps, bytes and for nothing. */
function readScalar({ stringValue, boolValue, intValue, doubleValue }: Json): Scalar | null {
  if (typeof stringValue === "string") return stringValue;
  if (typeof boolValue === "boolean") return boolValue;
  const number = intValue ?? doubleValue;
  if (typeof number === "number") return number;
  return typeof number === "string" && number !== "" && !Number.isNaN(Number(number)) ? Number(number) : null;
}

function asNanoseconds(value: unknown): bigint {
  if (typeof value === "string" && /^\d{1,20}$/.test(value)) return BigInt(value);
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? BigInt(Math.floor(value)) : 0n;
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function listObjects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "object" && item !== null) : [];
}
