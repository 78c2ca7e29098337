import type { Readable } from "node:stream";
import { type ColumnPlan, planCsv, planNdjson } from "./column-plan.ts";
import { createCsvReader } from "./csv-reader.ts";
import { detectDelimiter, detectFormat, type Format } from "./detect-format.ts";
import type { FieldMapping, FixedValue } from "./field-options.ts";
import { describeFailure, ImportError } from "./import-error.ts";
import { judgeStart } from "./judge-start.ts";
import { canonicalName } from "./match-column.ts";
import { createNdjsonReader } from "./ndjson-reader.ts";
import { type OpenInput, openInput, STDIN } from "./open-input.ts";
import { type MappedRow, type RowFault, RowMapper } from "./row-mapper.ts";
import type { RowReader, SourceRow } from "./source-row.ts";
import type { Zone } from "./zone.ts";

/** How files are to be read; the same for all files of an import. */
export interface ReadOptions {
  /** Told by the first character when it is left out. */
  readonly format?: Format | undefined;
  readonly delimiter?: string | undefined;
  /** Names of the columns of CSV without a header line. */
  readonly columns?: readonly string[] | undefined;
  readonly mappings: readonly FieldMapping[];
  readonly fixed: readonly FixedValue[];
  readonly zone?: Zone | undefined;
}

/** One opened file whose columns are known. */
export interface Source {
  readonly name: string;
  readonly format: Format;
  /** `null` for NDJSON. */
  readonly delimiter: string | null;
  readonly input: OpenInput;
  readonly plan: Pick<ColumnPlan<never>, "describe">;
  map(row: SourceRow): MappedRow | RowFault;
  /** Epoch ms of the oldest event among the first rows, `null` when none was understood. */
  readonly oldestMs: number | null;
  /** Columns that `--map` names and the first rows lack: rare ones, or a slip of the pen. */
  readonly unseenColumns: readonly string[];
  /** All rows, the first ones again. */
  blocks(): AsyncIterable<readonly SourceRow[]>;
}

const LOOK_AHEAD_ROWS = 100;

/**
 * Opens one input, tells its format and columns, and looks at the first rows.
 *
 * @returns `null` when there is nothing in it
 * @throws ImportError, named after the file, when its rows could not become events: then nothing was imported of it
 */
export async function openSource(
  path: string,
  stdin: Readable,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<Source | null> {
  const name = path === STDIN ? "stdin" : path;
  let input: OpenInput | null = null;
  try {
    input = await openInput(path, stdin, signal);
    return await readStart(name, input, options);
  } catch (error) {
    input?.close();
    if (signal.aborted) throw error;
    if (!(error instanceof ImportError) && !isSystemError(error)) throw error;
    throw new ImportError(`${name}: ${describeFailure(error)}`);
  }
}

export function describeUnseen({ name, unseenColumns }: Source): string {
  return `${name}: --map names ${unseenColumns.join(", ")}, and none of the first rows has it.`;
}

/** A line for the person about an input without rows; `source` is `null` when there is nothing in it at all. */
export function describeNoRows(path: string, source: Source | null): string {
  const name = path === STDIN ? "stdin" : path;
  return `${name}: ${source === null ? "is empty" : "has a header line and no rows"}.`;
}

async function readStart(name: string, input: OpenInput, options: ReadOptions): Promise<Source | null> {
  const start = await readText(input.chunks);
  const text = start.toString("utf8");
  const format = options.format ?? detectFormat(text);
  if (format === null || text.trim() === "") return null;
  const delimiter =
    format === "csv" ? (options.delimiter ?? detectDelimiter(text.replace(/^\uFEFF/, ""))) : null;
  const reader = delimiter === null ? createNdjsonReader() : createCsvReader(delimiter);
  const first = reader.push(start);
  const isAll = await readFirstRows(input.chunks, reader, first);
  const { plan, rows } = delimiter === null ? planForNdjson(first, options) : planForCsv(first, options);
  const map = (row: SourceRow) => (row.cells === null ? toFault(row.fault) : plan.map(row.cells as never));
  const mapped = rows.slice(0, LOOK_AHEAD_ROWS).map(map);
  judgeStart({ plan, mapped, format, hasHeader: options.columns === undefined, fixed: options.fixed });
  return {
    name,
    format,
    delimiter,
    input,
    plan,
    map,
    oldestMs: findOldest(mapped),
    unseenColumns: plan.listUnseen(),
    blocks: () => readBlocks(rows, isAll, input.chunks, reader),
  };
}

/** The first chunks, until there is something to see in them. */
async function readText(chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  let start: Buffer = Buffer.alloc(0);
  while (start.length < 64 * 1024) {
    const { value, done } = await chunks.next();
    if (done) break;
    start = start.length === 0 ? value : Buffer.concat([start, value]);
    if (value.includes(10) && start.toString("utf8").trim() !== "") break;
  }
  return start;
}

/** @returns whether these were all rows there are */
async function readFirstRows(chunks: AsyncIterator<Buffer>, reader: RowReader, rows: SourceRow[]) {
  while (rows.length <= LOOK_AHEAD_ROWS) {
    const { value, done } = await chunks.next();
    rows.push(...(done ? reader.end() : reader.push(value)));
    if (done) return true;
  }
  return false;
}

async function* readBlocks(
  first: readonly SourceRow[],
  isAll: boolean,
  chunks: AsyncIterator<Buffer>,
  reader: RowReader,
): AsyncGenerator<readonly SourceRow[]> {
  yield first;
  if (isAll) return;
  for (;;) {
    const { value, done } = await chunks.next();
    yield done ? reader.end() : reader.push(value);
    if (done) return;
  }
}

function planForNdjson(rows: readonly SourceRow[], { mappings, fixed, zone }: ReadOptions) {
  return { plan: planNdjson(mappings, new RowMapper(fixed, zone)), rows };
}

function planForCsv(rows: readonly SourceRow[], { columns, mappings, fixed, zone }: ReadOptions) {
  const first = rows[0]?.cells as readonly string[] | null | undefined;
  const isHeader = columns === undefined || (first != null && isSameHeader(first, columns));
  const header = columns ?? first?.map((name) => name.trim());
  if (header === undefined) throw new ImportError(`the header line ${rows[0]?.fault ?? "is missing"}`);
  return {
    plan: planCsv(header, mappings, new RowMapper(fixed, zone)),
    rows: isHeader ? rows.slice(1) : rows,
  };
}

function isSameHeader(cells: readonly string[], columns: readonly string[]): boolean {
  return (
    cells.length === columns.length &&
    cells.every((cell, at) => canonicalName(cell) === canonicalName(columns[at] ?? ""))
  );
}

function findOldest(rows: readonly (MappedRow | RowFault)[]): number | null {
  const times = rows.flatMap((row) => (row.ok ? [Number(row.event.occurredAt)] : []));
  return times.length === 0 ? null : Math.min(...times);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}

function toFault(detail: string): RowFault {
  return { ok: false, pointer: "", detail, isMissing: false, bad: null };
}
