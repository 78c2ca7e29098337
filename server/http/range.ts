import { parseEventTime } from "../ingest/parse-attempt.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { findZone } from "../time/zone.ts";
import type { FieldFault } from "./app-error.ts";
import { invalidBody, invalidQuery } from "./parse.ts";

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** No calls are older than this, and dates far outside break zone arithmetic. */
const EARLIEST_MS = Date.UTC(2000, 0, 1);
const LATEST_MS = Date.UTC(2200, 0, 1);

/** The range that a query names, or `null` when it names none; one end alone is completed by the default length. */
export function readRange(
  query: { from?: string | undefined; to?: string | undefined },
  nowMs: number,
  defaultLengthMs: number,
  where: "?" | "/" = "?",
): TimeRange | null {
  if (query.from === undefined && query.to === undefined) return null;
  const faults: FieldFault[] = [];
  const toMs = query.to === undefined ? nowMs : readTime(query.to, `${where}to`, faults);
  const fromMs =
    query.from === undefined ? toMs - defaultLengthMs : readTime(query.from, `${where}from`, faults);
  if (faults.length === 0 && fromMs >= toMs)
    faults.push({ pointer: `${where}from`, detail: "must be before to" });
  if (faults.length > 0) throw where === "?" ? invalidQuery(faults) : invalidBody(faults);
  return { fromMs, toMs };
}

export function lastMs(nowMs: number, lengthMs: number): TimeRange {
  return { fromMs: nowMs - lengthMs, toMs: nowMs };
}

/** One instant of a query, epoch milliseconds. */
export function readInstant(value: string, pointer: `?${string}`): number {
  const faults: FieldFault[] = [];
  const timeMs = readTime(value, pointer, faults);
  if (faults.length > 0) throw invalidQuery(faults);
  return timeMs;
}

function readTime(value: string, pointer: string, faults: FieldFault[]): number {
  const isNumber = /^-?\d+$/.test(value);
  // In a query a plus sign that was not escaped arrives as a blank.
  const time = parseEventTime(isNumber ? Number(value) : value.replace(/ (\d{2}:?\d{2})$/, "+$1"));
  if (typeof time === "string") {
    faults.push({ pointer, detail: time });
    return Number.NaN;
  }
  if (time < EARLIEST_MS || time > LATEST_MS) {
    faults.push({ pointer, detail: "must be between the years 2000 and 2200" });
  }
  return time;
}

/** The zone asked for, spelt well, or the project's own. */
export function readZone(zone: string | undefined, project: ProjectRow): string {
  if (zone === undefined) return project.timeZone;
  const found = findZone(zone);
  if (found !== null) return found;
  throw invalidQuery([
    { pointer: "?zone", detail: "is no IANA time zone, like Europe/Berlin or Asia/Shanghai" },
  ]);
}
