/**
 * A text as bare words: lower case, one space between, one around, `camelCase`, `snake_case` and `kebab-case`
 * taken apart, apostrophes dropped, and `|` where a sentence ends.
 *
 * Rules are phrases of such words, so that `RateLimitExceeded`, `rate_limit_exceeded` and "Rate limit
 * exceeded." are the same to them, and no rule needs a regular expression.
 */
export function toWords(text: string): string {
  let out = " ";
  let before = SPACE;
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i);
    const kind = kindOf(char);
    if (kind === APOSTROPHE) continue;
    if (kind === SPACE || (kind === STOP && !endsSentence(text, i))) {
      if (before !== SPACE) out += " ";
      before = SPACE;
      continue;
    }
    if (kind === STOP) {
      out += before === SPACE ? "| " : " | ";
      before = SPACE;
      continue;
    }
    if (
      kind === UPPER &&
      (before === LOWER || (before === UPPER && kindOf(text.charCodeAt(i + 1)) === LOWER))
    ) {
      out += " ";
    }
    out += kind === UPPER ? String.fromCharCode(char + 32) : text[i];
    before = kind;
  }
  return before === SPACE ? out : `${out} `;
}

const SPACE = 0;
const UPPER = 1;
const LOWER = 2;
const APOSTROPHE = 3;
const STOP = 4;
const OTHER = 5;

function kindOf(char: number): number {
  if (char >= 97 && char <= 122) return LOWER;
  if (char >= 48 && char <= 57) return LOWER;
  if (char >= 65 && char <= 90) return UPPER;
  if (char === 39 || char === 0x2019 || char === 0x2018) return APOSTROPHE;
  // . ! ? ; newline and their full-width kin
  if (char === 46 || char === 33 || char === 63 || char === 59 || char === 10) return STOP;
  if (char === 0x3002 || char === 0xff01 || char === 0xff1f || char === 0xff1b) return STOP;
  // Latin letters with marks and every other script count as letters; punctuation of all sorts does not.
  if (char < 0xc0 || (char >= 0x2000 && char <= 0x2bff) || (char >= 0x3000 && char <= 0x303f)) return SPACE;
  return char >= 0xff00 && char <= 0xff0f ? SPACE : char === 0xff1a ? SPACE : OTHER;
}

/** A dot inside `3.5s` or `claude.ai` ends nothing; before a space, a quote or the end it does. */
function endsSentence(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return text.charCodeAt(at) !== 46 || Number.isNaN(next) || kindOf(next) === SPACE || kindOf(next) === STOP;
}
