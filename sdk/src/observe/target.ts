import { findProviderOfHost } from "./hosts.ts";
import { findTopLevelString } from "./top-level.ts";

/** Whom a request asks. */
export interface Target {
  readonly provider: string;
  /** `null` when neither the address nor the body says it; the answer may. */
  readonly model: string | null;
  /** Host, with its port where one is named, or region. */
  readonly endpoint: string | null;
  /** All of the above as one text. */
  readonly key: string;
}

/** What an address says by itself. */
export interface Address {
  /** Without its query. */
  readonly url: string;
  /** Whether the answer is to come as a stream; `null` when the address does not say. */
  readonly isStream: boolean | null;
  /** The target of a request with this body, or `null` when it asks no model. */
  findTarget(body: string | null): Target | null;
}

/** Ends of the paths at which models are asked, and whose manner of speaking it is. */
const PATHS: readonly (readonly [RegExp, string | null])[] = [
  [/\/model\/([^/]+)\/(invoke|converse)(-with-response-stream|-stream)?$/, "bedrock"],
  [
    /\/models\/([^/:]+):(generateContent|streamGenerateContent|generateAnswer|embedContent|batchEmbedContents|predict|rawPredict|streamRawPredict|predictLongRunning)$/,
    "google",
  ],
  [/\/messages$/, "anthropic"],
  [
    /\/(chat\/completions|completions|responses|embeddings|images\/(generations|edits|variations)|audio\/(speech|transcriptions|translations)|moderations|rerank|text\/chatcompletion_v2|chatcompletion_v2)$/,
    "openai",
  ],
  [/\/api\/(chat|generate|embed|embeddings)$/, "ollama"],
  [/\/v[12]\/(chat|embed|rerank|generate)$/, "cohere"],
  [/\/(text-generation|multimodal-generation)\/generation$/, "dashscope"],
];

/** Paths of known providers that ask nothing of a model although they are posted to. */
const NO_CALL =
  /(count_tokens|countTokens|\/input_tokens|\/tokenize|\/batches|\/files|\/uploads|\/cancel|\/compact)\b|\/oauth|\/token$/;

/** Models that one address is asked for by their names in bodies; beyond it, targets are made anew each time. */
const MAX_TARGETS = 200;

/**
 * @param named the provider's name where its owner knows better
 * @returns what the address says, or `null` when no model is asked there: whatever else passes through an observed
 * fetch is none of our business
 */
export function readAddress(url: URL, named: string | undefined): Address | null {
  const known = findProviderOfHost(url.hostname);
  const path = url.pathname.replace(/\/+$/, "");
  const [pattern, manner] = PATHS.find(([end]) => end.test(path)) ?? [];
  if (pattern === undefined && (known === null || NO_CALL.test(path))) return null;
  const provider = named ?? known ?? nameByManner(manner ?? null, path);
  const modelOfPath = findModelInPath(url, path, pattern);
  const targets = new Map<string | null, Target>();
  return {
    url: url.origin + url.pathname,
    isStream: /stream(GenerateContent|RawPredict)|-stream$/.test(path) ? true : null,
    findTarget(body) {
      const model = modelOfPath ?? shortenModel(findModelInBody(body));
      if (model === null && pattern === undefined) return null;
      const target = targets.get(model) ?? makeTarget(provider, model, url.host);
      if (targets.size < MAX_TARGETS) targets.set(model, target);
      return target;
    },
  };
}

export function makeTarget(provider: string, model: string | null, endpoint: string | null): Target {
  return { provider, model, endpoint, key: `${provider} ${model} ${endpoint}` };
}

/** An address that nobody is known by is named after the manner of speaking, which is that of a provider. */
function nameByManner(manner: string | null, path: string): string {
  if (path.includes("/publishers/")) return "vertex";
  if (path.includes("/openai/deployments/")) return "azure";
  return manner ?? "openai";
}

function findModelInPath(url: URL, path: string, pattern: RegExp | undefined): string | null {
  const inPath =
    (pattern?.source.includes("([^/") === true ? pattern.exec(path)?.[1] : undefined) ??
    /\/deployments\/([^/]+)\//.exec(path)?.[1] ??
    /\/ai\/run\/(.+)$/.exec(path)?.[1];
  return shortenModel(inPath === undefined ? url.searchParams.get("model") : decode(inPath));
}

function findModelInBody(body: string | null): string | null {
  return body === null ? null : (findTopLevelString(body, "model") ?? findTopLevelString(body, "model_id"));
}

/** `models/gemini-x` and `projects/…/models/gemini-x` are the same model to everybody but an address. */
function shortenModel(model: string | null): string | null {
  if (model === null || model === "") return null;
  const shortened = model.replace(/^(?:.*\/)?models\//, "");
  return shortened.slice(0, 200);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
