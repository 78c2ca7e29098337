type Json = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The text of an answer: a string as it is, else where OpenAI (chat and Responses), Anthropic, Google, Bedrock and the
 * AI SDK put it; `null` when there is none.
 */
export function findText(answer: unknown): string | null {
  if (typeof answer === "string") return answer;
  if (!isObject(answer)) return null;
  for (const key of ["output_text", "text"]) {
    const value = answer[key];
    if (typeof value === "string") return value;
  }
  for (const read of [readChoices, readContent, readCandidates, readOutput]) {
    const found = read(answer);
    if (found !== null) return found;
  }
  return null;
}

function readChoices({ choices }: Json): string | null {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isObject(first)) return null;
  if (typeof first["text"] === "string") return first["text"];
  return isObject(first["message"]) ? joinParts(first["message"]["content"]) : null;
}

/** Anthropic and the AI SDK's models: a list of parts. */
function readContent({ content }: Json): string | null {
  return joinParts(content);
}

function readCandidates({ candidates }: Json): string | null {
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined;
  if (!isObject(first) || !isObject(first["content"])) return null;
  return joinParts(first["content"]["parts"]);
}

/** Responses without its short cut, and Bedrock's Converse. */
function readOutput({ output }: Json): string | null {
  if (isObject(output) && isObject(output["message"])) return joinParts(output["message"]["content"]);
  if (!Array.isArray(output)) return null;
  const texts = output.map((item) => (isObject(item) ? joinParts(item["content"]) : null));
  return texts.every((one) => one === null) ? null : texts.join("");
}

function joinParts(content: unknown): string | null {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return null;
  const texts = content.flatMap((part) =>
    isObject(part) && typeof part["text"] === "string" && part["thought"] !== true ? [part["text"]] : [],
  );
  return texts.length === 0 ? null : texts.join("");
}
