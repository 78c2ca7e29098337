/**
 * How a line of CSV ends: `closed`, or `open` within a quoted field, so that the record goes on in the next line.
 * `broken`: the line began within a quoted field, and something other than a delimiter follows the quote that
 * closes it. Then that quote was meant to open a field, and the one before it was never closed.
 */
export type QuoteState = "closed" | "open" | "broken";

/**
 * Follows the quotes of one line.
 *
 * A quote opens a field only at its start; within, two quotes are one. After the closing quote, and in a field
 * that began without, quotes are plain characters.
 *
 * @param isInside whether the line begins within a quoted field
 */
export function followQuotes(text: string, delimiter: string, isInside = false): QuoteState {
  let at = 0;
  let inside = isInside;
  for (;;) {
    if (!inside && text.charAt(at) === '"') {
      at++;
      inside = true;
    }
    if (inside) {
      const closing = findClosingQuote(text, at);
      if (closing < 0) return "open";
      const isCarriedOver = isInside && at === 0;
      at = closing + 1;
      if (isCarriedOver && at < text.length && !text.startsWith(delimiter, at)) return "broken";
    }
    const next = text.indexOf(delimiter, at);
    if (next < 0) return "closed";
    at = next + delimiter.length;
    inside = false;
  }
}

function findClosingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text.charAt(at + 1) === '"') at = text.indexOf('"', at + 2);
  return at;
}
