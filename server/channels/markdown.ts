/** A piece of a line. */
export type Span =
  | { readonly kind: "text" | "strong" | "emphasis" | "code"; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly url: string };

export interface Line {
  readonly kind: "heading" | "item" | "paragraph" | "blank";
  readonly spans: readonly Span[];
}

const SPAN = /\*\*([^*\n]+)\*\*|\*([^*\n]+)\*|`([^`\n]+)`|\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/g;

/**
 * Reads the part of Markdown in which notices are written: headings, bullets, paragraphs; strong, emphasis, code and
 * links within a line. What is none of these is text, tables included.
 */
export function readMarkdown(markdown: string): Line[] {
  return markdown
    .toWellFormed()
    .split(/\r?\n/)
    .map((line) => {
      const [, hashes, heading] = /^(#{1,6})\s+(.*)$/.exec(line) ?? [];
      if (hashes !== undefined) return { kind: "heading", spans: readSpans(heading ?? "") };
      const [, item] = /^\s*[-*]\s+(.*)$/.exec(line) ?? [];
      if (item !== undefined) return { kind: "item", spans: readSpans(item) };
      return line.trim() === ""
        ? { kind: "blank", spans: [] }
        : { kind: "paragraph", spans: readSpans(line) };
    });
}

function readSpans(line: string): Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const match of line.matchAll(SPAN)) {
    if (match.index > at) spans.push({ kind: "text", text: line.slice(at, match.index) });
    const [, strong, emphasis, code, text, url] = match;
    if (strong !== undefined) spans.push({ kind: "strong", text: strong });
    else if (emphasis !== undefined) spans.push({ kind: "emphasis", text: emphasis });
    else if (code !== undefined) spans.push({ kind: "code", text: code });
    else spans.push({ kind: "link", text: text ?? "", url: url ?? "" });
    at = match.index + match[0].length;
  }
  if (at < line.length) spans.push({ kind: "text", text: line.slice(at) });
  return spans;
}

/** How a receiver writes what Markdown says. */
export interface Dialect {
  escape(text: string): string;
  strong(escaped: string): string;
  emphasis(escaped: string): string;
  code(text: string): string;
  link(text: string, url: string): string;
  heading(line: string): string;
  item(line: string): string;
}

/** One line for each of the source, in another dialect. */
export function writeMarkdown(lines: readonly Line[], dialect: Dialect): string[] {
  const writeSpan = (span: Span) => {
    switch (span.kind) {
      case "text":
        return dialect.escape(span.text);
      case "strong":
        return dialect.strong(dialect.escape(span.text));
      case "emphasis":
        return dialect.emphasis(dialect.escape(span.text));
      case "code":
        return dialect.code(span.text);
      case "link":
        return dialect.link(span.text, span.url);
    }
  };
  return lines.map(({ kind, spans }) => {
    const line = spans.map(writeSpan).join("");
    if (kind === "heading") return dialect.heading(line);
    return kind === "item" ? dialect.item(line) : line;
  });
}

const same = (text: string) => text;

/** Without any marks. */
export const PLAIN: Dialect = {
  escape: same,
  strong: same,
  emphasis: same,
  code: same,
  link: (text, url) => `${text} (${url})`,
  heading: same,
  item: (line) => `• ${line}`,
};

/** As many whole lines as fit, with an ellipsis in place of the rest. */
export function joinLines(
  lines: readonly string[],
  most: number,
  measure: (text: string) => number,
  separator = "\n",
): string {
  const whole = lines.join(separator);
  if (measure(whole) <= most) return whole;
  const kept: string[] = [];
  let used = measure("…");
  for (const line of lines) {
    used += measure(line) + measure(separator);
    if (used > most) break;
    kept.push(line);
  }
  return [...kept, "…"].join(separator);
}
