/** JSON found in an answer, and where. */
export interface Unwrapped {
  readonly value: unknown;
  /** `bare`: the whole answer. `fence`: a Markdown fence. `prose`: between sentences. `mended`: the same, mended. */
  readonly path: "bare" | "fence" | "prose" | "mended";
}

/** Fences with these tags hold JSON; without a tag they may. */
const JSON_TAG = /^(?:json|json5|jsonc|geojson|)$/i;
/** A line that opens a fence: three marks or more, of which models also write typographic ones, and a tag. */
const OPENING = /^[ \t]*(`{3,}|~{3,}|[‘’ʼ´′＇'"“”]{3})[ \t]*([\w+-]*)/;
/** A line that closes one. */
const CLOSING = /^[ \t]*(`{3,}|~{3,}|[‘’ʼ´′＇'"“”]{3})[ \t]*\r?$/;
/** More places than this are not tried: an answer full of braces is no JSON. */
const MAX_PLACES = 50;

/**
 * The JSON in an answer: bare, inside of one Markdown fence, or between sentences, whichever of these holds one first.
 * A fence of another language is never taken for it, nor a number or word out of prose. Repair is limited to what is
 * certain: byte order marks, fences in typographic quotes, commas before a closing bracket.
 *
 * @returns `null` when there is none, or several that differ and no fence tells which is meant
 */
export function unwrapJson(answer: string): Unwrapped | null {
  const text = answer.replace(/^[\uFEFF\u200B\u2060]+/, "").trim();
  if (text === "") return null;
  const bare = parse(text);
  if (bare !== NONE) return { value: bare, path: "bare" };
  const fences = findFences(text);
  const fenced = pick(fences.filter(({ isJson }) => isJson).map(({ body }) => body));
  if (fenced !== null)
    return fenced.isMended ? { value: fenced.value, path: "mended" } : { value: fenced.value, path: "fence" };
  const mended = mend(text);
  if (mended !== NONE) return { value: mended, path: "mended" };
  const prose = pick(findInProse(blank(text, fences)));
  if (prose === null) return null;
  return { value: prose.value, path: prose.isMended ? "mended" : "prose" };
}

const NONE = Symbol("none");

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NONE;
  }
}

interface Fence {
  readonly from: number;
  readonly to: number;
  readonly body: string;
  readonly isJson: boolean;
}

function findFences(text: string): Fence[] {
  const fences: Fence[] = [];
  let open: {
    readonly from: number;
    readonly body: number;
    readonly mark: string;
    readonly tag: string;
  } | null = null;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    const line = text.slice(at, end === -1 ? text.length : end);
    if (open === null) {
      const [, mark, tag = ""] = OPENING.exec(line) ?? [];
      if (mark !== undefined) open = { from: at, body: next, mark, tag };
    } else if (closes(CLOSING.exec(line)?.[1], open.mark)) {
      const body = text.slice(open.body, at).replace(/^[\uFEFF\u200B]+/, "");
      fences.push({ from: open.from, to: next, body: body.trim(), isJson: JSON_TAG.test(open.tag) });
      open = null;
    }
    at = next;
  }
  return fences;
}

/** The same mark, at least as often; of quotes, any. */
function closes(mark: string | undefined, opening: string): boolean {
  if (mark === undefined) return false;
  const isPlain = opening.startsWith("`") || opening.startsWith("~");
  return isPlain ? mark.startsWith(opening) : !/^[`~]/.test(mark);
}

/** The one value that the candidates hold; the same one said twice is one. */
function pick(candidates: readonly string[]): { readonly value: unknown; readonly isMended: boolean } | null {
  const found = new Map<string, { value: unknown; isMended: boolean }>();
  for (const candidate of candidates) {
    const plain = parse(candidate);
    const value = plain === NONE ? mend(candidate) : plain;
    if (value !== NONE) found.set(JSON.stringify(value), { value, isMended: plain === NONE });
  }
  const [only] = found.values();
  return found.size === 1 && only !== undefined ? only : null;
}

/** Commas before a closing bracket, outside of strings: nothing else is certain. */
function mend(text: string): unknown {
  if (!/^[[{]/.test(text) || !/,\s*[\]}]/.test(text)) return NONE;
  const mended = text.replace(
    /("(?:[^"\\]|\\.)*")|,(\s*[\]}])/g,
    (_, quoted?: string, end?: string) => quoted ?? end ?? "",
  );
  return parse(mended);
}

/** Fences of other languages are nobody's JSON. */
function blank(text: string, fences: readonly Fence[]): string {
  let out = text;
  for (const { from, to, isJson } of fences) {
    if (!isJson) out = out.slice(0, from) + " ".repeat(to - from) + out.slice(to);
  }
  return out;
}

/** Objects and lists that stand complete in the text, none inside of another. */
function findInProse(text: string): string[] {
  const found: string[] = [];
  let places = 0;
  for (let at = 0; at < text.length && places < MAX_PLACES; at++) {
    const char = text[at];
    if (char !== "{" && char !== "[") continue;
    places++;
    const end = findEnd(text, at);
    if (end === -1) continue;
    const piece = text.slice(at, end + 1);
    const value = parse(piece) === NONE ? mend(piece) : parse(piece);
    // “[1]” and “[x]” are notes, not answers.
    if (value === NONE || (char === "[" && !holdsMore(value))) continue;
    found.push(piece);
    at = end;
  }
  return found;
}

/** A list counts where it holds an object or a list, or several values. */
function holdsMore(value: unknown): boolean {
  return (
    Array.isArray(value) && (value.length > 1 || value.some((one) => typeof one === "object" && one !== null))
  );
}

/** Place of the bracket that closes the one at `from`; -1 when there is none. */
function findEnd(text: string, from: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    const char = text[at];
    if (isQuoted) {
      if (char === "\\") at++;
      else if (char === '"') isQuoted = false;
    } else if (char === '"') isQuoted = true;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return at;
  }
  return -1;
}
