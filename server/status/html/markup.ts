/** Markup that is safe to send: made by `html` or `xml` alone. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template: texts are escaped, markup stands as it is, `null` and `false` are nothing. */
export type Part = string | number | Markup | null | false | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What neither XML nor HTML can hold: control characters but tab and line ends, half characters, non-characters. */
const UNSAYABLE =
  /[^\t\n\r\u{20}-\u{7e}\u{85}\u{a0}-\u{d7ff}\u{e000}-\u{fdcf}\u{fdf0}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** A text as it may stand in an element or in a quoted attribute, of HTML and of XML. */
export function escapeText(text: string): string {
  return text.replace(UNSAYABLE, "\u{fffd}").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

function toText(part: Part): string {
  if (part === null || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "string") return escapeText(part);
  if (typeof part === "number") return String(part);
  return part.map(toText).join("");
}

/**
 * HTML with every value escaped. Values stand in elements and in quoted attributes only: never in a script, a style,
 * an address that begins with them, or the name of a tag.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, i) => text + toText(parts[i - 1] ?? null) + string));
}

/** The same for XML. */
export const xml = html;

/** Text of several lines as paragraphs. */
export function paragraphs(text: string): Markup {
  const blocks = text.split(/\n\s*\n/).filter((block) => block.trim() !== "");
  return html`${blocks.map((block) => {
    const lines = block.trim().split(/\r?\n/);
    return html`<p>${lines.map((line, i) => (i === 0 ? html`${line}` : html`<br>${line}`))}</p>`;
  })}`;
}
