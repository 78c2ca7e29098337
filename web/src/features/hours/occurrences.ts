import type { Range } from "../../app/range.ts";
import { fromWallText, toWallText } from "../../time/wall.ts";
import { hourOfWeekAt } from "../../time/zone.ts";

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const WEEK_MS = 168 * HOUR_MS;

/**
 * The times that an hour of the week came within a range, newest first. The first and last may be cut by the range;
 * one that comes twice where clocks go back is one of two hours.
 */
export function listOccurrences(hourOfWeek: number, range: Range, zone: string): Range[] {
  const isIt = (ms: number) => hourOfWeekAt(ms, zone) === hourOfWeek;
  const found: Range[] = [];
  const startMs = Math.floor(range.fromMs / QUARTER_MS) * QUARTER_MS;
  for (let ms = startMs; ms < range.toMs; ms += HOUR_MS) {
    if (!isIt(ms)) continue;
    let fromMs = ms;
    while (fromMs - QUARTER_MS >= startMs && isIt(fromMs - QUARTER_MS)) fromMs -= QUARTER_MS;
    let toMs = ms + QUARTER_MS;
    while (toMs < range.toMs && isIt(toMs)) toMs += QUARTER_MS;
    found.unshift({ fromMs: Math.max(fromMs, range.fromMs), toMs: Math.min(toMs, range.toMs) });
    // The same hour comes again in a week, or in an hour less where clocks change.
    ms = fromMs + WEEK_MS - 3 * HOUR_MS;
  }
  return found;
}

/** The same hour on the wall, so many times, each a week before the one before it. */
export function listWeeksBefore(startMs: number, weeks: number, zone: string): Range[] {
  const [date = "", time = ""] = toWallText(startMs, zone).split("T");
  return Array.from({ length: weeks }, (_, i) => {
    const day = new Date(Date.parse(`${date}T00:00:00Z`) - (i + 1) * WEEK_MS).toISOString().slice(0, 10);
    const fromMs = fromWallText(`${day}T${time}`, zone);
    return { fromMs, toMs: fromMs + HOUR_MS };
  });
}
