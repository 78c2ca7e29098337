import type { Sql } from "../../db/connect.ts";
import type { Attempt } from "../ingest/attempt.ts";
import { cleanLabel } from "../ingest/scrub.ts";
import { upsertSourceWay } from "./queries.ts";
import type { Way } from "./way.ts";

/** Attempts that a source sent one way, gathered since the last flush. */
export interface GatheredWay extends Way {
  readonly projectId: number;
  readonly source: string;
  lastReceivedMs: number;
  calls: number;
  failures: number;
}

/**
 * Counts by which way each source's attempts come, and how many of them failed: what the search for blind spots is
 * made of. Gathered in memory and written every few seconds, like the states of sources.
 */
export interface SourceWays {
  /** @param ways of each attempt, in their order */
  note(projectId: number, attempts: readonly Attempt[], ways: readonly Way[], nowMs: number): void;
  /** Writes what has gathered. */
  flush(): Promise<void>;
}

export function createSourceWays(sql: Sql): SourceWays {
  let gathered = new Map<string, GatheredWay>();

  function wayOf(projectId: number, source: string, { via, instrument }: Way, nowMs: number): GatheredWay {
    const key = `${projectId}\n${source}\n${via}\n${instrument}`;
    let way = gathered.get(key);
    if (way === undefined) {
      const label = cleanLabel(instrument).slice(0, 100);
      way = { projectId, source, via, instrument: label, lastReceivedMs: nowMs, calls: 0, failures: 0 };
      gathered.set(key, way);
    }
    way.lastReceivedMs = nowMs;
    return way;
  }

  return {
    note(projectId, attempts, ways, nowMs) {
      // What came one way comes in runs: the key is put together once a run, not once an attempt.
      let way: GatheredWay | null = null;
      let came: Way | null = null;
      attempts.forEach(({ series: { source }, outcome }, i) => {
        const one = ways[i] as Way;
        if (way === null || came !== one || way.source !== source) {
          way = wayOf(projectId, source, one, nowMs);
          came = one;
        }
        way.calls++;
        if (outcome !== "ok") way.failures++;
      });
    },
    async flush() {
      const ways = [...gathered.values()];
      gathered = new Map();
      for (const way of ways) await upsertSourceWay(sql, way);
    },
  };
}
