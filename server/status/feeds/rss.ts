import { xml } from "../html/markup.ts";
import type { FeedParts } from "./entries.ts";

const toRfc822 = (time: string) => new Date(time).toUTCString();

/** The feed as RSS 2.0. */
export function renderRss(feed: FeedParts): string {
  return xml`<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${feed.title}</title>
<link>${feed.url}</link>
<description>${feed.about}</description>
<language>${feed.tag}</language>
<lastBuildDate>${toRfc822(feed.updatedAt)}</lastBuildDate>
<ttl>5</ttl>
<atom:link rel="self" type="application/rss+xml" href="${feed.feedUrl}"/>
${feed.entries.map(
  (entry) => xml`<item>
<title>${entry.title}</title>
<link>${entry.link}</link>
<guid isPermaLink="false">${entry.id}</guid>
<pubDate>${toRfc822(entry.updatedAt)}</pubDate>
<description>${entry.content}</description>
</item>
`,
)}</channel>
</rss>
`.text;
}
