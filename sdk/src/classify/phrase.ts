import { toWords } from "./words.ts";

/** A phrase of a rule, ready to be looked for in a text of bare words. */
export interface Phrase {
  readonly source: string;
  /** The words with a space around; `null` when the phrase has gaps or beginnings of words. */
  readonly plain: string | null;
  readonly pattern: RegExp | null;
}

/** How many characters a gap may span at most; it never crosses the end of a sentence. */
const GAP = " (?:[^|]{0,80} )?";

/**
 * Compiles `quota exceed* .. per day`: whole words, `*` for the rest of a word, ` .. ` for a gap in one sentence.
 * Words of scripts that have no spaces match anywhere in a run of letters.
 */
export function compilePhrase(source: string): Phrase {
  if (!isWordless(source) && !/\*|\.\./.test(source))
    return { source, plain: toWords(source), pattern: null };
  if (isWordless(source) && !source.includes("..")) {
    return { source, plain: toWords(source).trim(), pattern: null };
  }
  const parts = source.split(" .. ").map((part) => {
    const words = part.split(" ").map((word) => {
      const bare = toWords(word).trim();
      return word.endsWith("*") ? `${bare}[^ ]*` : bare;
    });
    return words.join(" ");
  });
  const edge = isWordless(source) ? "" : " ";
  return {
    source,
    plain: null,
    pattern: new RegExp(edge + parts.join(isWordless(source) ? "[^|]{0,40}" : GAP) + edge),
  };
}

/** Whether a text, made by `toWords`, contains the phrase. */
export function matchesPhrase(phrase: Phrase, words: string): boolean {
  return phrase.pattern ? phrase.pattern.test(words) : words.includes(phrase.plain ?? "\0");
}

/** The beginnings of the phrase's words, by which an index may find it; none for scripts without spaces. */
export function phraseKey(phrase: Phrase, length: number): string[] {
  if (isWordless(phrase.source)) return [];
  return phrase.source
    .split(" ")
    .filter((word) => word !== "..")
    .flatMap((word) => {
      const bare = toWords(word).trim();
      if (bare.includes(" ")) return bare.split(" ");
      return !word.endsWith("*") || bare.length >= length ? [bare] : [];
    })
    .map((word) => word.slice(0, length))
    .filter((word) => word !== "" && word !== "|");
}

const isWordless = (text: string): boolean => /[^ -~]/.test(text);
