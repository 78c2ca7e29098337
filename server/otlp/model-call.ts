import type { ReceivedSpan } from "./span.ts";

/**
 * Values of `gen_ai.operation.name` and `llm.request.type` that are one call of a model. Agents, their steps, tools
 * and workflows are none: a model call stands beneath them.
 */
const CALLS: ReadonlySet<string> = new Set([
  "chat",
  "chat.completions",
  "completion",
  "completions",
  "text_completion",
  "text.completions",
  "generate_content",
  "generate",
  "responses",
  "messages",
  "embedding",
  "embeddings",
  "rerank",
  "image_generation",
  "transcription",
  "speech",
  "moderation",
]);

/** OpenInference kinds that are one call of a model. */
const OPENINFERENCE_CALLS: ReadonlySet<string> = new Set(["LLM", "EMBEDDING", "RERANKER"]);

/** `ai.generateText.doGenerate` is a call; the `ai.generateText` around it is not. */
const AI_SDK_OPERATION = /^ai\.\w+(?:\.\w+)?/;
const AI_SDK_CALL = /^ai\.\w+\.do[A-Z]/;

/** Whether the span says of itself that it is one call of a model. It may still be an ancestor of another one. */
export function isModelCall(span: ReceivedSpan): boolean {
  const text = (name: string) => {
    const value = span.attributes.get(name);
    return typeof value === "string" && value !== "" ? value : null;
  };
  const aiSdk = aiSdkOperation(span);
  if (aiSdk !== null) return AI_SDK_CALL.test(aiSdk);
  const operation = text("gen_ai.operation.name");
  if (operation !== null) return CALLS.has(operation.toLowerCase());
  const kind = text("openinference.span.kind");
  if (kind !== null) return OPENINFERENCE_CALLS.has(kind.toUpperCase());
  if (text("traceloop.span.kind") !== null) return false;
  const type = text("llm.request.type");
  if (type !== null) return CALLS.has(type.toLowerCase());
  // The oldest convention has no word for the kind of span: a client's span that names a model and who serves it.
  return (
    (span.isClient || span.name === "litellm_request") &&
    !span.name.startsWith("anthropic.") &&
    text("gen_ai.request.model") !== null &&
    (text("gen_ai.system") ?? text("gen_ai.provider.name")) !== null
  );
}

/** `ai.streamText.doStream` and the like, for spans of the AI SDK up to 6, and of its legacy spans in 7; else `null`. */
export function aiSdkOperation({ attributes, name }: ReceivedSpan): string | null {
  const id = attributes.get("ai.operationId") ?? attributes.get("operation.name");
  if (typeof id === "string") return AI_SDK_OPERATION.exec(id)?.[0] ?? null;
  return attributes.has("ai.model.id") ? (AI_SDK_OPERATION.exec(name)?.[0] ?? null) : null;
}
