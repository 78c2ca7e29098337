import type { Sql } from "../../db/connect.ts";
import type { Db } from "../../db/drizzle.ts";
import { createHistoryKeeper, type HistoryKeeper } from "./history.ts";
import { type Asked, createRenderer, type Rendered, type Renderer } from "./render.ts";
import { findPageBySlug } from "./settings.ts";
import { type PageSnapshot, readSnapshot } from "./snapshot.ts";

export interface StatusPages {
  /** What was asked of the page at this address; `null`: there is none, or it is not public. */
  readonly read: (slug: string, asked: Asked) => Promise<Rendered | null>;
  /** Forgets what is kept of a project: somebody changed something. */
  readonly forget: (projectId: number) => void;
  readonly history: HistoryKeeper;
}

export interface PagesDeps {
  readonly sql: Sql;
  readonly db: Db;
  readonly now: () => number;
  readonly publicUrl: () => string;
}

/** So long a page is served as it was read. */
const FRESH_MS = 20_000;
/** So long it is while it is being read anew, so that readers do not wait for the database. */
const STALE_MS = 60_000;
/** So long when it cannot be read: a page that says when it was true is better than none. */
const AWAY_MS = 900_000;
/** Pages that are kept in memory. */
const MOST_PAGES = 100;

interface Kept {
  readonly snapshot: PageSnapshot;
  readonly renderer: Renderer;
  readonly readAtMs: number;
}

/** Public pages as they are read and rendered once for many readers; each server keeps its own. */
export function createStatusPages({ sql, db, now, publicUrl }: PagesDeps): StatusPages {
  const history = createHistoryKeeper(sql);
  const kept = new Map<string, Kept>();
  const reading = new Map<string, Promise<Kept | null>>();
  let changes = 0;

  async function load(slug: string): Promise<Kept | null> {
    const changesBefore = changes;
    const nowMs = now();
    const found = await findPageBySlug(db, slug);
    if (found === null || !found.page.isPublic) {
      kept.delete(slug);
      return null;
    }
    const snapshot = await readSnapshot({ sql, db, history }, found.page, found.owner, nowMs);
    const old = kept.get(slug);
    const isRecent = old !== undefined && nowMs - old.readAtMs < STALE_MS;
    const before = isRecent && old.snapshot.savedAtMs === snapshot.savedAtMs ? old.renderer.rendered : null;
    const made = { snapshot, renderer: createRenderer(snapshot, publicUrl(), before), readAtMs: nowMs };
    // What was read before a change is not kept after it.
    if (changesBefore === changes) {
      kept.delete(slug);
      kept.set(slug, made);
      if (kept.size > MOST_PAGES) kept.delete(kept.keys().next().value ?? slug);
    }
    return made;
  }

  /** One reading at a time for all who wait. */
  function loadOnce(slug: string): Promise<Kept | null> {
    let promise = reading.get(slug);
    if (promise === undefined) {
      promise = load(slug).finally(() => {
        if (reading.get(slug) === promise) reading.delete(slug);
      });
      reading.set(slug, promise);
    }
    return promise;
  }

  async function find(slug: string): Promise<Kept | null> {
    const known = kept.get(slug);
    if (known === undefined) return loadOnce(slug);
    const ageMs = now() - known.readAtMs;
    if (ageMs >= 0 && ageMs < FRESH_MS) return known;
    const fresh = loadOnce(slug);
    if (ageMs >= 0 && ageMs < STALE_MS) {
      fresh.catch(() => {});
      return known;
    }
    try {
      return await fresh;
    } catch (error) {
      if (ageMs >= 0 && ageMs < AWAY_MS) return known;
      throw error;
    }
  }

  return {
    history,
    async read(slug, asked) {
      return (await find(slug))?.renderer.render(asked) ?? null;
    },
    forget(projectId) {
      changes++;
      reading.clear();
      for (const [slug, { snapshot }] of kept) if (snapshot.projectId === projectId) kept.delete(slug);
    },
  };
}
