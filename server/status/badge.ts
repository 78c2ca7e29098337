import type { StatusState } from "../contract/status.ts";
import { xml } from "./html/markup.ts";

/** Colours on which white text can be read. */
const COLOURS: Readonly<Record<StatusState, string>> = {
  available: "#2c6e49",
  busy: "#8a5a00",
  veryBusy: "#b43818",
  unavailable: "#8c1f17",
  maintenance: "#23446f",
  noData: "#565c64",
};

const LONGEST = 40;
const PADDING = 9;

/** A badge as other sites put it on their pages: what it is of, and its state in a word. */
export function renderBadge(label: string, state: StatusState, word: string): string {
  const name = shorten(label);
  const left = widthOf(name) + 2 * PADDING;
  const right = widthOf(word) + 2 * PADDING;
  const width = left + right;
  return xml`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="22" viewBox="0 0 ${width} 22" role="img" aria-label="${name}: ${word}"><title>${name}: ${word}</title><clipPath id="r"><rect width="${width}" height="22" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="22" fill="#3a3f46"/><rect x="${left}" width="${right}" height="22" fill="${COLOURS[state]}"/></g><g fill="#fff" font-family="-apple-system,Segoe UI,Helvetica,Arial,PingFang SC,Microsoft YaHei,sans-serif" font-size="12" text-anchor="middle"><text x="${left / 2}" y="15.3" textLength="${widthOf(name)}" lengthAdjust="spacingAndGlyphs">${name}</text><text x="${left + right / 2}" y="15.3" font-weight="600" textLength="${widthOf(word)}" lengthAdjust="spacingAndGlyphs">${word}</text></g></svg>
`.text;
}

function shorten(text: string): string {
  const characters = [...text.replace(/\s+/g, " ")];
  return characters.length <= LONGEST ? characters.join("") : `${characters.slice(0, LONGEST - 1).join("")}…`;
}

/** About as wide as fonts make it; `textLength` makes it exactly so. */
function widthOf(text: string): number {
  return [...text].reduce((sum, character) => {
    if (/[\u{2e80}-\u{ffdc}\u{1f000}-\u{3ffff}]/u.test(character)) return sum + 12;
    if (/[ijl.,:;'|!()\s]/.test(character)) return sum + 4;
    return sum + (/[mwMW@%]/.test(character) ? 10 : 7);
  }, 0);
}
