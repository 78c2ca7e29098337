import type { AttemptError, AttemptEvent } from "@busyhour/sdk";
import { deriveUuid } from "../ingest/event-id.ts";
import { toHost, toProviderName } from "../ingest/provider-name.ts";
import { BadEvent } from "../ingest/read-events.ts";
import { toLabel } from "../ingest/scrub.ts";

/** Why a payload stands for no attempt at a provider. */
export type NoAttempt = "cacheHit" | "refusedByGateway" | "noModelCall";

type Json = Readonly<Record<string, unknown>>;

const MAX_COUNT = 2_147_483_647;
/** Longer texts of an error are cut here already; scrubbing cuts them further. */
const MAX_MESSAGE = 4_000;

/** Calls of the gateway's other services: files, batches, tools. */
const OTHER_CALLS =
  /file|batch|fine_tun|vector_store|assistant|thread|mcp|container|skill|^a?(?:list|get|delete|cancel|retrieve)_/i;

/**
 * What LiteLLM says when it calls nobody: no deployment is fit, all of them cool down, or a limit or budget of its
 * own is used up. Asked only where no provider is named as the one who said it.
 */
const GATEWAY_REFUSALS: readonly RegExp[] = [
  /no deployments? available/i,
  /no healthy deployment/i,
  /in cooldown/i,
  /deployment over (?:user-)?defined/i,
  /not allowed to access model/i,
  /strategy router marker/i,
  /budget has been exceeded|(?:crossed|exceeded|over) (?:\w+ )?budget/i,
  /max parallel request limit/i,
];

/**
 * The attempt that a `StandardLoggingPayload` stands for; what was no attempt at a provider says why, and what is
 * wrong with a payload is a fault. Prompts, answers, metadata, headers and tracebacks are not read.
 *
 * @param source the name under which the gateway's attempts are listed
 */
export function toEvent(payload: unknown, source: string): AttemptEvent | NoAttempt | BadEvent {
  if (payload instanceof BadEvent) return payload;
  if (typeof payload !== "object" || payload === null || Array.isArray(payload)) {
    return new BadEvent("must be an object: one payload");
  }
  const json = payload as Json;
  if (isOldShape(json)) {
    return new BadEvent(
      "is of LiteLLM's old shape, with every value as a text: remove generic_api_use_v1 from its settings",
    );
  }
  const startMs = toMs(json["startTime"]);
  if (startMs === null) return new BadEvent("must be a number: epoch seconds", "/startTime");
  const error = asObject(json["error_information"]);
  const refusal = findNoAttempt(json, error);
  if (refusal !== null) return refusal;
  const model = textOf(json["model"]) ?? textOf(json["model_group"]);
  if (model === null) return new BadEvent("is missing", "/model");
  const provider =
    textOf(json["custom_llm_provider"]) ??
    textOf(error["llm_provider"]) ??
    /^([\w.-]+)\//.exec(model)?.[1] ??
    null;
  if (provider === null) return new BadEvent("is missing", "/custom_llm_provider");
  return {
    eventId: toEventId(json, startMs),
    occurredAt: Math.floor(startMs),
    provider: toLabel(toProviderName(provider), 100),
    model: toLabel(withoutProvider(model, provider), 200),
    source: toLabel(source, 100),
    ...readOutcome(json, error),
    ...readNumbers(json, startMs),
    ...readTarget(json, model, provider),
  };
}

/** Every value was made a text, and there is no status. */
function isOldShape(json: Json): boolean {
  return !("status" in json) && typeof json["startTime"] === "string" && "modelParameters" in json;
}

function findNoAttempt(json: Json, error: Json): NoAttempt | null {
  if (json["cache_hit"] === true) return "cacheHit";
  const callType = textOf(json["call_type"]);
  if (callType !== null && OTHER_CALLS.test(callType)) return "noModelCall";
  if (json["status"] !== "failure") return null;
  const guardrail = textOf(asObject(json["status_fields"])["guardrail_status"]) ?? "";
  if (/intervened|blocked/i.test(guardrail)) return "refusedByGateway";
  if (/^litellm_/.test(textOf(error["error_rate_limit_category"]) ?? "")) return "refusedByGateway";
  const message = textOf(error["error_message"]) ?? textOf(json["error_str"]) ?? "";
  const isRefusal = GATEWAY_REFUSALS.some((words) => words.test(message.slice(0, MAX_MESSAGE)));
  return isRefusal && textOf(error["llm_provider"]) === null ? "refusedByGateway" : null;
}

/** Retries of one call share LiteLLM's id of it; start and deployment tell them apart. Sent again, it is the same. */
function toEventId(json: Json, startMs: number): string {
  const parts = ["litellm_call_id", "id", "status", "model_id", "model"].map(
    (name) => textOf(json[name]) ?? "",
  );
  return deriveUuid(["litellm", startMs, ...parts].join("\n"));
}

function readOutcome(json: Json, error: Json): Pick<AttemptEvent, "outcome" | "httpStatus" | "error"> {
  if (json["status"] !== "failure") return { outcome: "ok" };
  const code = textOf(error["error_code"]) ?? numberOf(error["error_code"])?.toString() ?? null;
  const said: AttemptError = {};
  const type = textOf(error["error_class"]);
  const message = textOf(error["error_message"]) ?? textOf(json["error_str"]);
  if (type !== null) said.type = type.slice(0, MAX_MESSAGE);
  const isStatus = code !== null && /^[1-5]\d\d$/.test(code);
  if (code !== null && !isStatus) said.code = code.slice(0, MAX_MESSAGE);
  if (message !== null) said.message = message.slice(0, MAX_MESSAGE);
  return { ...(isStatus ? { httpStatus: Number(code) } : {}), error: said };
}

function readNumbers(json: Json, startMs: number): Partial<AttemptEvent> {
  const endMs = toMs(json["endTime"]);
  const firstMs = toMs(json["completionStartTime"]);
  const isStream = typeof json["stream"] === "boolean" ? json["stream"] : null;
  const isOk = json["status"] !== "failure";
  const inputTokens = toCount(json["prompt_tokens"]);
  const outputTokens = toCount(json["completion_tokens"]);
  return {
    ...(endMs !== null && endMs >= startMs ? { latencyMs: Math.min(endMs - startMs, MAX_COUNT) } : {}),
    // Without a stream LiteLLM puts the end of the call here.
    ...(isStream === true && isOk && firstMs !== null && firstMs >= startMs
      ? { firstTokenMs: Math.min(firstMs - startMs, MAX_COUNT) }
      : {}),
    ...(isOk && inputTokens !== null ? { inputTokens } : {}),
    ...(isOk && outputTokens !== null ? { outputTokens } : {}),
    ...(isStream === null ? {} : { isStream }),
  };
}

function readTarget(json: Json, model: string, provider: string): Partial<AttemptEvent> {
  const base = textOf(json["api_base"]) ?? textOf(asObject(json["hidden_params"])["api_base"]);
  const endpoint = base === null ? null : toHost(base);
  const group = textOf(json["model_group"]);
  const served = textOf(asObject(json["hidden_params"])["litellm_model_name"]);
  const trace = textOf(json["trace_id"]);
  return {
    ...(endpoint === null ? {} : { endpoint: toLabel(endpoint, 200) }),
    ...(group === null || group === model ? {} : { chain: toLabel(group, 100) }),
    ...(served === null ? {} : { servedModel: toLabel(withoutProvider(served, provider), 200) }),
    ...(trace === null ? {} : { requestId: toLabel(`litellm:${trace}`, 200) }),
  };
}

/** `anthropic/claude-x` is claude-x where the provider is said beside it. */
function withoutProvider(model: string, provider: string): string {
  const rest = model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
  return rest === "" ? model : rest;
}

/** Milliseconds of epoch seconds, to the microsecond; `null` for what is no time. */
function toMs(seconds: unknown): number | null {
  const value = numberOf(seconds);
  return value === null || value <= 0 ? null : Math.round(value * 1e6) / 1e3;
}

function toCount(value: unknown): number | null {
  const count = numberOf(value);
  return count !== null && Number.isInteger(count) && count >= 0 && count <= MAX_COUNT ? count : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null ? (value as Json) : {};
}
