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

  return {
    note(projectId, attempts, ways, nowMs) {
      attempts.forEach(({ series: { source }, outcome }, i) => {
        const { via, instrument } = ways[i] as Way;
        const key = `${projectId}\n${source}\n${via}\n${instrument}`;
        let way = gathered.get(key);
        if (way === undefined) {
          const label = cleanLabel(instrument).slice(0, 100);
          way = { projectId, source, via, instrument: label, lastReceivedMs: nowMs, calls: 0, failures: 0 };
          gathered.set(key, way);
        }
        way.lastReceivedMs = nowMs;
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
