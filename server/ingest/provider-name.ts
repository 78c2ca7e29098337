import { cleanLabel } from "./scrub.ts";

/**
 * One name per provider, whatever tool reports it, and the one that the SDK's hook gives it: OpenTelemetry's
 * conventions, LiteLLM and the AI SDK have names of their own, and a provider with two names would have two series.
 */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["aws.bedrock", "bedrock"],
  ["aws_bedrock", "bedrock"],
  ["aws-bedrock", "bedrock"],
  ["amazon-bedrock", "bedrock"],
  ["bedrock_converse", "bedrock"],
  ["azure.ai.openai", "azure"],
  ["az.ai.openai", "azure"],
  ["azure.ai.inference", "azure"],
  ["az.ai.inference", "azure"],
  ["azure_ai", "azure"],
  ["azure-openai", "azure"],
  ["gemini", "google"],
  ["gcp.gemini", "google"],
  ["gcp.gen_ai", "google"],
  ["google.generative-ai", "google"],
  ["google_ai_studio", "google"],
  ["vertex_ai", "vertex"],
  ["vertex_ai_beta", "vertex"],
  ["vertexai", "vertex"],
  ["gcp.vertex_ai", "vertex"],
  ["google.vertex", "vertex"],
  ["google-vertex", "vertex"],
  ["vertex.anthropic", "vertex"],
  ["bedrock.anthropic", "bedrock"],
  ["ibm.watsonx.ai", "watsonx"],
  ["mistral_ai", "mistral"],
  ["mistralai", "mistral"],
  ["codestral", "mistral"],
  ["x_ai", "xai"],
  ["moonshot_ai", "moonshot"],
  ["moonshotai", "moonshot"],
  ["together_ai", "together"],
  ["togetherai", "together"],
  ["fireworks_ai", "fireworks"],
  ["cohere_chat", "cohere"],
  ["ollama_chat", "ollama"],
  ["nvidia_nim", "nvidia"],
  ["zai", "zhipu"],
  ["z_ai", "zhipu"],
  ["zhipuai", "zhipu"],
  ["alibaba", "dashscope"],
  ["qwen", "dashscope"],
  ["volcano", "volcengine"],
  ["github", "github-models"],
  ["github_copilot", "github-copilot"],
  ["vercel_ai_gateway", "vercel"],
  ["gateway", "vercel"],
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
