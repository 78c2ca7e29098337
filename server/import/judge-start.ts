import { cleanCharacters } from "../ingest/scrub.ts";
import type { ColumnPlan } from "./column-plan.ts";
import type { Format } from "./detect-format.ts";
import type { FixedValue } from "./field-options.ts";
import { FIELDS, type Field } from "./fields.ts";
import { ImportError } from "./import-error.ts";
import { NEEDS_ZONE } from "./parse-time.ts";
import type { MappedRow, RowFault } from "./row-mapper.ts";

export interface FileStart {
  readonly plan: Pick<ColumnPlan<never>, "describe" | "fills">;
  /** The first rows. */
  readonly mapped: readonly (MappedRow | RowFault)[];
  readonly format: Format;
  readonly hasHeader: boolean;
  readonly fixed: readonly FixedValue[];
}

/**
 * Refuses a file whose rows would all be rejected, before the first of them is imported.
 *
 * @throws ImportError that lists the columns there are and shows the option that helps
 */
export function judgeStart(start: FileStart): void {
  const missing = FIELDS.filter((field) => field.isRequired && isMissing(field, start));
  if (missing.length > 0) throw new ImportError(describeMissing(missing, start));
  if (start.mapped.some((row) => !row.ok && row.bad === NEEDS_ZONE)) {
    throw new ImportError(
      "its times have no offset. Say which time zone they are in, for example\n  --zone UTC or --zone Europe/Berlin",
    );
  }
}

/** A CSV header says it at once; NDJSON lacks a field when all of its first rows do. */
function isMissing(field: Field, { plan, mapped, format, fixed }: FileStart): boolean {
  if (fixed.some((value) => value.field === field) || plan.fills(field.index)) return false;
  return format === "csv" || mapped.some((row) => !row.ok && row.isMissing);
}

function describeMissing(missing: readonly Field[], { plan, format, hasHeader }: FileStart): string {
  const names = missing.map(({ name }) => name);
  const columns = plan.describe().map(({ column }) => column);
  const example = names.at(-1);
  const lines = [
    `there is no ${format === "csv" ? "column" : "field"} for ${names.join(", ")}.`,
    `  ${format === "csv" ? "Columns" : "Fields"} there are: ${listNames(columns)}`,
    `  Name it with --map ${example}=COLUMN${example === "occurredAt" ? "" : `, or give one value for all rows with --set ${example}=VALUE`}.`,
  ];
  if (format === "csv" && hasHeader) {
    lines.push("  If the first line is data and not a header, name the columns with --columns a,b,c.");
  }
  return lines.join("\n");
}

const MAX_NAMES = 40;
const MAX_NAME_LENGTH = 60;

/** A file that is no text at all has names that must not reach a terminal as they are. */
function listNames(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const shown = names
    .slice(0, MAX_NAMES)
    .map((name) => cleanCharacters(name).slice(0, MAX_NAME_LENGTH).trim());
  return shown.join(", ") + (names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "");
}
