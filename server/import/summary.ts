import { cleanFieldName } from "../ingest/scrub.ts";
import { formatCount } from "./progress.ts";
import { formatReason, type Reason } from "./reason-tally.ts";

/** What an import did. `rows` is the sum of accepted, duplicates and rejected. */
export interface ImportSummary {
  readonly target: string;
  readonly rows: number;
  /** Newly stored. */
  readonly accepted: number;
  /** Stored before. */
  readonly duplicates: number;
  readonly rejected: number;
  /** Most frequent first. */
  readonly reasons: readonly Reason[];
  /** Columns that fill no field. */
  readonly ignoredColumns: readonly string[];
  /** `null` when there was no reject, and so no file. */
  readonly rejectsPath: string | null;
  readonly elapsedMs: number;
  readonly isInterrupted: boolean;
  /** What ended it early, `null` when nothing did. */
  readonly failure: string | null;
}

const COLUMNS_SHOWN = 30;

/** Lines for the person at the terminal, the last one ended too. */
export function formatSummary(summary: ImportSummary): string {
  const seconds = summary.elapsedMs / 1000;
  const rate = seconds > 0 ? `, ${formatCount(Math.round(summary.rows / seconds))} rows/s` : "";
  const lines = [
    `${formatCount(summary.rows)} rows into ${summary.target} in ${seconds.toFixed(1)} s${rate}`,
    `  accepted    ${formatCount(summary.accepted)}`,
    `  duplicates  ${formatCount(summary.duplicates)}`,
    `  rejected    ${formatCount(summary.rejected)}${summary.rejectsPath === null ? "" : `  (see ${summary.rejectsPath})`}`,
  ];
  if (summary.reasons.length > 0) {
    lines.push("Most frequent reasons:", ...summary.reasons.map((reason) => `  ${formatReason(reason)}`));
  }
  if (summary.ignoredColumns.length > 0)
    lines.push(`Ignored columns: ${formatNames(summary.ignoredColumns.map(cleanFieldName))}`);
  if (summary.failure !== null) lines.push(`Failed: ${summary.failure}`);
  if (summary.isInterrupted) lines.push("Broken off.");
  if (summary.failure !== null || summary.isInterrupted) {
    lines.push("Run the same command again to go on: nothing is stored twice.");
  }
  return `${lines.join("\n")}\n`;
}

/** `a, b, c and 12 more` */
export function formatNames(names: readonly string[]): string {
  const more = names.length - COLUMNS_SHOWN;
  const shown = names.slice(0, COLUMNS_SHOWN).join(", ");
  return more > 0 ? `${shown} and ${more} more` : shown;
}

export const NOTHING_IMPORTED = "Nothing was imported.";

/** No input held a row, and nothing else went wrong. */
export function isNothing({ rows, isInterrupted, failure }: ImportSummary): boolean {
  return rows === 0 && !isInterrupted && failure === null;
}

export const EXIT = { ok: 0, failed: 1, rejected: 3, interrupted: 130 } as const;

/**
 * 0 when every row was taken, 3 when some were rejected, 1 on failure or when there was no row: whoever imports
 * expects some, and an empty file mostly is a log that was not written. 130 when it was broken off.
 */
export function toExitCode({ isInterrupted, failure, rejected, rows }: ImportSummary): number {
  if (isInterrupted) return EXIT.interrupted;
  if (failure !== null || rows === 0) return EXIT.failed;
  return rejected > 0 ? EXIT.rejected : EXIT.ok;
}
