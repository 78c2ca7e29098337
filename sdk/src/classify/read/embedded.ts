import type { FactCollector } from "../facts.ts";
import { fieldName, readField, readJson } from "./json.ts";

const MAX_DOCUMENTS = 6;
/** Where an object may begin: a brace, then a key, quoted (perhaps with escaped quotes) or bare. */
const OBJECT_START = /[{[]\s*(?:\{\s*)?\\?["'][\w@.$ -]{1,60}\\?["']\s*:|\{\s*[A-Za-z_]\w{0,40}\s*:\s?\S/;

/**
 * Reads the objects that a text quotes, one level further in than the text itself, and returns the text without
 * them. What is not quite JSON (Python's and JavaScript's notation, cut-off or escaped JSON) is read field by field.
 */
export function readEmbedded(text: string, level: number, collector: FactCollector): string {
  let rest = text;
  let out = "";
  for (let count = 0; count < MAX_DOCUMENTS; count++) {
    const start = rest.search(OBJECT_START);
    if (start < 0) break;
    if (/^[{[]\s*(?:\{\s*)?\\["']/.test(rest.slice(start, start + 40))) {
      rest = rest.slice(0, start) + unescaped(rest.slice(start));
    }
    const end = findEnd(rest, start);
    const inside = rest.slice(start, end);
    // A body that is nothing but an object is the failure itself, not something quoted in it.
    const isWhole = out === "" && rest.slice(0, start).trim() === "" && rest.slice(end).trim() === "";
    readDocument(inside, isWhole ? level : level + 1, collector);
    out += `${rest.slice(0, start)}\n`;
    rest = rest.slice(end);
  }
  return out + rest;
}

const unescaped = (text: string) =>
  text.replace(/\\(["'\\n/])/g, (_, char: string) => (char === "n" ? "\n" : char));

function readDocument(text: string, level: number, collector: FactCollector): void {
  try {
    readJson(JSON.parse(text), level, collector);
  } catch {
    readFields(text, level, collector);
  }
}

/** A key and its value: quoted, a number, or one of a list of names in capitals. */
const FIELD =
  /(?:\\?(["']))?([A-Za-z_@$][\w@.$-]{0,40})(?:\\?\1)?\s*[:=]\s*(?:Some\()?(?:b?"((?:[^"\\]|\\[\s\S]){0,4000})(?:"|$)|b?'((?:[^'\\]|\\[\s\S]){0,4000})(?:'|$)|(-?\d{1,15}(?:\.\d{1,9})?|[A-Z][A-Z_]{2,60})(?![\w.]))/g;

/** Reads `key: value` pairs wherever they stand, those in quoted JSON too; nesting is lost. */
function readFields(text: string, level: number, collector: FactCollector): void {
  readPairs(text, level, collector);
  if (/\\"\w{1,40}\\"\s*:/.test(text)) readPairs(unescaped(text), level + 1, collector);
}

function readPairs(pairs: string, level: number, collector: FactCollector): void {
  let count = 0;
  let entry = "";
  for (const [, , key, double, single, bare] of pairs.matchAll(FIELD)) {
    if (++count > 60) return;
    const text = unescaped(double ?? single ?? bare ?? "");
    const value = bare !== undefined && /\d$/.test(bare) ? Number(bare) : text;
    // Protobuf prints the entries of a map as `key: "…" value: "…"`.
    const name = key === "value" && entry !== "" ? entry : (key ?? "");
    entry = key === "key" ? String(value) : "";
    readField(fieldName(name), value, level, collector);
  }
}

/** The place after the bracket that closes the one at `start`, or the end of a text that was cut off. */
function findEnd(text: string, start: number): number {
  const quote = /^[{[]\s*(?:\{\s*)?'/.test(text.slice(start, start + 40)) ? "'\"" : '"';
  let depth = 0;
  let inside = "";
  for (let i = start; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "\\") i++;
    else if (inside !== "") {
      if (char === inside) inside = "";
    } else if (quote.includes(char)) inside = char;
    else if (char === "{" || char === "[") depth++;
    else if ((char === "}" || char === "]") && --depth === 0) return i + 1;
  }
  return text.length;
}
