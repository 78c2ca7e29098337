import { cleanLabel } from "./scrub.ts";

/**
 * One name per provider, whatever tool reports it: OpenTelemetry's conventions, LiteLLM and the AI SDK have names of
 * their own, and a provider with two names would have two series.
 */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["aws.bedrock", "aws-bedrock"],
  ["aws_bedrock", "aws-bedrock"],
  ["amazon-bedrock", "aws-bedrock"],
  ["bedrock", "aws-bedrock"],
  ["bedrock_converse", "aws-bedrock"],
  ["azure", "azure-openai"],
  ["azure.ai.openai", "azure-openai"],
  ["az.ai.openai", "azure-openai"],
  ["azure.openai", "azure-openai"],
  ["azure-openai", "azure-openai"],
  ["azure_ai", "azure-ai"],
  ["azure.ai.inference", "azure-ai"],
  ["az.ai.inference", "azure-ai"],
  ["gemini", "google-gemini"],
  ["gcp.gemini", "google-gemini"],
  ["gcp.gen_ai", "google-gemini"],
  ["google", "google-gemini"],
  ["google.generative-ai", "google-gemini"],
  ["google-gemini", "google-gemini"],
  ["vertex_ai", "google-vertex"],
  ["vertexai", "google-vertex"],
  ["vertex_ai_beta", "google-vertex"],
  ["gcp.vertex_ai", "google-vertex"],
  ["google.vertex", "google-vertex"],
  ["google-vertex", "google-vertex"],
  ["ibm.watsonx.ai", "ibm-watsonx"],
  ["watsonx", "ibm-watsonx"],
  ["mistral_ai", "mistral"],
  ["mistralai", "mistral"],
  ["x_ai", "xai"],
  ["moonshot_ai", "moonshot"],
  ["together_ai", "together"],
  ["togetherai", "together"],
  ["fireworks_ai", "fireworks"],
  ["cohere_chat", "cohere"],
  ["ollama_chat", "ollama"],
  ["nvidia_nim", "nvidia-nim"],
]);

/**
 * The provider under the one name that it has here; a name that is not known stays as it came, in lower case.
 *
 * It is cleaned as a label before its case is lost, by which some keys are told.
 *
 * The AI SDK says `openai.chat` for the chat surface of openai: what follows the first dot is no part of the name,
 * unless the whole is a name that is known.
 */
export function toProviderName(name: string): string {
  const lower = cleanLabel(name).toLowerCase();
  const known = NAMES.get(lower) ?? findPrefix(lower);
  if (known !== undefined) return known;
  const [first = "", surface] = lower.split(".");
  return surface !== undefined && AI_SDK_SURFACES.has(surface) ? (NAMES.get(first) ?? first) : lower;
}

/** What the AI SDK's providers put behind the dot. */
const AI_SDK_SURFACES: ReadonlySet<string> = new Set([
  "chat",
  "completion",
  "responses",
  "messages",
  "embedding",
  "textembedding",
  "image",
  "transcription",
  "speech",
  "reranking",
  "generative-ai",
]);

/** `google.vertex.chat` begins with a name that is known. */
function findPrefix(name: string): string | undefined {
  const parts = name.split(".");
  for (let length = parts.length - 1; length > 1; length--) {
    const known = NAMES.get(parts.slice(0, length).join("."));
    if (known !== undefined) return known;
  }
  return undefined;
}

/** Host, and port where it is not the scheme's own, of a URL or of a bare address; `null` when there is none. */
export function toHost(address: string): string | null {
  const url = `https://${cleanLabel(address)}`;
  return URL.canParse(url) ? new URL(url).host || null : null;
}
