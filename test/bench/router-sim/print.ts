import { type Figures, quantile } from "./measure.ts";
import type { OutageFigures, StormFigures } from "./scenarios.ts";

const percent = (share: number) => (100 * share).toFixed(2);

export const DAY_HEAD = [
  "success %",
  "attempts",
  "p50 s",
  "p95 s",
  "p99 s",
  "first %",
  "tier 1 %",
  "quality",
  "calls to a down first",
  "recovery s, median/p90",
];

export function dayRow(figures: Figures): string[] {
  const recoveries = [...figures.recoveries].sort((a, b) => a - b);
  return [
    percent(figures.success),
    figures.attemptsPerRequest.toFixed(2),
    figures.p50.toFixed(1),
    figures.p95.toFixed(1),
    figures.p99.toFixed(1),
    percent(figures.firstShare),
    percent(figures.firstTierShare),
    figures.quality.toFixed(3),
    figures.callsToDown.toFixed(2),
    `${quantile(recoveries, 0.5).toFixed(0)}/${quantile(recoveries, 0.9).toFixed(0)} (${recoveries.length})`,
  ];
}

export const OUTAGE_HEAD = ["attempts per request", "success % after", "recovery s"];

export const outageRow = (figures: OutageFigures): string[] => [
  figures.attemptsPerRequest.toFixed(2),
  percent(figures.successAfter),
  figures.recoveryS.toFixed(0),
];

export const STORM_HEAD = ["slow %", "min 7–15 %", "min 15–30 %", "attempts after", "recovery s"];

export const stormRow = ({ success, attemptsPerRequestAfter, recoveryS }: StormFigures): string[] => [
  ...success.map(percent),
  attemptsPerRequestAfter.toFixed(2),
  recoveryS >= 1_380 ? "never" : recoveryS.toFixed(0),
];

/** Rows by policy, in columns. */
export function table<T>(
  title: string,
  head: readonly string[],
  rows: Readonly<Record<string, T>>,
  toCells: (row: T) => string[],
): string {
  const lines = [["", ...head], ...Object.entries(rows).map(([name, row]) => [name, ...toCells(row)])];
  const widths = ["", ...head].map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const format = (line: readonly string[]) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ");
  return `\n${title}\n${lines.map(format).join("\n")}`;
}
