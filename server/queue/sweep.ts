import type { Sql } from "../../db/connect.ts";
import { MAX_PAUSE_MS } from "../contract/job.ts";
import type { Settle } from "./settle.ts";
import { listLost, shortenLeases, shortenPauses } from "./settle-queries.ts";

/** Of one look; the next one follows at once. */
const MOST_AT_ONCE = 1_000;
/** Longer than between two runs of a server that is well: meanwhile nobody could extend anything. */
const GAP_MS = 60_000;

/**
 * Ends leases of which nothing was heard, so that their jobs are ready again.
 *
 * Where the clock jumped ahead, or the server was away, all leases look as if they had run out while their workers are
 * alive: they get the third of a lease in which each of them speaks, 15 s at the most. Where it jumped back, leases and
 * pauses look as if they lasted longer than they can: they are cut to what they may be.
 */
export function createSweep({ sql, settle }: { readonly sql: Sql; readonly settle: Settle }) {
  let lastMs: number | null = null;
  /** Since when workers are heard again. */
  let heardSinceMs = 0;
  return {
    /** @returns leases that were ended */
    async run(nowMs: number): Promise<number> {
      const gapMs = lastMs === null ? null : nowMs - lastMs;
      lastMs = nowMs;
      if (gapMs === null || gapMs > GAP_MS) heardSinceMs = nowMs;
      if (gapMs === null || gapMs < 0) {
        await shortenPauses(sql, nowMs, MAX_PAUSE_MS);
        heardSinceMs = Math.min(heardSinceMs, nowMs);
      }
      await shortenLeases(sql, nowMs);
      let count = 0;
      for (;;) {
        const lost = await listLost(sql, nowMs, heardSinceMs, MOST_AT_ONCE);
        const ended = await Promise.all(
          lost.map(({ projectId, id, token }) =>
            settle(projectId, { id, token, ending: { is: "lost" }, nowMs }),
          ),
        );
        count += ended.filter(({ is }) => is === "settled").length;
        if (lost.length < MOST_AT_ONCE) return count;
      }
    },
  };
}
