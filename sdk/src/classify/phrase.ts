import { toWords } from "./words.ts";

/** A phrase of a rule, ready to be looked for in a text of bare words. */
export interface Phrase {
  /** Its words, as they were written. */
  readonly words: readonly string[];
  /** The words with a space around, but for a beginning at the end; `null` when there are gaps or other beginnings. */
  readonly plain: string | null;
  readonly pattern: RegExp | null;
  /** Whether it is in a script without spaces, such as Chinese, and so found anywhere in a run of characters. */
  readonly isWordless: boolean;
}

/** How many characters a gap may span at most; it never crosses the end of a sentence. */
const GAP = "(?:[^|]{0,80} )?";

/** The phrases of a list: `a/b c | quota exceed* .. per day`. */
export function compilePhrases(list: string | undefined): Phrase[] {
  return list === undefined
    ? []
    : list.split(" | ").flatMap((source) => spread(source.split(" ")).map(compile));
}

/** Each way to choose one word where several are given. */
function spread(words: readonly string[]): string[][] {
  return words.reduce<string[][]>(
    (ways, word) => ways.flatMap((way) => word.split("/").map((choice) => [...way, choice])),
    [[]],
  );
}

function compile(words: readonly string[]): Phrase {
  const isWordless = /[^ -~]/.test(words.join(""));
  const isWhole = !isWordless;
  const edge = isWhole ? " " : "";
  const star = words.findIndex((word) => word.endsWith("*"));
  if (!words.includes("..") && (star < 0 || star === words.length - 1)) {
    const plain = toWords(words.join(" "));
    const open = star < 0 ? plain : plain.trimEnd();
    return { words, plain: isWhole ? open : plain.trim(), pattern: null, isWordless };
  }
  const source = words.reduce((pattern, word) => {
    if (word === "..") return pattern + (isWhole ? GAP : "[^|]{0,40}");
    return `${pattern}${toWords(word).trim()}${word.endsWith("*") ? "[^ ]*" : ""}${edge}`;
  }, edge);
  return { words, plain: null, pattern: new RegExp(source), isWordless };
}

/** Whether a text, made by `toWords`, contains the phrase. */
export function matchesPhrase(phrase: Phrase, text: string): boolean {
  return phrase.plain === null ? (phrase.pattern?.test(text) ?? false) : text.includes(phrase.plain);
}

/** The phrase's whole words, by which an index may find it; none for scripts without spaces. */
export function wholeWords(phrase: Phrase): string[] {
  if (phrase.isWordless) return [];
  return phrase.words
    .filter((word) => word !== ".." && !word.endsWith("*"))
    .flatMap((word) => toWords(word).trim().split(" "));
}
