import type { AttemptEvent } from "@busyhour/sdk";
import type { BadValue } from "./bad-value.ts";
import { coerce } from "./coerce.ts";
import type { FixedValue } from "./field-options.ts";
import { FIELDS, type Field, getField } from "./fields.ts";
import type { Slot } from "./match-column.ts";
import type { TimeUnit } from "./parse-time.ts";
import type { Zone } from "./zone.ts";

/** A row as an event. `occurredAt` is in epoch milliseconds. */
export interface MappedRow {
  readonly ok: true;
  readonly event: AttemptEvent;
  /** All that the event says but its id, in one form: rows that mean the same have the same content. */
  readonly content: string;
}

/** The first thing that is wrong with a row. Nothing of the row itself is repeated. */
export interface RowFault {
  readonly ok: false;
  readonly pointer: string;
  readonly detail: string;
  /** Whether the row says nothing about a field it must have. */
  readonly isMissing: boolean;
  readonly bad: BadValue | null;
}

const EVENT_ID = getField("eventId").index;
const UNFILLED = 127;
const PREFIXES: readonly string[] = FIELDS.map((field) => `${field.name}=`);

/**
 * Turns the cells of one row at a time into an event: `begin`, `put` each cell, `finish`.
 *
 * It keeps its arrays from row to row, and looks at no name: whoever calls `put` has found the slot.
 */
export class RowMapper {
  readonly #fixed: readonly (FixedValue | undefined)[];
  readonly #zone: Zone | undefined;
  readonly #values: unknown[] = FIELDS.map(() => undefined);
  readonly #units: (TimeUnit | undefined)[] = FIELDS.map(() => undefined);
  readonly #ranks = new Int8Array(FIELDS.length);

  constructor(fixed: readonly FixedValue[], zone?: Zone) {
    this.#fixed = FIELDS.map((field) => fixed.find((value) => value.field === field));
    this.#zone = zone;
  }

  begin(): void {
    this.#values.fill(undefined);
    this.#ranks.fill(UNFILLED);
  }

  /** An empty cell does not count: the next best column may fill the field. */
  put(slot: Slot, value: unknown): void {
    if (value == null || value === "") return;
    const { field, rank } = slot;
    if (rank >= (this.#ranks[field] ?? UNFILLED)) return;
    this.#ranks[field] = rank;
    this.#values[field] = value;
    this.#units[field] = slot.unit;
  }

  finish(): MappedRow | RowFault {
    const event: Record<string, unknown> = {};
    let error: Record<string, unknown> | undefined;
    let content = "";
    for (let index = 0; index < FIELDS.length; index++) {
      const field = FIELDS[index] as Field;
      const value = this.#read(field, index);
      if (value === undefined) {
        if (field.isRequired) return toFault(field, null);
        continue;
      }
      if (typeof value === "object") return toFault(field, value);
      if (index !== EVENT_ID) content += toContent(index, value);
      if (field.name.startsWith("error.")) {
        error ??= {};
        error[field.name.slice(6)] = value;
      } else {
        event[field.name] = value;
      }
    }
    if (error !== undefined) event["error"] = error;
    return { ok: true, event: event as unknown as AttemptEvent, content };
  }

  #read(field: Field, index: number) {
    const fixed = this.#fixed[index];
    if (fixed !== undefined) return fixed.value;
    const value = this.#values[index];
    return value === undefined ? undefined : coerce(field, value, this.#units[index], this.#zone);
  }
}

/** Texts carry their length, so that no text can pass for two fields. */
function toContent(index: number, value: string | number | boolean): string {
  const prefix = PREFIXES[index] ?? "";
  return typeof value === "string" ? `${prefix}${value.length}:${value};` : `${prefix}${value};`;
}

function toFault(field: Field, bad: BadValue | null): RowFault {
  return {
    ok: false,
    pointer: field.pointer,
    detail: bad === null ? "is missing" : bad.detail,
    isMissing: bad === null,
    bad,
  };
}
