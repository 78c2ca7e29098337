import { type DayName, OURS, PLAIN } from "./contest.ts";
import { type Figures, quantile } from "./measure.ts";
import type { Pair } from "./pairs.ts";
import type { Contest } from "./run-contest.ts";
import { NEVER_S, type OutageFigures, type StormFigures } from "./scenarios.ts";
import type { Verdict } from "./verdicts.ts";

const percent = (share: number) => (100 * share).toFixed(2);

const DAY_HEAD = [
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

const OUTAGE_HEAD = ["attempts per request", "success % after", "recovery s"];

const outageRow = (figures: OutageFigures): string[] => [
  figures.attemptsPerRequest.toFixed(2),
  percent(figures.successAfter),
  figures.recoveryS.toFixed(0),
];

const STORM_HEAD = ["slow %", "min 7–15 %", "min 15–30 %", "attempts after", "recovery s"];

const stormRow = ({ success, attemptsPerRequestAfter, recoveryS }: StormFigures): string[] => [
  ...success.map(percent),
  attemptsPerRequestAfter.toFixed(2),
  recoveryS >= NEVER_S ? "never" : recoveryS.toFixed(0),
];

/** Rows by policy, in columns. */
function table<T>(
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

const DAY_TITLES: Readonly<Record<DayName, string>> = {
  mixed: "A  A mixed day",
  harsh: "D  A harsh day",
  quiet: "E  A quiet day, 144 requests an hour",
};

/** All figures as tables, and what is promised beside what was measured. */
export function printContest(seeds: string, contest: Contest, verdicts: readonly Verdict[]): string {
  const { days, outage, storms, pairs } = contest;
  const lines = [`Seeds ${seeds}`];
  const measured = Object.entries(days) as [DayName, NonNullable<(typeof days)[DayName]>][];
  for (const [day, figures] of measured) lines.push(table(DAY_TITLES[day], DAY_HEAD, figures, dayRow));
  lines.push(table("B  Everything down for ten minutes", OUTAGE_HEAD, outage, outageRow));
  for (const [kind, figures] of Object.entries(storms))
    lines.push(table(`C  Five times slower for two minutes, ${kind}`, STORM_HEAD, figures, stormRow));
  for (const [day, all] of Object.entries(pairs) as [DayName, readonly Pair[]][])
    lines.push(`\n${DAY_TITLES[day]}: ${OURS} less ${PLAIN}, by seed`, ...all.map(pairRow));
  lines.push("", ...verdicts.map(verdictRow));
  return lines.join("\n");
}

const pairRow = ({ name, difference, error, lower, higher }: Pair) =>
  `  ${name.padEnd(22)} ${difference.toFixed(4).padStart(9)} ± ${error.toFixed(4)}  lower in ${lower}, higher in ${higher}`;

const verdictRow = ({ what, value, want, isMet }: Verdict) =>
  `  ${what.padEnd(62)} ${value.padStart(9)}  ${want.padEnd(9)} ${isMet ? "met" : "MISSED"}`;
