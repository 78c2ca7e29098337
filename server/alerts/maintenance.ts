import { Temporal } from "temporal-polyfill";
import { WEEKDAYS } from "../contract/plan.ts";
import { localDateAt, nextDate } from "../time/zone.ts";

/** A time that comes again on some days of the week. */
export interface Recurrence {
  /** IANA zone in which days and time are read. */
  readonly zone: string;
  /** Of `WEEKDAYS`: on these it begins. */
  readonly days: readonly string[];
  /** Time of day like `02:30`. */
  readonly at: string;
  readonly lengthMinutes: number;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAYS_AHEAD = 8;

/**
 * The span [from, to) that is under way at an instant, else the next one.
 *
 * It is as long as it says even when clocks change within it; one whose start is skipped begins when clocks go on, one
 * whose start comes twice, the first time.
 */
export function findSpan(recurrence: Recurrence, nowMs: number): Span | null {
  const lengthMs = recurrence.lengthMinutes * MINUTE_MS;
  let date = localDateAt(recurrence.zone, nowMs - lengthMs - DAY_MS);
  const last = localDateAt(recurrence.zone, nowMs + DAYS_AHEAD * DAY_MS);
  for (; date <= last; date = nextDate(date)) {
    if (!recurrence.days.includes(weekdayOf(date))) continue;
    const fromMs = startOn(date, recurrence);
    if (fromMs + lengthMs > nowMs) return { fromMs, toMs: fromMs + lengthMs };
  }
  return null;
}

export function isUnderWay(span: Span | null, nowMs: number): span is Span {
  return span !== null && span.fromMs <= nowMs && nowMs < span.toMs;
}

function weekdayOf(date: string): string {
  return WEEKDAYS[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? "";
}

function startOn(date: string, { zone, at }: Recurrence): number {
  const wanted = Temporal.PlainDateTime.from(`${date}T${at}`);
  const before = wanted.toZonedDateTime(zone, { disambiguation: "earlier" });
  if (before.toPlainDateTime().equals(wanted)) return before.epochMilliseconds;
  return (before.getTimeZoneTransition("next") ?? before).epochMilliseconds;
}
