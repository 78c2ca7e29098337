/** What an answer says of itself, text apart. Absent is not zero. */
export interface AnswerFacts {
  inputTokens?: number;
  outputTokens?: number;
  servedModel?: string;
}

type Json = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The first of the keys that holds a count. */
function count(object: Json, ...keys: string[]): number | undefined {
  for (const key of keys) {
    const value = object[key];
    if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return Math.round(value);
  }
  return undefined;
}

function sum(first: number | undefined, ...more: (number | undefined)[]): number | undefined {
  return first === undefined ? undefined : more.reduce<number>((total, part) => total + (part ?? 0), first);
}

/**
 * Token counts out of a provider's own usage object. What was read from or written to a cache counts as input
 * with every provider, and what was spent on reasoning as output.
 */
export function readUsage(usage: unknown): AnswerFacts {
  if (!isObject(usage)) return {};
  const inner = isObject(usage["tokens"]) ? usage["tokens"] : usage;
  const input =
    count(inner, "prompt_tokens", "promptTokenCount", "inputTokenCount", "prompt_eval_count") ??
    sum(
      count(inner, "input_tokens", "inputTokens"),
      count(inner, "cache_read_input_tokens", "cacheReadInputTokens"),
      count(inner, "cache_creation_input_tokens", "cacheWriteInputTokens"),
    );
  const output =
    count(inner, "completion_tokens", "output_tokens", "outputTokens", "outputTokenCount", "eval_count") ??
    sum(count(inner, "candidatesTokenCount"), count(inner, "thoughtsTokenCount"));
  return {
    ...(input === undefined ? {} : { inputTokens: input }),
    ...(output === undefined ? {} : { outputTokens: output }),
  };
}

const USAGE_KEYS = ["usage", "usageMetadata", "amazon-bedrock-invocationMetrics", "x_groq"] as const;

/** What an answer, or one event of a stream, says of itself: usage and model, wherever its provider puts them. */
export function readAnswer(answer: unknown): AnswerFacts {
  if (Array.isArray(answer)) return answer.map(readAnswer).reduce<AnswerFacts>(mergeFacts, {});
  if (!isObject(answer)) return {};
  let facts: AnswerFacts = {};
  // Responses and Anthropic wrap the answer into the event that brings it.
  for (const key of ["response", "message", "meta", "delta", "metadata"]) {
    if (isObject(answer[key])) facts = mergeFacts(facts, readAnswer(answer[key]));
  }
  for (const key of USAGE_KEYS) {
    const usage = answer[key];
    if (isObject(usage))
      facts = mergeFacts(facts, readUsage(isObject(usage["usage"]) ? usage["usage"] : usage));
  }
  if (isObject(answer["billed_units"])) facts = mergeFacts(readUsage(answer["billed_units"]), facts);
  if ("eval_count" in answer) facts = mergeFacts(facts, readUsage(answer));
  const model = answer["model"] ?? answer["modelVersion"];
  return typeof model === "string" && model !== "" ? { ...facts, servedModel: model.slice(0, 200) } : facts;
}

/** Later words count where both say something: a stream's counts grow. */
export function mergeFacts(earlier: AnswerFacts, later: AnswerFacts): AnswerFacts {
  return { ...earlier, ...later };
}

/**
 * The same out of a piece of JSON that may be cut at either side. Inside of strings quotes are escaped, so `"usage":`
 * is always a key, wherever the piece begins.
 */
export function scanAnswer(piece: string): AnswerFacts {
  let facts: AnswerFacts = {};
  const model = /"(?:model|modelVersion)"\s*:\s*"([^"\\]{1,200})"/.exec(piece)?.[1];
  if (model !== undefined) facts.servedModel = model;
  for (const match of piece.matchAll(
    /"(?:usage|usageMetadata|amazon-bedrock-invocationMetrics)"\s*:\s*\{/g,
  )) {
    const value = parseObjectAt(piece, match.index + match[0].length - 1);
    if (value !== null) facts = mergeFacts(facts, readUsage(value));
  }
  return facts;
}

/** The object that opens at `open`, or `null` when the piece ends before it does. Usage objects hold no strings with braces. */
function parseObjectAt(piece: string, open: number): unknown {
  let depth = 0;
  for (let at = open; at < piece.length && at < open + 4_096; at++) {
    const char = piece.charCodeAt(at);
    if (char === 123) depth++;
    else if (char === 125 && --depth === 0) {
      try {
        return JSON.parse(piece.slice(open, at + 1));
      } catch {
        return null;
      }
    }
  }
  return null;
}

/** Token counts as the AI SDK gives them: plain in its fourth and fifth major, divided in its sixth. */
export function readModelUsage(usage: unknown): AnswerFacts {
  if (!isObject(usage)) return {};
  const total = (value: unknown) => (isObject(value) ? value["total"] : value);
  return readUsage({
    inputTokens: total(usage["inputTokens"]) ?? usage["promptTokens"],
    outputTokens: total(usage["outputTokens"]) ?? usage["completionTokens"],
  });
}
