import type { AttemptError, AttemptEvent } from "@busyhour/sdk";
import { toHost, toProviderName } from "../ingest/provider-name.ts";
import { BadEvent } from "../ingest/read-events.ts";
import { toLabel } from "../ingest/scrub.ts";
import { aiSdkOperation } from "./model-call.ts";
import type { ReceivedSpan } from "./span.ts";

const MAX_COUNT = 2_147_483_647;
/** Longer texts of an error are cut here already; scrubbing cuts them further. */
const MAX_MESSAGE = 4_000;

/** First attribute of these that has a value of the type. */
function reader({ attributes }: ReceivedSpan) {
  const first = <T>(names: readonly string[], take: (value: unknown) => T | null): T | null => {
    for (const name of names) {
      const value = take(attributes.get(name));
      if (value !== null) return value;
    }
    return null;
  };
  return {
    text: (...names: string[]) =>
      first(names, (value) => (typeof value === "string" && value.trim() !== "" ? value : null)),
    number: (...names: string[]) =>
      first(names, (value) => (typeof value === "number" && Number.isFinite(value) ? value : null)),
    flag: (...names: string[]) => first(names, (value) => (typeof value === "boolean" ? value : null)),
  };
}

type Reader = ReturnType<typeof reader>;

/**
 * The attempt that a model call's span stands for, by whichever convention its attributes follow; the first name in
 * each list that has a value wins. A span without a name for model or provider is a fault.
 */
export function toEvent(span: ReceivedSpan): AttemptEvent | BadEvent {
  if (!/^[0-9a-f]{32}$/.test(span.traceId)) return new BadEvent("must be 16 bytes", "/traceId");
  if (!/^[0-9a-f]{16}$/.test(span.spanId)) return new BadEvent("must be 8 bytes", "/spanId");
  if (span.startNs === 0n) return new BadEvent("is missing", "/startTimeUnixNano");
  const read = reader(span);
  const servedModel = read.text("gen_ai.response.model", "ai.response.model", "llm.response.model_name");
  const model =
    read.text(
      "litellm.provider.model",
      "gen_ai.request.model",
      "ai.model.id",
      "llm.request.model_name",
      "llm.model_name",
      "embedding.model_name",
    ) ?? servedModel;
  if (model === null) return new BadEvent("names no model: gen_ai.request.model is missing", "/attributes");
  const endpoint = findEndpoint(read);
  const provider = findProvider(read, endpoint);
  if (provider === null) {
    return new BadEvent("names no provider: gen_ai.provider.name is missing", "/attributes");
  }
  return {
    eventId: `otlp:${span.traceId}:${span.spanId}`,
    occurredAt: Number(span.startNs / 1_000_000n),
    provider: toLabel(provider, 100),
    model: toLabel(model, 200),
    ...readOutcome(span, read),
    ...readNumbers(span, read),
    ...(span.service === "" || span.service.startsWith("unknown_service")
      ? {}
      : { source: toLabel(span.service, 100) }),
    ...(endpoint === null ? {} : { endpoint: toLabel(endpoint, 200) }),
    ...(servedModel === null ? {} : { servedModel: toLabel(servedModel, 200) }),
  };
}

function findEndpoint(read: Reader): string | null {
  const address = read.text("server.address");
  if (address !== null) {
    const port = read.number("server.port");
    const isUsual = port === null || port === 443 || port === 80 || address.includes("://");
    return toHost(isUsual ? address : `${address}:${port}`) ?? address;
  }
  const url = read.text("url.full", "gen_ai.openai.api_base", "llm.openai.api_base");
  return url === null ? null : toHost(url);
}

function findProvider(read: Reader, endpoint: string | null): string | null {
  const name = read.text(
    "gen_ai.provider.name",
    "gen_ai.system",
    "ai.model.provider",
    "llm.provider",
    "llm.system",
  );
  return name === null ? endpoint : toProviderName(name);
}

/** Success and failure by the span's status; what a failure was is left to classification. */
function readOutcome(
  span: ReceivedSpan,
  read: Reader,
): Pick<AttemptEvent, "outcome" | "httpStatus" | "error"> {
  const errorType = read.text("error.type") ?? textOf(read.number("error.type"));
  const hasFailed = span.isError || errorType !== null;
  const httpStatus =
    read.number("http.response.status_code", "http.status_code") ??
    (hasFailed ? statusIn(errorType, span.exception?.message, span.statusMessage) : null);
  const status =
    httpStatus !== null && Number.isInteger(httpStatus) && httpStatus >= 100 && httpStatus <= 999
      ? { httpStatus }
      : {};
  if (!hasFailed) return { outcome: "ok", ...status };
  const error: AttemptError = {};
  const type = errorType === "_OTHER" ? null : errorType;
  const said = type ?? (span.exception?.type || read.text("exception.type"));
  if (said) error.type = said.slice(0, MAX_MESSAGE);
  const code = read.text("litellm.provider.error.code") ?? textOf(read.number("litellm.provider.error.code"));
  if (code !== null) error.code = code.slice(0, MAX_MESSAGE);
  const message = span.exception?.message || read.text("exception.message") || span.statusMessage;
  if (message) error.message = message.slice(0, MAX_MESSAGE);
  return { ...status, error };
}

function textOf(value: number | null): string | null {
  return value === null ? null : String(value);
}

/** A status that stands as a number in `error.type`, or at the beginning of a message. */
function statusIn(errorType: string | null, ...messages: readonly (string | undefined)[]): number | null {
  if (errorType !== null && /^[1-5]\d\d$/.test(errorType)) return Number(errorType);
  for (const message of messages) {
    const status = /^\W{0,3}(?:(?:status|error)(?: code)?:? |HTTP )?([45]\d\d)\b/i.exec(message ?? "")?.[1];
    if (status !== undefined) return Number(status);
  }
  return null;
}

function readNumbers(span: ReceivedSpan, read: Reader): Partial<AttemptEvent> {
  const latencyMs = toMs(span.endNs - span.startNs, span.endNs > span.startNs);
  const inputTokens = toCount(
    read.number(
      "gen_ai.usage.input_tokens",
      "gen_ai.usage.prompt_tokens",
      "llm.token_count.prompt",
      "ai.usage.inputTokens",
      "ai.usage.promptTokens",
      "ai.usage.tokens",
    ),
  );
  const outputTokens = toCount(
    read.number(
      "gen_ai.usage.output_tokens",
      "gen_ai.usage.completion_tokens",
      "llm.token_count.completion",
      "ai.usage.outputTokens",
      "ai.usage.completionTokens",
    ),
  );
  const firstTokenMs = findFirstToken(span, read);
  const resent = toCount(read.number("http.request.resend_count"));
  const isStream =
    read.flag("gen_ai.request.stream", "llm.is_streaming", "gen_ai.is_streaming") ??
    (aiSdkOperation(span)?.endsWith(".doStream") || firstTokenMs !== null ? true : null);
  return {
    ...(latencyMs === null ? {} : { latencyMs }),
    ...(firstTokenMs === null ? {} : { firstTokenMs }),
    ...(inputTokens === null ? {} : { inputTokens }),
    ...(outputTokens === null ? {} : { outputTokens }),
    ...(resent === null || resent === 0 ? {} : { attempt: Math.min(resent + 1, 32_767) }),
    ...(isStream === null ? {} : { isStream }),
  };
}

function findFirstToken(span: ReceivedSpan, read: Reader): number | null {
  const seconds = read.number("gen_ai.response.time_to_first_chunk");
  const ms = seconds === null ? read.number("ai.response.msToFirstChunk") : seconds * 1000;
  if (ms !== null) return ms >= 0 && ms <= MAX_COUNT ? ms : null;
  if (span.firstTokenNs === null) return null;
  return toMs(span.firstTokenNs - span.startNs, span.firstTokenNs >= span.startNs);
}

function toMs(nanoseconds: bigint, isKnown: boolean): number | null {
  const ms = Number(nanoseconds) / 1e6;
  return isKnown && ms <= MAX_COUNT ? ms : null;
}

function toCount(value: number | null): number | null {
  return value !== null && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT ? value : null;
}
