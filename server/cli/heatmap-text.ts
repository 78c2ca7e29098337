import { Temporal } from "temporal-polyfill";
import { ENOUGH_CALLS } from "../capacity/cell.ts";
import type { Heatmap, HeatmapCell } from "../contract/share.ts";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
const HOURS_SHOWN = 5;
const MARGIN = 4;

export interface HeatmapTextOptions {
  /** What the calls have in common, like `model gpt-5`; empty for all calls. */
  readonly of: string;
  /** Shades cells by their share, for a terminal. */
  readonly isColored: boolean;
}

/**
 * A heatmap as lines for a terminal of 80 columns: weekdays by hours in percent, what the marks mean, and the
 * fullest hours with their counts. A number stands only where there are enough calls to say one.
 */
export function formatHeatmap(heatmap: Heatmap, { of, isColored }: HeatmapTextOptions): string {
  const { cells, zone, range, count } = heatmap;
  const width = cells.some((cell) => percentOf(cell) === "100") ? 4 : 3;
  const head = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(width)).join("");
  const rows = DAYS.map((day, row) => {
    const ofDay = cells.slice(row * 24, row * 24 + 24);
    return day.padEnd(MARGIN) + ofDay.map((cell) => shade(cell, width, isColored)).join("");
  });
  return `${[
    `${nameOf(heatmap)}, percent of ${count}${of === "" ? "" : `, ${of}`}`,
    `${formatTime(range.from, zone)} to ${formatTime(range.to, zone)}, ${zone}`,
    "",
    " ".repeat(MARGIN) + head,
    ...rows,
    "",
    `${" ".repeat(MARGIN)}? fewer than ${ENOUGH_CALLS} ${count}: too few to say   · none`,
    "",
    ...listFullest(heatmap),
  ].join("\n")}\n`;
}

function nameOf({ outcome }: Heatmap): string {
  return outcome === "capacity" ? "Capacity errors" : `Outcome ${outcome}`;
}

function formatTime(instant: string, zone: string): string {
  const local = Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDateTime();
  return local.toString({ smallestUnit: "minute" }).replace("T", " ");
}

/** What a cell shows: two characters, but for a hundred. */
function percentOf({ state, rate, k }: HeatmapCell): string {
  if (state === "none") return "·";
  if (state === "few" || rate === null) return "?";
  const percent = Math.round(rate * 100);
  return percent === 0 && k > 0 ? "<1" : String(percent);
}

/** From this share on, and the colours of the 256-colour table that show it: the fuller, the redder. */
const SHADES: readonly (readonly [from: number, colors: string])[] = [
  [0.4, "48;5;160;38;5;231"],
  [0.2, "48;5;203;38;5;16"],
  [0.1, "48;5;210;38;5;16"],
  [0.05, "48;5;217;38;5;16"],
  [0.01, "48;5;224;38;5;16"],
];

function shade(cell: HeatmapCell, width: number, isColored: boolean): string {
  const text = percentOf(cell).padStart(width);
  const { rate, state } = cell;
  const colors = SHADES.find(([from]) => state === "enough" && rate !== null && rate >= from)?.[1];
  return isColored && colors !== undefined ? `\u001b[${colors}m${text}\u001b[0m` : text;
}

/** Hours with enough calls by their share, then the others by their count. */
function listFullest({ cells, outcome, count }: Heatmap): string[] {
  const what = outcome === "capacity" ? "capacity errors" : outcome;
  const total = { k: sum(cells, "k"), n: sum(cells, "n") };
  const inAll = `In all ${of(total)} ${count}.`;
  const full = cells.filter(({ k }) => k > 0).sort(byFullness);
  if (full.length === 0) return [`No hour had ${what}. ${inAll}`];
  const shown = full.slice(0, HOURS_SHOWN);
  const width = Math.max(...shown.map((cell) => of(cell).length));
  return [
    `${full.length > shown.length ? "Fullest hours" : `Hours with ${what}`}. ${inAll}`,
    ...shown.map((cell) => `  ${formatHour(cell)}  ${of(cell).padStart(width)}  ${judge(cell)}`),
  ];
}

const sum = (cells: readonly HeatmapCell[], field: "k" | "n") =>
  cells.reduce((total, cell) => total + cell[field], 0);

const of = ({ k, n }: { k: number; n: number }) => `${k.toLocaleString("en")} of ${n.toLocaleString("en")}`;

function byFullness(a: HeatmapCell, b: HeatmapCell): number {
  const isEnough = (cell: HeatmapCell) => (cell.state === "enough" ? 1 : 0);
  const measure = (cell: HeatmapCell) => (cell.state === "enough" ? (cell.rate ?? 0) : cell.k);
  return isEnough(b) - isEnough(a) || measure(b) - measure(a) || a.hourOfWeek - b.hourOfWeek;
}

function formatHour({ hourOfWeek }: HeatmapCell): string {
  const hour = hourOfWeek % 24;
  const clock = (value: number) => `${String(value).padStart(2, "0")}:00`;
  return `${DAYS[Math.floor(hourOfWeek / 24)]} ${clock(hour)}–${clock(hour + 1)}`;
}

function judge({ state, rate, low, high }: HeatmapCell): string {
  if (state !== "enough" || rate === null || low === null || high === null) return "too few to say";
  const percent = (share: number) => (share * 100).toFixed(1);
  return `${percent(rate).padStart(5)} % (95 % between ${percent(low)} and ${percent(high)})`;
}
