import type { PublishedPlan } from "../contract/plan.ts";
import { type StoredPlan, toPublished } from "./published.ts";

/** A published plan, written out once for all who ask. */
export interface PublishedText {
  readonly plan: PublishedPlan;
  readonly etag: string;
  readonly text: string;
}

export interface PublishedReader {
  /** The plan in force now; version 0 before the first one. @param chain leaves out the others */
  read(projectId: number, chain: string | undefined): Promise<PublishedText>;
}

export interface PublishedReaderOptions {
  /** Numbers of the versions in force; projects without one may be left out. */
  readonly listPublished: (projectIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  readonly findVersion: (projectId: number, version: number) => Promise<StoredPlan | null>;
}

/** A document never changes, so that nothing of this grows old. */
const MAX_KEPT = 500;

/**
 * Reads published plans for many routers at once: when one is published, all that wait for it ask in the same moment. They
 * are answered by one statement, which begins after each of them has asked.
 */
export function createPublishedReader({
  listPublished,
  findVersion,
}: PublishedReaderOptions): PublishedReader {
  const kept = new Map<string, Promise<PublishedText>>();
  let next: { readonly ids: Set<number>; readonly versions: Promise<ReadonlyMap<number, number>> } | null =
    null;

  function askTogether() {
    const ids = new Set<number>();
    const versions = new Promise((resolve) => setImmediate(resolve)).then(() => {
      next = null;
      return listPublished([...ids]);
    });
    return { ids, versions };
  }

  async function findCurrent(projectId: number): Promise<number> {
    next ??= askTogether();
    next.ids.add(projectId);
    return (await next.versions).get(projectId) ?? 0;
  }

  async function writeOut(
    projectId: number,
    version: number,
    chain: string | undefined,
  ): Promise<PublishedText> {
    const stored = version === 0 ? null : await findVersion(projectId, version);
    const { plan, etag } = toPublished(stored, chain);
    return { plan, etag, text: JSON.stringify(plan) };
  }

  return {
    async read(projectId, chain) {
      const version = await findCurrent(projectId);
      const key = JSON.stringify([projectId, version, chain]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      if (kept.size >= MAX_KEPT) kept.clear();
      const written = writeOut(projectId, version, chain);
      kept.set(key, written);
      written.catch(() => kept.delete(key));
      return written;
    },
  };
}
