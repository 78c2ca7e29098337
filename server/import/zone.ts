import { Temporal } from "temporal-polyfill";
import { ImportError } from "./import-error.ts";

/** The instant (epoch ms) of a wall-clock time, which comes as the epoch ms it would be in UTC. */
export type Zone = (localMs: number) => number;

const QUARTER_MS = 15 * 60_000;
/** Nearly three years of quarter hours; then it starts again. */
const MAX_CACHED = 100_000;

/**
 * A time zone by its IANA name or as an offset like `+05:30`.
 *
 * Where clocks change, "compatible" rules: a time that was skipped is taken as if the clock had not yet been put
 * forward (02:30 becomes 03:30), one that came twice as its first. No zone changes its clocks within a quarter
 * hour, so one look-up serves all rows of a quarter.
 *
 * @throws ImportError when there is no such zone
 */
export function createZone(name: string): Zone {
  try {
    lookUpOffset(name, 0);
  } catch {
    throw new ImportError(
      `--zone ${name}: no such time zone. Give an IANA name such as Europe/Berlin, or UTC.`,
    );
  }
  const offsets = new Map<number, number>();
  return (localMs) => {
    const quarter = Math.floor(localMs / QUARTER_MS);
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = lookUpOffset(name, quarter * QUARTER_MS);
      if (offsets.size >= MAX_CACHED) offsets.clear();
      offsets.set(quarter, offset);
    }
    return localMs - offset;
  };
}

/** Milliseconds that the zone's clock is ahead of UTC when it shows this time. */
function lookUpOffset(zone: string, localMs: number): number {
  const local = Temporal.Instant.fromEpochMilliseconds(localMs).toZonedDateTimeISO("UTC").toPlainDateTime();
  return localMs - local.toZonedDateTime(zone, { disambiguation: "compatible" }).epochMilliseconds;
}
