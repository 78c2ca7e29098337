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
export type BlindSpot = Source["ways"][number]["blindSpots"][number];
export type Warning = BlindSpot["code"] | "clockOff" | "rejects" | "drops";

/** What somebody should look at. */
export function listWarnings({ ways, clockOffsetMs, rejected, dropped, accepted }: Source): Warning[] {
  const codes = ways.flatMap(({ blindSpots }) => blindSpots.map(({ code }) => code));
  const warnings: Warning[] = [...new Set(codes)];
  // Events of the future prove a clock wrong; old ones may just have been sent late.
  if (clockOffsetMs !== null && clockOffsetMs >= CLOCK_TOLERANCE_MS) warnings.push("clockOff");
  if (rejected > 0 && rejected >= 0.01 * accepted) warnings.push("rejects");
  if (dropped > 0 && dropped >= 0.01 * accepted) warnings.push("drops");
  return warnings;
}

/** Something that a source does not show, and by which of its ways. */
export interface FoundBlindSpot extends BlindSpot {
  readonly source: string;
  /** Name of the way's instrument; empty where it has none. */
  readonly instrument: string;
  /** Attempts that came this way, ever. */
  readonly calls: number;
}

/** All that sources do not show, in their order: what is known before what is likely. */
export function listBlindSpots(sources: readonly Source[]): FoundBlindSpot[] {
  return sources.flatMap(({ source, ways }) =>
    ways
      .flatMap(({ instrument, calls, blindSpots }) =>
        blindSpots.map((spot) => ({ source, instrument, calls, ...spot })),
      )
      .sort((a, b) => Number(a.certainty === "likely") - Number(b.certainty === "likely")),
  );
}
