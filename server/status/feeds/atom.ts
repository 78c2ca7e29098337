import { xml } from "../html/markup.ts";
import type { FeedParts } from "./entries.ts";

/** The feed as Atom (RFC 4287). */
export function renderAtom(feed: FeedParts): string {
  return xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.tag}">
<id>${feed.feedUrl}</id>
<title>${feed.title}</title>
<subtitle>${feed.about}</subtitle>
<updated>${feed.updatedAt}</updated>
<author><name>${feed.title}</name></author>
<link rel="alternate" type="text/html" href="${feed.url}"/>
<link rel="self" type="application/atom+xml" href="${feed.feedUrl}"/>
<generator>Busyhour</generator>
${feed.entries.map(
  (entry) => xml`<entry>
<id>${entry.id}</id>
<title>${entry.title}</title>
<link rel="alternate" type="text/html" href="${entry.link}"/>
<published>${entry.publishedAt}</published>
<updated>${entry.updatedAt}</updated>
<content type="html">${entry.content}</content>
</entry>
`,
)}</feed>
`.text;
}
