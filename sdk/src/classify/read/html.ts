import type { FactCollector } from "../facts.ts";

/**
 * Notes what an HTML page says: its title with the status in it, and its first words. A page is what a proxy or
 * an edge answers, so the code `html` is noted too.
 */
export function readHtml(html: string, level: number, collector: FactCollector): void {
  collector.addCode("page", "html", level);
  const before = html.slice(0, Math.max(0, html.search(/<(?:!doctype|html|head|title|body)\b/i))).trim();
  const title = /<title[^>]{0,100}>([^<]{0,200})/i.exec(html)?.[1]?.trim() ?? "";
  const status = /(?:^|[|\s(])([45]\d\d)(?=[\s:|)]|$)/.exec(title)?.[1];
  if (status !== undefined) collector.addStatus(Number(status), level);
  const words = stripTags(html).slice(0, 600);
  collector.addText([before, title, words].filter((part) => part !== "").join("\n"), level);
}

/** The words between tags, without scripts and styles. */
function stripTags(html: string): string {
  let out = "";
  let isTag = false;
  let hidden: string | null = null;
  for (let i = 0; i < html.length; i++) {
    const char = html[i];
    if (char === "<") {
      const name = /^<(\/?)(script|style|title)\b/i.exec(html.slice(i, i + 10));
      if (name) hidden = name[1] === "" ? (name[2] ?? null) : null;
      isTag = true;
    } else if (char === ">") {
      isTag = false;
      out += " ";
    } else if (!isTag && hidden === null) out += char;
  }
  return out.replace(/\s+/g, " ").trim();
}
