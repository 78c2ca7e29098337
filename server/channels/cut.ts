/** How long a text is for a receiver. */
export type Measure = (text: string) => number;

/** UTF-16 code units: never fewer than what a receiver counts as characters. */
export const inCharacters: Measure = (text) => text.length;
export const inBytes: Measure = (text) => Buffer.byteLength(text);

const ELLIPSIS = "…";
const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The text, or as much of its beginning as fits with an ellipsis; nothing that a reader sees as one sign is cut. */
export function cut(text: string, most: number, measure: Measure = inCharacters): string {
  const whole = text.toWellFormed();
  if (measure(whole) <= most) return whole;
  let room = most - measure(ELLIPSIS);
  if (room < 0) return "";
  let end = 0;
  // What cannot fit in any case is not looked at: texts may be long.
  for (const { segment, index } of segmenter.segment(whole.slice(0, most))) {
    room -= measure(segment);
    if (room < 0) break;
    end = index + segment.length;
  }
  return `${whole.slice(0, end).trimEnd()}${ELLIPSIS}`;
}

/** The same for what is escaped: a mask that makes texts longer is measured, and never cut in two. */
export function cutEscaped(
  text: string,
  most: number,
  quote: (part: string) => string,
  measure: Measure = inCharacters,
): string {
  const whole = text.toWellFormed();
  if (measure(quote(whole)) <= most) return quote(whole);
  return quote(cut(whole, most, (part) => measure(quote(part))));
}

/** One line without control characters: what stands in a title, a header or a list. */
export function toLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
}

/**
 * JSON of which every receiver and every column can read the texts: half a surrogate pair becomes U+FFFD, and a NUL
 * goes.
 */
export function toCleanJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "string" ? part.toWellFormed().replaceAll("\0", "") : part,
  );
}
