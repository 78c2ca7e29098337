/** Longest error text that is kept. */
export const MAX_TEXT_LENGTH = 300;
/** How much of a text is read at all: what is cut off anyway need not be searched. */
const MAX_READ_LENGTH = 2_000;

/**
 * What must not be stored, most telling first. Each is replaced by a word that says what stood there, so that
 * the sentence around it stays readable.
 */
const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/-----BEGIN [A-Z ]+-----[\s\S]*?(?:-----END [A-Z ]+-----|$)/g, "[key]"],
  [/\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g, "[token]"],
  [/\b(?:bearer|basic)\s+[\w.~+/=-]{8,}/gi, "[token]"],
  [
    /\b(?:sk|pk|rk|bh[ira]|gsk|xai|hf|ghp|gho|glpat|xox[abprs]|AKIA|ASIA|AIza|ya29)[-_.]?[\w.*-]{8,}/g,
    "[key]",
  ],
  [
    /\b((?:api[-_ ]?key|secret|token|password|authorization)["']?\s*(?:[:=]|is|provided:)\s*["']?)[^\s"',;)]{4,}/gi,
    "$1[key]",
  ],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, "[mail]"],
  [/\b(https?:\/\/)(?:[^\s/@]+@)?([^\s?#"'<>]*)[?#][^\s"'<>]*/gi, "$1$2"],
  [/\b(https?:\/\/)[^\s/@]+@/gi, "$1"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "[id]"],
  [
    /\b(?:req|request|org|organization|proj|project|user|acct|cus|msg|chatcmpl|resp|run|thread)[-_][\w-]{8,}/gi,
    "[id]",
  ],
  [/\b(?=[a-z]*\d)(?=\d*[a-z])[a-z\d]{20,}\b/gi, "[id]"],
  [/\b\d{9,}\b/g, "[id]"],
];

/** Control characters (a NUL cannot be stored as text) and halves of surrogate pairs become spaces. */
export function cleanCharacters(text: string): string {
  return text.toWellFormed().replace(/\p{Cc}+/gu, " ");
}

/**
 * The text without keys, tokens, mail addresses, URL queries and ids, cut to 300 characters.
 *
 * What providers say about a failure is evidence; whom it was said to is not, and must not reach the disk.
 */
export function scrubText(
  text: string,
  maxLength = MAX_TEXT_LENGTH,
  maxReadLength = MAX_READ_LENGTH,
): string {
  let clean = cleanCharacters(text.slice(0, maxReadLength));
  for (const [pattern, replacement] of SECRETS) clean = clean.replace(pattern, replacement);
  clean = clean.replace(/\s+/g, " ").trim();
  return clean.length <= maxLength ? clean : `${clean.slice(0, maxLength - 1).toWellFormed()}…`;
}
