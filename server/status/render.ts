import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { offsetMsAt } from "../time/zone.ts";
import { renderBadge } from "./badge.ts";
import { renderAtom } from "./feeds/atom.ts";
import { type FeedParts, toFeedEntries } from "./feeds/entries.ts";
import { renderRss } from "./feeds/rss.ts";
import { renderPage } from "./html/page.ts";
import { findUsualWeek, toUsualHours, type UsualHours, type UsualWeek } from "./measure/busy-hours.ts";
import type { ComponentSnapshot, PageSnapshot } from "./snapshot.ts";
import { newest, toStatuspage } from "./statuspage.ts";
import { lastChangeMs, makeHeadline, nameOf, type View } from "./view.ts";
import { type Language, wordsOf } from "./words/words.ts";

/** Files in Statuspage's shape. */
export const JSON_FILES = [
  "summary.json",
  "status.json",
  "components.json",
  "incidents.json",
  "incidents/unresolved.json",
  "scheduled-maintenances.json",
  "scheduled-maintenances/upcoming.json",
  "scheduled-maintenances/active.json",
] as const;
export type JsonFile = (typeof JSON_FILES)[number];

export type Asked =
  | {
      readonly kind: "page";
      readonly language: Language;
      readonly zone: string | null;
      readonly range: View["range"];
    }
  | { readonly kind: "json"; readonly language: Language; readonly file: JsonFile }
  | { readonly kind: "atom" | "rss"; readonly language: Language }
  | { readonly kind: "badge"; readonly language: Language; readonly component: string | null };

export interface Rendered {
  readonly etag: string;
  readonly body: Buffer;
  /** The same packed; made when first asked for. */
  readonly packed: () => Buffer;
}

/** Renderings of one snapshot that are kept: zones are many. */
const MOST_RENDERED = 64;

export interface Renderer {
  /** Each answer is rendered once. */
  readonly render: (asked: Asked) => Rendered;
  /** What was rendered already. */
  readonly rendered: ReadonlyMap<string, Rendered>;
}

/**
 * Renders what is asked of a snapshot.
 *
 * @param base where the server is, without a slash at its end
 * @param before what was rendered of the snapshot before, if it may still be shown: it is, while ours is made one by one,
 *   so that a page that is read in many zones does not stop for all of them
 */
export function createRenderer(
  snapshot: PageSnapshot,
  base: string,
  before: ReadonlyMap<string, Rendered> | null,
): Renderer {
  const kept = new Map<string, Rendered>();
  const waiting = new Map<string, Asked>();
  const url = `${base}/status/${snapshot.slug}`;

  function make(key: string, asked: Asked): Rendered {
    const rendered = toRendered(renderAsked(snapshot, asked, url));
    if (kept.size >= MOST_RENDERED) kept.delete(kept.keys().next().value ?? key);
    kept.set(key, rendered);
    return rendered;
  }

  function makeNext(): void {
    const [next] = waiting;
    if (next === undefined) return;
    make(...next);
    waiting.delete(next[0]);
    if (waiting.size > 0) setImmediate(makeNext);
  }

  return {
    rendered: kept,
    render(asked) {
      const key = JSON.stringify(asked);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const old = before?.get(key);
      if (old === undefined) return make(key, asked);
      if (waiting.size === 0) setImmediate(makeNext);
      waiting.set(key, asked);
      return old;
    },
  };
}

function toRendered(text: string): Rendered {
  const body = Buffer.from(text);
  let packed: Buffer | null = null;
  return {
    // Weak: packed and plain are the same thing.
    etag: `W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`,
    body,
    packed: () => {
      packed ??= gzipSync(body, { level: 6 });
      return packed;
    },
  };
}

function renderAsked(snapshot: PageSnapshot, asked: Asked, url: string): string {
  switch (asked.kind) {
    case "page": {
      const { language, range } = asked;
      const zone = asked.zone ?? snapshot.timeZone;
      const usualHours = (component: ComponentSnapshot) => usualHoursOf(component, zone, snapshot);
      return renderPage(snapshot, { language, zone, range }, { url, kept: {}, isPreview: false, usualHours });
    }
    case "json":
      return JSON.stringify(toDocument(snapshot, asked.file, asked.language, url));
    case "atom":
    case "rss": {
      const feed = toFeed(snapshot, asked, url);
      return asked.kind === "atom" ? renderAtom(feed) : renderRss(feed);
    }
    case "badge": {
      const { language, component: id } = asked;
      const words = wordsOf(language);
      const component = snapshot.components.find((one) => one.id === id);
      const headline = makeHeadline(snapshot.components, language, words);
      return component === undefined
        ? renderBadge(nameOf(snapshot.name, language), headline.state, words.state[headline.state])
        : renderBadge(
            nameOf(component.name, language),
            component.now.state,
            words.state[component.now.state],
          );
    }
  }
}

function toDocument(snapshot: PageSnapshot, file: JsonFile, language: Language, url: string): unknown {
  const { summary, incidents, maintenances } = toStatuspage(snapshot, language, url);
  const { page, components, status } = summary;
  const planned = (...states: string[]) => maintenances.filter((one) => states.includes(one.status));
  switch (file) {
    case "summary.json":
      return summary;
    case "status.json":
      return { page, status };
    case "components.json":
      return { page, components };
    case "incidents.json":
      return { page, incidents: newest(incidents) };
    case "incidents/unresolved.json":
      return { page, incidents: summary.incidents };
    case "scheduled-maintenances.json":
      return { page, scheduled_maintenances: newest(maintenances) };
    case "scheduled-maintenances/upcoming.json":
      return { page, scheduled_maintenances: planned("scheduled") };
    case "scheduled-maintenances/active.json":
      return { page, scheduled_maintenances: planned("in_progress", "verifying") };
  }
}

function toFeed(
  snapshot: PageSnapshot,
  { kind, language }: { readonly kind: "atom" | "rss"; readonly language: Language },
  url: string,
): FeedParts {
  const words = wordsOf(language);
  const { hostname } = new URL(url);
  const title = words.title(nameOf(snapshot.name, language));
  const about = nameOf(snapshot.about, language);
  return {
    title,
    about: about === "" ? title : about,
    url,
    feedUrl: `${url}/history.${kind}?lang=${language}`,
    tag: words.tag,
    updatedAt: new Date(lastChangeMs(snapshot)).toISOString(),
    entries: toFeedEntries(toStatuspage(snapshot, language, url), hostname, words),
  };
}

/** By a component's calls, which are the same object as long as they are the same. */
const weeksKept = new WeakMap<object, UsualWeek>();

/** When a component is usually busy, on the reader's wall; `null`: the team alone speaks of it. */
export function usualHoursOf(
  { past }: ComponentSnapshot,
  zone: string,
  { timeZone, asOfMs }: PageSnapshot,
): UsualHours | null {
  if (past === null) return null;
  let week = weeksKept.get(past);
  if (week === undefined) {
    week = findUsualWeek(past, timeZone, asOfMs);
    weeksKept.set(past, week);
  }
  return toUsualHours(week, offsetMsAt(zone, asOfMs) - offsetMsAt(timeZone, asOfMs));
}
