/**
 * A text as bare words: lower case, one space between, one around, `camelCase`, `snake_case` and `kebab-case`
 * taken apart, apostrophes dropped, and `|` where a sentence ends.
 *
 * Rules are phrases of such words, so that `RateLimitExceeded`, `rate_limit_exceeded` and "Rate limit
 * exceeded." are the same to them, and no rule needs a regular expression.
 */
export function toWords(text: string): string {
  let out = " ";
  let start = 0;
  let before = SPACE;
  const endWord = (end: number, mark: string) => {
    if (end > start) out += text.slice(start, end).toLowerCase() + mark;
  };
  for (let i = 0; i < text.length; i++) {
    let kind = kindOf(text.charCodeAt(i));
    if (kind === STOP && !endsSentence(text, i)) kind = SPACE;
    if (kind === APOSTROPHE) {
      endWord(i, "");
      start = i + 1;
      continue;
    }
    if (kind === SPACE || kind === STOP) {
      endWord(i, "");
      if (before !== SPACE) out += " ";
      if (kind === STOP) out += "| ";
      start = i + 1;
      before = SPACE;
      continue;
    }
    if (
      kind === UPPER &&
      (before === LOWER ||
        (before === UPPER && kindOf(text.charCodeAt(i + 1)) === LOWER && !isPlural(text, i)))
    ) {
      endWord(i, " ");
      start = i;
    }
    before = kind;
  }
  endWord(text.length, "");
  return before === SPACE ? out : `${out} `;
}

/** Whether a capital ends an abbreviation of which there are several, as in `GPUs`. */
function isPlural(text: string, at: number): boolean {
  return text[at + 1] === "s" && kindOf(text.charCodeAt(at + 2)) !== LOWER;
}

const SPACE = 0;
const UPPER = 1;
const LOWER = 2;
const APOSTROPHE = 3;
const STOP = 4;
const OTHER = 5;

/** The kinds of the first 128 characters, looked up. */
const KINDS = Uint8Array.from({ length: 128 }, (_, char) => {
  const letter = String.fromCharCode(char);
  if (/[a-z0-9]/.test(letter)) return LOWER;
  if (/[A-Z]/.test(letter)) return UPPER;
  if (letter === "'") return APOSTROPHE;
  return /[.!?;\n]/.test(letter) ? STOP : SPACE;
});

function kindOf(char: number): number {
  if (char < 128) return KINDS[char] ?? SPACE;
  if (char === 0x2019 || char === 0x2018) return APOSTROPHE;
  // The full-width kin of . ! ? ;
  if (char === 0x3002 || char === 0xff01 || char === 0xff1f || char === 0xff1b) return STOP;
  // Letters with marks and every other script count as letters; punctuation of all sorts does not.
  if (char < 0xc0 || (char >= 0x2000 && char <= 0x2bff) || (char >= 0x3000 && char <= 0x303f)) return SPACE;
  return (char >= 0xff00 && char <= 0xff0f) || char === 0xff1a ? SPACE : OTHER;
}

/** A dot inside `3.5s` or `claude.ai` ends nothing; before a space, a quote or the end it does. */
function endsSentence(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  // A line that goes on in lower case was only broken to fit.
  if (text.charCodeAt(at) === 10) return kindOf(next === 32 ? text.charCodeAt(at + 2) : next) !== LOWER;
  return text.charCodeAt(at) !== 46 || Number.isNaN(next) || kindOf(next) === SPACE || kindOf(next) === STOP;
}
