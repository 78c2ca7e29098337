import type { HeatmapCell } from "../../../../server/contract/share.ts";
import { BEFORE_COLUMNS, beforeValues, CELL_COLUMNS, cellValues } from "../../components/cell.ts";
import type { GridModel } from "../../components/grid-model.ts";
import type { TableData } from "../../components/table-data.ts";
import type { Messages } from "../../messages/en.ts";
import type { Formats } from "../../messages/formats.ts";

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/** The busy-hours grid: a row per weekday from Monday, a column per hour. */
export function toWeekGrid(
  cells: readonly HeatmapCell[],
  nowHourOfWeek: number,
  formats: Formats,
  before: readonly HeatmapCell[] | null = null,
  markOf: (hourOfWeek: number) => string | undefined = () => undefined,
): GridModel {
  const nowDay = Math.floor(nowHourOfWeek / 24);
  const nowHour = nowHourOfWeek % 24;
  return {
    columns: HOURS.map((hour) => ({
      key: String(hour),
      label: String(hour).padStart(2, "0"),
      isNow: hour === nowHour,
    })),
    rows: WEEKDAYS.map((weekday) => ({
      key: String(weekday),
      label: formats.weekday(weekday, "short"),
      isNow: weekday === nowDay,
      cells: HOURS.map((hour) => {
        const cell = cells[weekday * 24 + hour];
        if (cell === undefined) return null;
        const when = `${formats.weekday(weekday, "long")} ${formats.hour(hour)}–${formats.hour(hour + 1)}`;
        const id = String(cell.hourOfWeek);
        return {
          id,
          cell,
          before: before?.[cell.hourOfWeek],
          when,
          isNow: weekday === nowDay && hour === nowHour,
          mark: markOf(cell.hourOfWeek),
        };
      }),
    })),
  };
}

export function toWeekTable(
  cells: readonly HeatmapCell[],
  context: readonly string[],
  messages: Messages,
  formats: Formats,
  before: readonly HeatmapCell[] | null = null,
): TableData {
  return {
    title: messages.week.title,
    context,
    columns: [
      messages.columns.day,
      messages.columns.hour,
      ...CELL_COLUMNS.map((name) => messages.cellColumns[name]),
      ...(before === null ? [] : BEFORE_COLUMNS.map((name) => messages.columns[name])),
    ],
    rows: cells.map((cell) => [
      formats.weekday(Math.floor(cell.hourOfWeek / 24), "long"),
      formats.hour(cell.hourOfWeek % 24),
      ...cellValues(cell),
      ...(before === null ? [] : beforeValues(cell, before[cell.hourOfWeek])),
    ]),
  };
}
