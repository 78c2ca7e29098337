import { BadValue } from "./bad-value.ts";
import { type Coerced, coerce } from "./coerce.ts";
import { FIELDS, type Field, findField } from "./fields.ts";
import { ImportError } from "./import-error.ts";
import { MS_PER, type TimeUnit } from "./parse-time.ts";
import type { Zone } from "./zone.ts";

/** `--map field=column`: this field comes from this column and from no other. */
export interface FieldMapping {
  readonly field: Field;
  /** A header name, or a key or dotted path in NDJSON. Empty: the field is filled from nowhere. */
  readonly column: string;
  readonly unit: TimeUnit | undefined;
}

/** `--set field=value`: the value of every row, whatever the row says. */
export interface FixedValue {
  readonly field: Field;
  readonly value: Exclude<Coerced, undefined | BadValue>;
}

/** @throws ImportError for an unknown field, a field named twice, or a unit where none makes sense */
export function parseMappings(options: readonly string[]): FieldMapping[] {
  const mappings = options.map(parseMapping);
  refuseTwice("--map", mappings);
  return mappings;
}

function parseMapping(option: string): FieldMapping {
  const { field, right } = splitOption("--map", option, "field=column");
  const suffix = /:(\w+)$/.exec(right)?.[1];
  if (suffix === undefined || !Object.hasOwn(MS_PER, suffix))
    return { field, column: right, unit: undefined };
  if (field.kind !== "time" && field.kind !== "milliseconds") {
    throw new ImportError(`--map ${option}: ${field.name} is no time, so :${suffix} means nothing there.`);
  }
  return { field, column: right.slice(0, -suffix.length - 1), unit: suffix as TimeUnit };
}

/** @throws ImportError for an unknown field, a field named twice, or a value that the field cannot hold */
export function parseFixedValues(options: readonly string[], zone?: Zone): FixedValue[] {
  const fixed = options.map((option) => {
    const { field, right } = splitOption("--set", option, "field=value");
    const value = coerce(field, right, undefined, zone);
    if (value === undefined) throw new ImportError(`--set ${option}: the value is empty.`);
    if (value instanceof BadValue) throw new ImportError(`--set ${option}: ${field.name} ${value.detail}.`);
    return { field, value };
  });
  refuseTwice("--set", fixed);
  return fixed;
}

function splitOption(flag: string, option: string, form: string): { field: Field; right: string } {
  const equals = option.indexOf("=");
  if (equals < 1) throw new ImportError(`${flag} ${option}: write ${flag} ${form}.`);
  const name = option.slice(0, equals).trim();
  const field = findField(name);
  if (field === null) {
    const names = FIELDS.map((known) => known.name).join(", ");
    throw new ImportError(`${flag} ${option}: there is no field ${name}.\nFields: ${names}`);
  }
  return { field, right: option.slice(equals + 1).trim() };
}

function refuseTwice(flag: string, options: readonly { readonly field: Field }[]): void {
  const seen = new Set<Field>();
  for (const { field } of options) {
    if (seen.has(field)) throw new ImportError(`${flag}: ${field.name} is given twice.`);
    seen.add(field);
  }
}
