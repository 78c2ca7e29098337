import type { ReporterNote, WaitingEvent } from "../report/store.ts";

/**
 * A segment is a file of events, one JSON per line, that is sent as one batch and then deleted. A line that begins
 * with `#` is a note of its writer: what it has lost since it began.
 */
export interface SegmentContent {
  readonly events: readonly WaitingEvent[];
  /** The newest one. */
  readonly note: ReporterNote | null;
  /** Lines that are no JSON, but for a last one that breaks off: its process ended while it wrote. */
  readonly damaged: number;
}

const NAME = /^([\da-f-]{36})-(\d{8})\.ndjson$/;

/** Names sort by their owner's start, then by their number. */
export function toSegmentName(ownerId: string, number: number): string {
  return `${ownerId}-${String(number).padStart(8, "0")}.ndjson`;
}

/** Whose segment a file is; `null` for any other file. */
export function ownerOfSegment(name: string): string | null {
  return NAME.exec(name)?.[1] ?? null;
}

export function formatLines(events: readonly WaitingEvent[]): string {
  return events.map(({ json }) => `${json}\n`).join("");
}

export function formatNote(note: ReporterNote): string {
  return `#${JSON.stringify(note)}\n`;
}

export function parseSegment(text: string): SegmentContent {
  const events: WaitingEvent[] = [];
  let note: ReporterNote | null = null;
  let damaged = 0;
  const lines = text.split("\n");
  // What stands after the last line break is empty, or a line that breaks off.
  lines.pop();
  for (const line of lines) {
    if (line.startsWith("#")) note = parseNote(line.slice(1)) ?? note;
    else {
      const event = parseObject<{ source?: unknown }>(line);
      if (event === null) damaged++;
      else events.push({ json: line, source: typeof event.source === "string" ? event.source : "" });
    }
  }
  return { events, note, damaged };
}

function parseNote(text: string): ReporterNote | null {
  const { id, dropped } = parseObject<Record<string, unknown>>(text) ?? {};
  if (typeof id !== "string" || typeof dropped !== "object" || dropped === null) return null;
  return { id, dropped: dropped as Record<string, number> };
}

function parseObject<T extends object>(text: string): T | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as T) : null;
  } catch {
    return null;
  }
}
