import type { Sources } from "../../../../server/contract/listing.ts";

type Source = Sources["sources"][number];

/** What has come from all sources together. */
export interface Arrivals {
  readonly accepted: number;
  readonly rejected: number;
  readonly lastReceivedMs: number | null;
  readonly lastRejection: { readonly atMs: number; readonly pointer: string; readonly detail: string } | null;
}

/**
 * Sums what the sources sent. The same list is the page's own: it cannot wait for events that a page shows already.
 * Sample and imported attempts have no state of ingest, so the attempts of the range count as accepted too.
 */
export function sumArrivals(sources: readonly Source[]): Arrivals {
  const latest = (times: readonly (string | null)[]) => {
    const known = times.flatMap((time) => (time === null ? [] : [Date.parse(time)]));
    return known.length === 0 ? null : Math.max(...known);
  };
  const rejections = sources
    .flatMap(({ lastRejection }) => (lastRejection === null ? [] : [lastRejection]))
    .map(({ at, pointer, detail }) => ({ atMs: Date.parse(at), pointer, detail }))
    .sort((a, b) => b.atMs - a.atMs);
  return {
    accepted: sources.reduce((sum, { accepted, attempts }) => sum + Math.max(accepted, attempts), 0),
    rejected: sources.reduce((sum, { rejected }) => sum + rejected, 0),
    lastReceivedMs: latest(sources.map(({ lastReceivedAt }) => lastReceivedAt)),
    lastRejection: rejections[0] ?? null,
  };
}

/** From this difference on a clock is called wrong. */
export const CLOCK_TOLERANCE_MS = 10_000;
/** From so many events on it is odd that none ever failed. */
const MANY_EVENTS = 200;

export type Warning = "neverFails" | "clockOff" | "rejects" | "drops";

/** What somebody should look at. */
export function listWarnings({ failures, clockOffsetMs, rejected, dropped, accepted }: Source): Warning[] {
  const warnings: Warning[] = [];
  if (failures.n >= MANY_EVENTS && failures.k === 0) warnings.push("neverFails");
  // Events of the future prove a clock wrong; old ones may just have been sent late.
  if (clockOffsetMs !== null && clockOffsetMs >= CLOCK_TOLERANCE_MS) warnings.push("clockOff");
  if (rejected > 0 && rejected >= 0.01 * accepted) warnings.push("rejects");
  if (dropped > 0 && dropped >= 0.01 * accepted) warnings.push("drops");
  return warnings;
}
