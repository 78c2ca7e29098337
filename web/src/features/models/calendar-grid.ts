import type { Calendar, CalendarDay } from "../../../../server/contract/share.ts";
import { BEFORE_COLUMNS, beforeValues, CELL_COLUMNS, cellValues } from "../../components/cell.ts";
import type { GridModel } from "../../components/grid-model.ts";
import type { TableData } from "../../components/table-data.ts";
import type { Messages } from "../../messages/en.ts";
import type { Formats } from "../../messages/formats.ts";

type CalendarHour = CalendarDay["hours"][number];
const HOUR_MS = 3_600_000;

interface Column {
  readonly hour: number;
  /** 1 for the second time that a clock shows this hour, where it goes back. */
  readonly turn: 0 | 1;
}

/** Columns for 24 hours, and one more for each hour that came twice on some day. */
function listColumns(days: readonly CalendarDay[]): Column[] {
  const twice = new Set(
    days.flatMap(({ hours }) =>
      hours.filter(({ hour }, i) => hours[i - 1]?.hour === hour).map(({ hour }) => hour),
    ),
  );
  return Array.from({ length: 24 }, (_, hour) => hour).flatMap((hour): Column[] =>
    twice.has(hour)
      ? [
          { hour, turn: 0 },
          { hour, turn: 1 },
        ]
      : [{ hour, turn: 0 }],
  );
}

/**
 * The calendar: a row per date, newest first, a column per hour of the wall clock. An hour that does not exist, or
 * has not come yet, is an absent cell.
 */
export function toCalendarGrid(
  days: readonly CalendarDay[],
  nowMs: number,
  formats: Formats,
  beforeOf: BeforeOf = () => undefined,
): GridModel {
  const columns = listColumns(days);
  const isNow = ({ start }: CalendarHour) => {
    const startMs = Date.parse(start);
    return startMs <= nowMs && nowMs < startMs + HOUR_MS;
  };
  const today = days.find(({ hours }) => hours.some(isNow));
  const nowHour = today?.hours.find(isNow)?.hour;
  return {
    columns: columns.map(({ hour, turn }) => ({
      key: `${hour}/${turn}`,
      label: `${String(hour).padStart(2, "0")}${turn === 1 ? "²" : ""}`,
      isNow: hour === nowHour && turn === 0,
    })),
    rows: [...days].reverse().map(({ date, hours }) => ({
      key: date,
      label: formats.date(date),
      isNow: date === today?.date,
      cells: columns.map(({ hour, turn }) => {
        const found = hours.filter((one) => one.hour === hour)[turn];
        if (found === undefined || Date.parse(found.start) > nowMs) return null;
        const when = `${formats.date(date)} ${formats.hour(hour)}–${formats.hour(hour + 1)}`;
        const isTwice = hours.filter((one) => one.hour === hour).length > 1;
        return {
          id: found.start,
          cell: found,
          before: beforeOf(date, found),
          when: isTwice ? `${when} (UTC${found.offset})` : when,
          isNow: isNow(found),
        };
      }),
    })),
  };
}

/** The cell that one compares an hour with. */
type BeforeOf = (date: string, hour: CalendarHour) => CalendarHour | undefined;

/** Hours of an earlier calendar by the same wall clock, so many whole days before. */
export function lookBack(earlier: readonly CalendarDay[], agoMs: number): BeforeOf {
  const byDate = new Map(earlier.map(({ date, hours }) => [date, hours]));
  return (date, { hour }) => {
    const then = new Date(Date.parse(`${date}T00:00:00Z`) - agoMs).toISOString().slice(0, 10);
    return byDate.get(then)?.find((one) => one.hour === hour);
  };
}

/** Dates on which clocks change. */
export function listClockChanges(days: readonly CalendarDay[]): string[] {
  return days
    .filter(({ hours }) => new Set(hours.map(({ offset }) => offset)).size > 1)
    .map(({ date }) => date);
}

export function toCalendarTable(
  { days }: Pick<Calendar, "days">,
  context: readonly string[],
  nowMs: number,
  messages: Messages,
  beforeOf: BeforeOf | null = null,
): TableData {
  const { calendar } = messages.models;
  return {
    title: calendar,
    context,
    columns: [
      messages.columns.day,
      messages.columns.hour,
      messages.columns.offset,
      ...CELL_COLUMNS.map((name) => messages.cellColumns[name]),
      ...(beforeOf === null ? [] : BEFORE_COLUMNS.map((name) => messages.columns[name])),
    ],
    rows: days.flatMap(({ date, hours }) =>
      hours
        .filter(({ start }) => Date.parse(start) <= nowMs)
        .map((hour) => [
          date,
          hour.hour,
          hour.offset,
          ...cellValues(hour),
          ...(beforeOf === null ? [] : beforeValues(hour, beforeOf(date, hour))),
        ]),
    ),
  };
}
