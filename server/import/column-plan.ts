import type { FieldMapping } from "./field-options.ts";
import { FIELDS, getField } from "./fields.ts";
import { ImportError } from "./import-error.ts";
import { canonicalName, matchColumn, type Slot } from "./match-column.ts";
import type { MappedRow, RowFault, RowMapper } from "./row-mapper.ts";
import type { JsonRow } from "./source-row.ts";

/** Which columns of one file fill which fields. */
export interface ColumnPlan<Cells> {
  map(cells: Cells): MappedRow | RowFault;
  /** Columns in the order of the file, for NDJSON those that were seen so far, each with the fields it fills. */
  describe(): { readonly column: string; readonly fields: readonly string[] }[];
  /** Columns that `--map` names and that no row had so far. */
  listUnseen(): readonly string[];
  /** Whether a column fills the field of this index. */
  fills(field: number): boolean;
}

const MAPPED_RANK = -1;

/** @throws ImportError when `--map` names a column that the header does not have */
export function planCsv(
  header: readonly string[],
  mappings: readonly FieldMapping[],
  mapper: RowMapper,
): ColumnPlan<readonly string[]> {
  const claimed = new Set(mappings.map(({ field }) => field.index));
  const slots = header.map((column) => matchFreely(column, claimed));
  for (const { field, column, unit } of mappings) {
    if (column === "") continue;
    slots[findColumn(header, column, field.name)]?.push({ field: field.index, rank: MAPPED_RANK, unit });
  }
  return {
    map(cells) {
      if (cells.length !== header.length && countCells(cells, header.length) !== header.length) {
        return toRowFault(`has ${cells.length} cells, and the header has ${header.length}`);
      }
      mapper.begin();
      for (let at = 0; at < slots.length; at++) {
        for (const slot of slots[at] ?? []) mapper.put(slot, cells[at]);
      }
      return mapper.finish();
    },
    listUnseen: () => [],
    describe: () => header.map((column, at) => ({ column, fields: nameFields(slots[at] ?? []) })),
    fills: (field) => slots.some((some) => some.some((slot) => slot.field === field)),
  };
}

/** Empty cells beyond the header are a stray delimiter at the line's end. */
function countCells(cells: readonly string[], wanted: number): number {
  let count = cells.length;
  while (count > wanted && cells[count - 1]?.trim() === "") count--;
  return count;
}

function findColumn(header: readonly string[], column: string, field: string): number {
  const exact = header.indexOf(column);
  const at = exact >= 0 ? exact : header.findIndex((name) => canonicalName(name) === canonicalName(column));
  if (at >= 0) return at;
  throw new ImportError(
    `--map ${field}=${column}: there is no column ${column}.\n  Columns there are: ${header.join(", ")}`,
  );
}

/** A plan remembers this many keys; rows that make up ever new ones must not fill the memory. */
const MAX_KEYS = 10_000;

/** Keys are met row by row: each is matched once and remembered. */
export function planNdjson(mappings: readonly FieldMapping[], mapper: RowMapper): ColumnPlan<JsonRow> {
  const claimed = new Set(mappings.map(({ field }) => field.index));
  const known = new Map<string, readonly Slot[]>();
  const paths = mappings
    .filter(({ column }) => column !== "")
    .map(({ field, column, unit }) => ({
      column,
      parts: column.split("."),
      slot: { field: field.index, rank: MAPPED_RANK, unit },
      isSeen: false,
    }));
  const learn = (key: string): readonly Slot[] => {
    // An error object has parts that may still be free when its message is mapped by hand: `putJson` looks.
    const isError = matchColumn(key)?.field === ERROR_MESSAGE;
    const slots = matchFreely(key, isError ? new Set() : claimed);
    if (known.size < MAX_KEYS) known.set(key, slots);
    return slots;
  };
  return {
    map(row) {
      mapper.begin();
      for (const key in row) {
        const value = row[key];
        for (const slot of known.get(key) ?? learn(key)) putJson(mapper, slot, value, claimed);
      }
      for (const path of paths) {
        const value = row[path.column] ?? walk(row, path.parts);
        if (value === undefined) continue;
        path.isSeen = true;
        putJson(mapper, path.slot, value, claimed);
      }
      return mapper.finish();
    },
    listUnseen: () => paths.filter(({ isSeen }) => !isSeen).map(({ column }) => column),
    describe: () => [
      ...paths
        .filter(({ isSeen }) => isSeen)
        .map(({ column, slot }) => ({ column, fields: nameFields([slot]) })),
      ...[...known]
        .filter(
          ([key]) =>
            !paths.some(({ isSeen, parts }) => isSeen && parts[0] === key && !known.get(key)?.length),
        )
        .map(([column, slots]) => ({ column, fields: nameFields(slots) })),
    ],
    fills: (field) =>
      paths.some(({ isSeen, slot }) => isSeen && slot.field === field) ||
      [...known.values()].some((slots) => slots.some((slot) => slot.field === field)),
  };
}

/** An error that is an object fills the fields of its parts; everything else is left to its field. */
function putJson(mapper: RowMapper, slot: Slot, value: unknown, claimed: ReadonlySet<number>): void {
  if (slot.field !== ERROR_MESSAGE) {
    mapper.put(slot, value);
    return;
  }
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const parts = isObject ? (value as JsonRow) : { message: value };
  for (const [part, field] of ERROR_PARTS) {
    const isMapped = slot.rank === MAPPED_RANK && field === slot.field;
    if (isMapped || !claimed.has(field)) mapper.put({ ...slot, field }, parts[part]);
  }
}

const ERROR_MESSAGE = getField("error.message").index;
const ERROR_PARTS = [
  ["type", getField("error.type").index],
  ["code", getField("error.code").index],
  ["message", ERROR_MESSAGE],
] as const;

function walk(row: JsonRow, parts: readonly string[]): unknown {
  let value: unknown = row;
  for (const part of parts) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as JsonRow)[part];
  }
  return value ?? undefined;
}

/** A field that was mapped by hand takes nothing else. */
function matchFreely(column: string, claimed: ReadonlySet<number>): Slot[] {
  const slot = matchColumn(column);
  return slot === null || claimed.has(slot.field) ? [] : [slot];
}

function nameFields(slots: readonly Slot[]): string[] {
  return slots.map((slot) => FIELDS[slot.field]?.name ?? "");
}

function toRowFault(detail: string): RowFault {
  return { ok: false, pointer: "", detail, isMissing: false, bad: null };
}
