import { Temporal } from "temporal-polyfill";

/** `SystemV/…` are names of ICU that the IANA, and so PostgreSQL, has given up. */
const NAME = /^(?!systemv\/)[a-z][a-z0-9_+\-/]*$/i;

/**
 * The IANA zone, or alias of one, of this name in whatever case, spelt as the IANA does; `null` when this machine
 * knows none. An alias stays one: `asia/kolkata` is `Asia/Kolkata`, where `Intl` would make it `Asia/Calcutta`.
 */
export function findZone(name: string): string | null {
  if (!NAME.test(name)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}

/** Local time minus UTC, in milliseconds, at an instant. */
export function offsetMsAt(zone: string, timeMs: number): number {
  return Temporal.Instant.fromEpochMilliseconds(timeMs).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}

/** The local calendar date of an instant, like `2026-07-04`. */
export function localDateAt(zone: string, timeMs: number): string {
  return new Date(timeMs + offsetMsAt(zone, timeMs)).toISOString().slice(0, 10);
}

/** First instant of a local calendar date, epoch milliseconds; where midnight is skipped, the first that exists. */
export function startOfDate(zone: string, date: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime({ timeZone: zone }).epochMilliseconds;
}

/** The calendar date after the given one. */
export function nextDate(date: string): string {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toString();
}

/** One hour on the wall of one day. Where clocks go back, an hour comes twice, told apart by its offset. */
export interface LocalHour {
  /** 0–23. */
  readonly hour: number;
  readonly offsetMs: number;
  readonly startMs: number;
}

const QUARTER_MS = 15 * 60_000;

/**
 * The hours of one local date in order: 24 on most days, 23 or 25 where clocks change by an hour. Clocks that
 * change by half an hour make a shorter hour.
 */
export function listLocalHours(zone: string, date: string): LocalHour[] {
  const startMs = startOfDate(zone, date);
  const endMs = startOfDate(zone, nextDate(date));
  const firstOffset = offsetMsAt(zone, startMs);
  const isPlain = firstOffset === offsetMsAt(zone, endMs);
  const hours: LocalHour[] = [];
  for (let ms = startMs; ms < endMs; ms += QUARTER_MS) {
    const offsetMs = isPlain ? firstOffset : offsetMsAt(zone, ms);
    const hour = new Date(ms + offsetMs).getUTCHours();
    const last = hours.at(-1);
    if (last === undefined || last.hour !== hour || last.offsetMs !== offsetMs) {
      hours.push({ hour, offsetMs, startMs: ms });
    }
  }
  return hours;
}

/** `+05:30` */
export function formatOffset(offsetMs: number): string {
  const minutes = Math.abs(Math.round(offsetMs / 60_000));
  const two = (value: number) => String(value).padStart(2, "0");
  return `${offsetMs < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
