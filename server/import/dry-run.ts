import type { Readable } from "node:stream";
import { parseAttempt } from "../ingest/parse-attempt.ts";
import type { FixedValue } from "./field-options.ts";
import { ImportError } from "./import-error.ts";
import { describeNoRows, describeUnseen, openSource, type ReadOptions, type Source } from "./open-source.ts";
import { formatCount, type TextOutput } from "./progress.ts";
import { formatReason, ReasonTally } from "./reason-tally.ts";
import type { MappedRow } from "./row-mapper.ts";
import type { SourceRow } from "./source-row.ts";
import { formatNames, NOTHING_IMPORTED } from "./summary.ts";

export interface DryRunJob {
  readonly inputs: readonly string[];
  readonly stdin: Readable;
  readonly options: ReadOptions;
  readonly out: TextOutput;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

const ROWS_JUDGED = 1_000;
const ROWS_SHOWN = 5;

/**
 * Shows how each input would be understood, and imports nothing: format, columns, the first rows, and how many of
 * the first 1,000 would be taken. They are judged as the server judges them, but for their age.
 *
 * @returns whether all judged rows are good
 * @throws ImportError as an import would, and when no input has a row
 */
export async function runDryRun({ inputs, stdin, options, out, now, signal }: DryRunJob): Promise<boolean> {
  let isGood = true;
  const withoutRows: string[] = [];
  for (const path of inputs) {
    const source = await openSource(path, stdin, options, signal);
    if (source === null) {
      withoutRows.push(describeNoRows(path, source));
      continue;
    }
    const { shown, good, tally } = await judgeRows(source, now());
    source.input.close();
    if (good + tally.total === 0) {
      withoutRows.push(describeNoRows(path, source));
      continue;
    }
    isGood &&= tally.total === 0;
    out.write(`${describeFormat(source)}\n${describeColumns(source, options.fixed)}`);
    if (source.unseenColumns.length > 0) out.write(`  ${describeUnseen(source)}\n`);
    out.write(`  First rows as understood:\n${shown.map((row) => `    ${row}\n`).join("")}`);
    const judged = good + tally.total;
    out.write(
      `  Of the first ${formatCount(judged)} rows ${formatCount(good)} are good, ${tally.total} bad.\n`,
    );
    for (const reason of tally.top(5)) out.write(`    ${formatReason(reason)}\n`);
  }
  if (withoutRows.length === inputs.length) throw new ImportError(describeNothing(withoutRows));
  for (const line of withoutRows) out.write(`${line}\n`);
  return isGood;
}

function describeNothing(withoutRows: readonly string[]): string {
  return [...withoutRows, NOTHING_IMPORTED].join("\n");
}

async function judgeRows(source: Source, nowMs: number) {
  const tally = new ReasonTally();
  const shown: string[] = [];
  let good = 0;
  for await (const rows of source.blocks()) {
    for (const row of rows.slice(0, ROWS_JUDGED - good - tally.total)) {
      const judged = judgeRow(source, row, nowMs);
      if (judged.ok) {
        good++;
        if (shown.length < ROWS_SHOWN) shown.push(formatEvent(judged));
      } else {
        tally.add({ file: source.name, line: row.line, pointer: judged.pointer, detail: judged.detail });
      }
    }
    if (good + tally.total >= ROWS_JUDGED) break;
  }
  return { shown, good, tally };
}

function judgeRow(source: Source, row: SourceRow, nowMs: number) {
  const mapped = source.map(row);
  if (!mapped.ok) return mapped;
  const parsed = parseAttempt(mapped.event, { nowMs, rawRetentionDays: Number.POSITIVE_INFINITY });
  return parsed.ok ? mapped : parsed;
}

/** Error texts are shown too: it is the person's own terminal. */
function formatEvent({ event }: MappedRow): string {
  return JSON.stringify({ ...event, occurredAt: new Date(event.occurredAt).toISOString() });
}

const DELIMITER_NAMES: Readonly<Record<string, string>> = { "\t": "tab" };

function describeFormat({ name, format, delimiter, input }: Source): string {
  const kind = format === "csv" ? "CSV" : "NDJSON";
  const cut = delimiter === null ? "" : `, delimiter ${DELIMITER_NAMES[delimiter] ?? delimiter}`;
  return `${name}: ${kind}${cut}${input.packing === "gzip" ? ", gzip" : ""}`;
}

function describeColumns({ plan }: Source, fixed: readonly FixedValue[]): string {
  const columns = plan.describe();
  const lines = columns.flatMap(({ column, fields }) =>
    fields.length === 0 ? [] : [`  ${column} → ${fields.join(", ")}`],
  );
  for (const { field, value } of fixed) lines.push(`  --set ${field.name} = ${value}`);
  const ignored = columns.flatMap(({ column, fields }) => (fields.length === 0 ? [column] : []));
  if (ignored.length > 0) lines.push(`  ignored: ${formatNames(ignored)}`);
  return lines.map((line) => `${line}\n`).join("");
}
