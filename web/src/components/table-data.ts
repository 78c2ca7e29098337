/** A value of a table: numbers stay numbers, so that they sort and calculate. */
export type Value = string | number | null;

/** What a chart shows, as rows. The table on the screen and the CSV are both made of it. */
export interface TableData {
  readonly title: string;
  /** What is shown: range, zone and filters, as `name=value`. Goes into the first line of the CSV. */
  readonly context: readonly string[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/**
 * RFC 4180 with a first line that says what is shown, after a `#`. Numbers are written with a point, absent ones as
 * nothing; text that a spreadsheet would take for a formula is kept text.
 */
export function toCsv({ title, context, columns, rows }: TableData): string {
  const head = `# ${[title, ...context].join("; ").replaceAll(/[\r\n]+/g, " ")}`;
  const lines = [columns, ...rows].map((row) => row.map(toField).join(","));
  return `${[head, ...lines].join("\r\n")}\r\n`;
}

function toField(value: Value): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * The same as JSON, one object per row: what is shown stands in `context`. A head that comes twice gets a number, so
 * that nothing is lost.
 */
export function toJson({ title, context, columns, rows }: TableData): string {
  const names = columns.map((name, i) => (columns.indexOf(name) === i ? name : `${name} ${i + 1}`));
  const parts = context.map((part) => {
    const [name = "", ...value] = part.split("=");
    return [name, value.join("=")];
  });
  const objects = rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i] ?? null])));
  return `${JSON.stringify({ title, context: Object.fromEntries(parts), rows: objects }, null, 2)}\n`;
}

/** `busy-hours-of-the-week-2026-11-29.csv`; letters of every script stay. */
export function toFileName(title: string, nowMs: number, ending: string): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return `${name === "" ? "busyhour" : name}-${new Date(nowMs).toISOString().slice(0, 10)}.${ending}`;
}

/** Rows by one column: numbers by size, text by the alphabet, absent values last either way. */
export function sortRows(
  rows: TableData["rows"],
  column: number,
  direction: "ascending" | "descending",
): TableData["rows"] {
  const sign = direction === "ascending" ? 1 : -1;
  return [...rows].sort((a, b) => compare(a[column] ?? null, b[column] ?? null, sign));
}

function compare(a: Value, b: Value, sign: 1 | -1): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), undefined, { numeric: true });
}
