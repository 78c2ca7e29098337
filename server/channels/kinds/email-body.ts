import { type Dialect, type Line, PLAIN, readMarkdown, writeMarkdown } from "../markdown.ts";
import type { Message } from "../message.ts";
import { colourOf } from "./chat.ts";

const quote = (text: string) =>
  text
    .toWellFormed()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

const HTML: Dialect = {
  escape: quote,
  strong: (text) => `<strong>${text}</strong>`,
  emphasis: (text) => `<em>${text}</em>`,
  code: (text) => `<code>${quote(text)}</code>`,
  link: (text, url) => `<a href="${quote(url)}">${quote(text)}</a>`,
  heading: (line) => `<h3 style="margin:16px 0 4px;font-size:15px">${line}</h3>`,
  item: (line) => `<div style="margin:2px 0 2px 12px">• ${line}</div>`,
};

function renderMarkdown(lines: readonly Line[]): string {
  return writeMarkdown(lines, HTML)
    .map((line, i) => (lines[i]?.kind === "paragraph" ? `<div style="margin:4px 0">${line}</div>` : line))
    .join("\n");
}

/** For readers without HTML. */
export function renderText({ mark, title, facts, markdown, notes, link, footer }: Message): string {
  return [
    `${mark} ${title}`,
    "",
    ...facts.map(({ name, text }) => `${name}: ${text}`),
    ...(markdown === null ? [] : writeMarkdown(readMarkdown(markdown), PLAIN)),
    "",
    ...notes,
    `${link.text}: ${link.url}`,
    "",
    `-- `,
    footer,
    "",
  ].join("\n");
}

/** Without images, styles of elsewhere, and anything that is fetched. */
export function renderHtml(message: Message): string {
  const { mark, title, facts, markdown, notes, link, footer } = message;
  const colour = `#${colourOf(message).toString(16).padStart(6, "0")}`;
  const rows = facts.map(
    ({ name, text }) =>
      `<tr><td style="padding:3px 14px 3px 0;color:#667;vertical-align:top;white-space:nowrap">${quote(name)}</td><td style="padding:3px 0">${quote(text)}</td></tr>`,
  );
  return `<!doctype html>
<html><head><meta charset="utf-8"><title>${quote(title)}</title></head>
<body style="margin:0;padding:16px;font:14px/1.45 system-ui,sans-serif;color:#1c2330">
<div style="max-width:640px;border-left:4px solid ${colour};padding:4px 16px">
<h2 style="margin:0 0 10px;font-size:17px">${mark} ${quote(title)}</h2>
${rows.length === 0 ? "" : `<table style="border-collapse:collapse">${rows.join("")}</table>`}
${markdown === null ? "" : renderMarkdown(readMarkdown(markdown))}
${notes.map((note) => `<p style="color:#667">${quote(note)}</p>`).join("")}
<p style="margin:16px 0 4px"><a href="${quote(link.url)}">${quote(link.text)}</a></p>
<p style="margin:0;color:#667;font-size:12px">${quote(footer)}</p>
</div></body></html>
`;
}
