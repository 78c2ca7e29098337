import { Temporal } from "temporal-polyfill";

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** What the clock and the calendar on a wall show at the start of a UTC hour. */
export interface LocalHour {
  /** 0–24, with a fraction where the zone's offset has one. */
  readonly hour: number;
  /** 1 = Monday. */
  readonly dayOfWeek: number;
  /** `2026-07-04`. */
  readonly date: string;
}

/** The local hour at the start of the UTC hour that holds `timeMs`; offsets change on the hour, never within. */
export function getLocalHour(timeMs: number, zone: string): LocalHour {
  const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
  const hours = seen.get(zone) ?? new Map<number, LocalHour>();
  seen.set(zone, hours);
  const known = hours.get(hourMs);
  if (known !== undefined) return known;
  const local = Temporal.Instant.fromEpochMilliseconds(hourMs).toZonedDateTimeISO(zone);
  const found: LocalHour = {
    hour: local.hour + local.minute / 60,
    dayOfWeek: local.dayOfWeek,
    date: local.toPlainDate().toString(),
  };
  if (hours.size >= MAX_SEEN) hours.clear();
  hours.set(hourMs, found);
  return found;
}

/** Time zones are slow to ask and each hour is asked for by every target and flow. */
const seen = new Map<string, Map<number, LocalHour>>();
const MAX_SEEN = 5_000;

/** A local time of day on a day before the anchor's own local day. */
export interface Moment {
  readonly daysAgo: number;
  readonly hour: number;
  readonly minute?: number;
  /** Moves a Saturday or Sunday back to the Friday before. */
  readonly isOnWorkday?: boolean;
}

/** The moment as epoch milliseconds; a local time that the clock skips is the one after the gap. */
export function resolveMoment(moment: Moment, anchorMs: number, zone: string): number {
  const { daysAgo, hour, minute = 0 } = moment;
  const anchor = Temporal.Instant.fromEpochMilliseconds(anchorMs).toZonedDateTimeISO(zone);
  let date = anchor.toPlainDate().subtract({ days: daysAgo });
  if (moment.isOnWorkday === true && date.dayOfWeek > 5) date = date.subtract({ days: date.dayOfWeek - 5 });
  return date.toZonedDateTime({ timeZone: zone, plainTime: { hour, minute } }).epochMilliseconds;
}

/** The Monday of the local week that holds the day `daysAgo` before the anchor, as `2026-07-04`. */
export function findMonday(daysAgo: number, anchorMs: number, zone: string): string {
  const anchor = Temporal.Instant.fromEpochMilliseconds(anchorMs).toZonedDateTimeISO(zone);
  const date = anchor.toPlainDate().subtract({ days: daysAgo });
  return date.subtract({ days: date.dayOfWeek - 1 }).toString();
}
