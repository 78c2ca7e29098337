import { cleanCharacters, scrubText } from "@busyhour/sdk";

export { cleanCharacters, MAX_TEXT_LENGTH, scrubText } from "@busyhour/sdk";

/** A model name is 24 characters of letters and digits often enough, so labels lose only what surely is a key. */
const KEY_IN_LABEL = new RegExp(
  [
    /-----BEGIN/,
    /\beyJ[\w-]{8,}\./,
    /\b(?:sk|bh[ira]|gsk|ghp|gho|glpat)[-_][\w-]{16,}/,
    /\b(?:AIza|AKIA|ASIA)[\w-]{12,}/,
    /[\w.+-]+@[\w-]+\.\w+/,
    /\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/,
    /(?:api[-_ ]?key|secret|token|password|authorization)["']?\s*[:=]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

/** No name has so many words, or so many characters of a script without blanks: it is a prompt gone astray. */
const MAX_LABEL_WORDS = 8;
const MAX_LABEL_IDEOGRAPHS = 24;

function isProse(label: string): boolean {
  if (label.length <= MAX_LABEL_IDEOGRAPHS) return false;
  if (label.split(/\s+/).length > MAX_LABEL_WORDS) return true;
  const ideographs = label.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/gu);
  return ideographs !== null && ideographs.length > MAX_LABEL_IDEOGRAPHS;
}

/**
 * A label (model, source, endpoint, account …) fit to be stored: no control characters, trimmed, a URL cut down
 * to host and path, and scrubbed like a text when it holds a key or a mail address. Prose becomes `[text]`.
 */
export const cleanLabel = remembering((label) => {
  let clean = cleanCharacters(label).trim();
  if (clean.includes("://")) clean = clean.replace(/^[a-z+]+:\/\/(?:[^/@]*@)?/i, "").replace(/[?#].*$/, "");
  if (KEY_IN_LABEL.test(clean)) clean = scrubText(clean, 100);
  return isProse(clean) ? "[text]" : clean;
});

const MAX_NAME_LENGTH = 60;

/** A field's name that is not ours, fit to be shown: whoever sends data where names belong finds it scrubbed. */
export const cleanFieldName = remembering((name) => scrubText(cleanLabel(name), MAX_NAME_LENGTH));

const MAX_REMEMBERED = 10_000;
/** Longer ones are no names that come again, and would fill the memory. */
const MAX_REMEMBERED_LENGTH = 300;

/** The same few labels come with every event, so each is cleaned once. */
function remembering(clean: (text: string) => string): (text: string) => string {
  const cleaned = new Map<string, string>();
  return (text) => {
    const known = cleaned.get(text);
    if (known !== undefined) return known;
    const made = clean(text);
    if (text.length > MAX_REMEMBERED_LENGTH) return made;
    if (cleaned.size >= MAX_REMEMBERED) cleaned.clear();
    cleaned.set(text, made);
    return made;
  };
}

/** A text of another tool's as a label that can be sent on: characters that no label may have are replaced, and it is cut. */
export function toLabel(text: string, maxLength: number): string {
  return cleanCharacters(text).slice(0, maxLength).toWellFormed();
}
