import type { StatuspageIncident, StatuspageMaintenance } from "../../contract/statuspage.ts";
import { html, paragraphs } from "../html/markup.ts";
import type { StatuspageDocuments } from "../statuspage.ts";
import type { StatusWords } from "../words/words.ts";

/** What a feed tells of one incident or maintenance. */
export interface FeedEntry {
  /** Stable as long as the incident is, whatever the page is called then. */
  readonly id: string;
  readonly title: string;
  readonly link: string;
  readonly publishedAt: string;
  readonly updatedAt: string;
  /** HTML. */
  readonly content: string;
}

const MOST_ENTRIES = 50;

/** Newest first. @param host of the tags by which feed readers know entries again */
export function toFeedEntries(
  { incidents, maintenances }: StatuspageDocuments,
  host: string,
  words: StatusWords,
): FeedEntry[] {
  const events: readonly (StatuspageIncident | StatuspageMaintenance)[] = [...incidents, ...maintenances];
  return events
    .map((event) => ({
      id: `tag:${host},${event.created_at.slice(0, 10)}:busyhour-status/${event.id}`,
      title: event.name,
      link: event.shortlink,
      publishedAt: event.created_at,
      updatedAt: event.updated_at,
      content: html`${event.incident_updates.map(
        ({ status, body, display_at }) =>
          html`<p><strong>${words.noteState[status]}</strong> <small>${display_at.slice(0, 16).replace("T", " ")} UTC</small></p>${paragraphs(body)}`,
      )}`.text,
    }))
    .sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
    .slice(0, MOST_ENTRIES);
}

export interface FeedParts {
  readonly title: string;
  readonly about: string;
  readonly url: string;
  readonly feedUrl: string;
  readonly tag: string;
  readonly updatedAt: string;
  readonly entries: readonly FeedEntry[];
}
