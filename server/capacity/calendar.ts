import type { Outcome } from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";
import type { Calendar, CalendarDay, CountKind } from "../contract/share.ts";
import { formatOffset, listLocalHours, localDateAt, nextDate } from "../time/zone.ts";
import { toCell } from "./cell.ts";
import type { SeriesFilter } from "./queries.ts";
import { planReading } from "./segments.ts";
import { type LocalHourCount, listLocalHourCounts } from "./share-queries.ts";

export interface CalendarQuestion {
  readonly projectId: number;
  readonly filter: SeriesFilter;
  readonly count: CountKind;
  readonly outcome: Outcome;
  readonly zone: string;
  readonly range: { readonly fromMs: number; readonly toMs: number };
}

/** The share of an outcome by date and hour on the zone's wall; hours outside the range are left out. */
export async function getCalendar(sql: Sql, question: CalendarQuestion, nowMs: number): Promise<Calendar> {
  const plan = planReading(question.range, nowMs);
  const counts = await listLocalHourCounts(sql, { ...question, segments: plan.segments }, question.zone);
  return {
    zone: question.zone,
    range: { from: new Date(plan.fromMs).toISOString(), to: new Date(plan.toMs).toISOString() },
    count: question.count,
    outcome: question.outcome,
    days: toCalendarDays(counts, question.zone, plan),
  };
}

/** Lays counts onto the hours that the zone's days really have. */
export function toCalendarDays(
  counts: readonly LocalHourCount[],
  zone: string,
  range: { readonly fromMs: number; readonly toMs: number },
): CalendarDay[] {
  const sums = new Map(counts.map((count) => [`${count.localHourMs} ${count.offsetMs}`, count]));
  const days: CalendarDay[] = [];
  const lastDate = localDateAt(zone, Math.max(range.fromMs, range.toMs - 1));
  for (let date = localDateAt(zone, range.fromMs); date <= lastDate; date = nextDate(date)) {
    const all = listLocalHours(zone, date);
    const hours = all.flatMap(({ hour, offsetMs, startMs }, i) => {
      const endMs = all[i + 1]?.startMs ?? Number.POSITIVE_INFINITY;
      if (startMs >= range.toMs || Math.min(endMs, startMs + 3_600_000) <= range.fromMs) return [];
      const { k, n } = sums.get(`${Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000} ${offsetMs}`) ?? {
        k: 0,
        n: 0,
      };
      return [
        { hour, offset: formatOffset(offsetMs), start: new Date(startMs).toISOString(), ...toCell(k, n) },
      ];
    });
    days.push({ date, hours });
  }
  return days;
}
