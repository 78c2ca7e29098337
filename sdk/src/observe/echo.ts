const MAX_LENGTH = 300;
/** So many words in a row are no accident. */
const WORDS = 3;
/** The same for scripts that write no spaces, in characters. */
const CHARACTERS = 6;
const NO_SPACES = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;

/**
 * A provider's words without what they repeat of the request: filters and validators quote prompts. Three words in a row
 * of the request, what stands in quotes there, and whatever looks like nobody's word, become `…`. Names of the request's
 * own fields and the model stay, as they say what is wrong.
 *
 * @param request the request's body as it was sent; `null` when it is not known
 * @returns at most 300 characters
 */
export function withoutEchoes(message: string, request: string | null, model: string | null): string {
  if (request === null || request === "") return message.slice(0, MAX_LENGTH);
  // Twice as much is looked at, so that nothing is told apart only by where it is cut.
  const said = message.slice(0, 2 * MAX_LENGTH);
  const echo: Echo = {
    isName: (word) => word === model || request.includes(`"${word}":`),
    isRepeated: (text) => request.includes(JSON.stringify(text).slice(1, -1)),
  };
  const hidden = new Uint8Array(said.length);
  markQuotes(said, echo, hidden);
  markWords(said, echo, hidden);
  if (NO_SPACES.test(said)) markCharacters(said, echo, hidden);
  return replaceHidden(said, hidden).slice(0, MAX_LENGTH);
}

interface Echo {
  readonly isName: (word: string) => boolean;
  readonly isRepeated: (text: string) => boolean;
}

function markQuotes(said: string, { isName, isRepeated }: Echo, hidden: Uint8Array): void {
  for (const match of said.matchAll(/(["'`“‘])(.{3,}?)["'`”’]/gsu)) {
    const text = match[2] ?? "";
    if (!isName(text) && isRepeated(text)) hidden.fill(1, match.index + 1, match.index + 1 + text.length);
  }
}

function markWords(said: string, { isName, isRepeated }: Echo, hidden: Uint8Array): void {
  const words = [...said.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.length,
  }));
  for (const [at, { from, to }] of words.entries()) {
    const bare = /[\p{L}\p{N}](.*[\p{L}\p{N}])?/u.exec(said.slice(from, to));
    const word = bare?.[0] ?? "";
    const begin = from + (bare?.index ?? 0);
    const isOdd = word.length >= 8 && /[\d_@-]|[a-z][A-Z]/.test(word);
    if (isOdd && !isName(word) && isRepeated(word)) hidden.fill(1, begin, begin + word.length);
    const last = words[at + WORDS - 1];
    if (last !== undefined && isRepeated(said.slice(from, last.to))) hidden.fill(1, from, last.to);
  }
}

function markCharacters(said: string, { isRepeated }: Echo, hidden: Uint8Array): void {
  for (let from = 0; from + CHARACTERS <= said.length; from++) {
    const text = said.slice(from, from + CHARACTERS);
    if (NO_SPACES.test(text) && isRepeated(text)) hidden.fill(1, from, from + CHARACTERS);
  }
}

/** Each run of hidden characters becomes one `…`. */
function replaceHidden(said: string, hidden: Uint8Array): string {
  let result = "";
  for (let at = 0; at < said.length; at++) {
    if (hidden[at] === 0) result += said[at];
    else if (hidden[at - 1] !== 1) result += "…";
  }
  return result;
}
